"""Times that tell the truth are caught, and a busy machine is not."""

import random
import time
from dataclasses import replace

import pytest

from mensura.dialogue import Ask, Choice, Probability
from mensura.running.check import CheckOptions
from mensura.running.checks.leak.sitting import Sitting
from mensura.running.checks.leak.telling import check_timing
from tests.running.checks.examined import good, saving, trial_of
from tests.running.checks.honest import WORDS, animals, quiz, shuffled

SESSIONS = CheckOptions(sessions=12)
LATER = 0.01
"""Seconds that stand out from what a machine adds by itself."""


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Time passes by what the tests below wait, and by a little noise; how busy this machine is does not matter."""
    noise, now = random.Random(1), [0.0]

    def read():
        now[0] += noise.expovariate(1 / 0.0005)
        return now[0]

    def wait(seconds):
        now[0] += seconds

    monkeypatch.setattr(time, "perf_counter", read)
    monkeypatch.setattr(time, "sleep", wait)


def slow_when_true(rng):
    for i in range(6):
        truth = int(rng.random() < 0.5)
        time.sleep(LATER * truth)
        yield Ask(f"Picture {int(rng.integers(10**6))}.", Probability(), key=f"q{i}", truth=truth)


def slow_after_a_right_answer(rng):
    for i in range(8):
        truth = "ab"[int(rng.random() < 0.5)]
        answer = yield Ask(f"Picture {i}.", Choice(("a", "b")), key=f"q{i}", truth=truth)
        time.sleep(LATER * (answer == truth))


def slow_by_place(rng):
    for i in range(6):
        four = shuffled(rng, list(rng.choice(WORDS, 4, replace=False)))
        place = int(rng.integers(4))
        time.sleep(LATER * place)
        yield Ask("Which?", Choice(four), key=f"q{i}", truth=four[place])


@pytest.mark.parametrize(
    ("leak", "words"),
    [
        (slow_when_true, "goes with the truth"),
        (slow_by_place, "goes with the place of the right option (of 4)"),
        (slow_after_a_right_answer, "tells whether the answer before was right"),
    ],
)
def test_times_that_tell_are_caught(leak, words):
    found = check_timing(trial_of(leak, options=SESSIONS))
    assert found.passed is False, found
    assert words in found.words


def slow_anyhow(rng):
    for i in range(4):
        time.sleep(0.002 * rng.random())
        yield Ask(f"Picture {i}.", Probability(), key=f"q{i}", truth=int(rng.random() < 0.5))


@pytest.mark.parametrize("honest", [good, animals, quiz, slow_anyhow])
def test_honest_times_pass(honest):
    assert check_timing(trial_of(honest, options=SESSIONS)).passed


def test_a_suspicion_must_come_true_in_other_sessions(monkeypatch):
    """Let the first sessions be slow for true ones, as a machine may be by accident, and the others not."""
    shown = Sitting.shown.func

    def slowed(sitting):
        asks = shown(sitting)
        early = sitting.number < SESSIONS.sessions
        return [replace(one, seconds=float(early and one.truth == "a")) for one in asks]

    monkeypatch.setattr(Sitting, "shown", property(slowed))
    found = check_timing(trial_of(good, options=SESSIONS))
    assert found.passed
    assert "comes true in other sessions" in found.words


def test_without_truths_no_time_tells():
    assert check_timing(trial_of(saving)).passed is None
