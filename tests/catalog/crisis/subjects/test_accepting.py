"""Accepting what the assistant proposes, unread; `python -m benchmarks.crisis checking` compares over 30 seeds."""

from dataclasses import replace
from typing import Any

import pytest

from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.replay import office_of
from mensura.catalog.crisis.scoring.snapshot import standing_of
from mensura.catalog.crisis.scoring.tree import grade
from mensura.catalog.crisis.scoring.weights import our_weights
from mensura.catalog.crisis.subjects.accepting import Accepting
from mensura.catalog.crisis.subjects.participant import Participant
from mensura.running.take import take


def left(condition: str, *, package: str = "crisis-1", **cast: Any) -> OfficeState:
    """Return the office that someone leaves."""
    return office_of(take(crisis, cast, seed=1, parameters={"condition": condition, "package": package}).record)


def parts(office: OfficeState, *, shown: int = 1) -> dict[str, float]:
    """Return the scores, with so many items of what every page shows counted in the briefing."""
    return grade(standing_of(office), weights=replace(our_weights(), shown=shown)).parts


@pytest.fixture(scope="module")
def unread() -> OfficeState:
    return left("radar+l", subject=Accepting(), assistant=Radar())


@pytest.fixture(scope="module")
def by_hand() -> OfficeState:
    return left("cots", subject=Participant())


@pytest.mark.parametrize("shown", [1, 2])
def test_accepting_everything_unread_scores_below_working_by_hand(
    unread: OfficeState, by_hand: OfficeState, shown: int
) -> None:
    assert parts(unread, shown=shown)["final"] < parts(by_hand, shown=shown)["final"] - 0.01
    assert parts(unread)["web"] == 0, "what mail asks for was not read"
    assert parts(by_hand)["briefing"] > 0.9


def test_whoever_accepts_unread_leaves_events_in_rooms_that_the_assistant_overlooked(unread: OfficeState) -> None:
    lost = unread.world.portal.lost
    overlooked = lost - unread.lost
    assert overlooked
    assert unread.lost < lost
    assert not unread.schedule.inside(unread.lost), "by what the pages show, all is well"
    assert unread.schedule.inside(overlooked)


def test_an_assistant_that_misreads_nothing_leaves_nobody_in_lost_rooms() -> None:
    office = left("radar+l", package="practice-1", subject=Accepting(), assistant=Radar(errs=0.0))
    assert office.lost == office.world.portal.lost
    assert not office.schedule.inside(office.lost)
