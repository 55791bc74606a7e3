"""Every learner can be left out by itself, and then the assistant answers otherwise than with all of them."""

from typing import Any

import pytest

from mensura.catalog.crisis.assistant.learning.learned import LEARNERS, Learned, read_learned
from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.request import Proposal, Request
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.settings import BASE, RADAR
from mensura.dialogue import Ask

KIND_OF = {
    "classifier": "label",
    "extractor": "suggest",
    "elicitor": "elicit",
    "room_finder": "find_room",
    "workflow": "batch",
    "drafter": "draft",
}
"""Learner → a request whose answer shows what it learned."""


@pytest.fixture(scope="module")
def office() -> OfficeState:
    """Give an office of a package that nothing was learned from, its mail there and two events moved by hand."""
    world = build_world("practice-1")
    office = OfficeState(world, tools=BASE | RADAR, checks=False)
    office.arrive(world.minutes * 60)
    room = next(room.id for room in world.rooms if room.usable)
    for event in [event for event in world.events if event.kind == "papers"][:2]:
        said = office.act("subject", "move", {"event": event.id, "room": room, "day": 4, "block": 1}, now=office.now)
        assert said.ok, said.words
    return office


def answers(office: OfficeState, learner: str, *, learned: str, ablate: tuple[str, ...]) -> list[Any]:
    """Ask for all that could show what a learner knows."""
    kind = KIND_OF[learner]
    new = [letter.id for letter in office.index.letters if letter.tick >= 0]
    abouts: dict[str, list[dict[str, Any]]] = {
        "label": [{"messages": new}],
        "suggest": [{"message": message} for message in new],
        "find_room": [{"event": event.id} for event in office.world.events[:6]],
    }
    seen = known(office)
    return [
        Radar()(Ask(Request(kind, about, learned, ablate, seen), Proposal(), role="assistant"))
        for about in abouts.get(kind, [{}])
    ]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_that_is_left_out_is_missed(office: OfficeState, learner: str) -> None:
    whole = answers(office, learner, learned="default", ablate=())
    assert answers(office, learner, learned="default", ablate=(learner,)) != whole


@pytest.mark.parametrize("learner", LEARNERS)
def test_with_one_learner_only_that_one_differs_from_no_learning(office: OfficeState, learner: str) -> None:
    others = tuple(name for name in LEARNERS if name != learner)
    alone = answers(office, learner, learned="default", ablate=others)
    nothing = answers(office, learner, learned="", ablate=())
    assert alone != nothing
    assert answers(office, learner, learned="default", ablate=LEARNERS) == nothing


def test_what_is_left_out_is_empty_and_the_rest_is_as_it_was() -> None:
    whole = read_learned("default")
    for learner in LEARNERS:
        without = whole.without([learner])
        assert getattr(without, learner) == getattr(Learned(), learner)
        assert all(getattr(without, name) is getattr(whole, name) for name in LEARNERS if name != learner)
        assert getattr(whole, learner) != getattr(Learned(), learner)
