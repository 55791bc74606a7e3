"""Asks and truths that depend on the time of day are caught."""

import datetime
import time
from datetime import date as day
from datetime import datetime as moment
from time import time as seconds

import numpy as np
import pytest

from mensura.dialogue import Ask, Choice, Number
from mensura.running.checks.clock import check_clock, moved_clock
from tests.running.checks.examined import good, trial_of


@pytest.mark.parametrize(
    "now",
    [
        lambda: int(time.time()),
        lambda: time.time_ns() // 10**9,
        lambda: int(seconds()),
        lambda: time.strftime("%H:%M"),
        lambda: time.localtime().tm_mday,
        lambda: time.ctime(),
        lambda: datetime.datetime.now().strftime("%A"),
        lambda: moment.now(datetime.UTC).date(),
        lambda: moment.today().hour < 12,
        lambda: day.today().isoformat(),
        lambda: datetime.date.today().year,
    ],
)
def test_a_clock_in_the_prompt_is_caught(now):
    def timed(rng):
        yield Ask(f"It is {now()}. Is it late?", Choice(("yes", "no")), key="q")

    found = check_clock(trial_of(timed))
    assert found.passed is False
    assert "with the clock moved" in found.words


def test_a_clock_in_the_truth_is_caught():
    def timed(rng):
        yield Ask("What year is it?", Number(), key="q", truth=moment.now().year)

    assert "the truths are others" in check_clock(trial_of(timed)).words


def test_time_that_is_not_told_passes_and_the_clock_is_put_back():
    def counting(rng):
        started = moment.now()
        yield from good(rng)
        assert isinstance(started, moment)
        assert moment(2020, 1, 1) < started

    before = time.time, datetime.datetime, moment, day, seconds
    assert check_clock(trial_of(counting)).passed
    with moved_clock(1000, trial_of(good)):
        assert time.time() > before[0]() + 900
    assert (time.time, datetime.datetime, moment, day, seconds) == before


def test_what_differs_anyhow_is_left_to_the_replay():
    outside = np.random.default_rng()

    def leaky(rng):
        yield Ask(f"Is it {outside.random()}?", Choice(("yes", "no")), key="q")

    assert check_clock(trial_of(leaky)).passed is None
