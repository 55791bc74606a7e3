"""Roles that a test plays itself unless someone else is cast."""

import pytest

from mensura.dialogue import Ask, Choice, Round, test
from mensura.errors import BadParameter
from mensura.running.run import run
from mensura.running.take import take
from mensura.store import open_store

SPACE = Choice(("left", "right"))


def to_the_left():
    return lambda ask: "left"


@test("advised-v1", roles=("subject", "assistant"), played={"assistant": "leftist"}, subjects={"leftist": to_the_left})
def advised(rng):
    """Ask two at once."""
    yield Round([Ask("Where?", SPACE, key="mine"), Ask("Where?", SPACE, key="advice", role="assistant")])


def rightist(ask):
    return "right"


def test_one_subject_takes_only_the_roles_that_the_test_does_not_play():
    assert take(advised, rightist, seed=1).record.given() == {"mine": "right", "advice": "left"}


def test_whoever_is_cast_for_a_played_role_plays_it():
    cast = {"subject": rightist, "assistant": rightist}
    assert take(advised, cast, seed=1).record.given() == {"mine": "right", "advice": "right"}


def test_a_run_stores_who_played_each_role(tmp_path):
    with open_store(f"sqlite:///{tmp_path}/lab.db") as store:
        result = run(advised, "chance", store=store, seed=1)
    assert result.head.cast == {"subject": "chance", "assistant": "leftist"}


def test_roles_that_nobody_plays_are_still_missed(tmp_path):
    with open_store(f"sqlite:///{tmp_path}/lab.db") as store, pytest.raises(BadParameter, match="subject has no"):
        run(advised, {"assistant": "chance"}, store=store, seed=1)
