"""The list of lost rooms as the assistant reads it, and what it overlooks."""

from typing import Any

import numpy as np
import pytest

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.patterns import losses
from mensura.catalog.crisis.assistant.reader import Reader
from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.request import Proposal, Request
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.settings import BASE, ERRS, RADAR
from mensura.dialogue import Ask


def office_of(package: str, *, marked: bool) -> OfficeState:
    office = OfficeState(build_world(package), tools=BASE | RADAR, marked=marked)
    office.arrive(7200)
    return office


def label(radar: Radar, seen: dict[str, Any], message: str) -> dict[str, Any]:
    request = Request("label", {"messages": [message]}, known=seen)
    return Proposal().check(radar(Ask(request, Proposal(), role="assistant")))


def list_of(office: OfficeState) -> str:
    """Return which message lists the lost rooms."""
    world = office.world
    name = world.room[world.loss.rooms[0]].name
    told = [letter for letter, task in world.tasks.values() if task.kind == "crisis"]
    return next(letter.id for letter in told if name in letter.body)


@pytest.mark.parametrize("package", ["practice-1", "crisis-1"])
def test_one_message_lists_the_lost_rooms_and_is_read_as_it_was_written(package: str) -> None:
    office = office_of(package, marked=False)
    seen = Known(known(office))
    reader = Reader(seen)
    found = {id: [one.act for one in losses(letter, seen, reader)] for id, letter in seen.letters.items()}
    assert [id for id, acts in found.items() if acts] == [list_of(office)]
    for act in found[list_of(office)]:
        assert office.act("subject", act["call"], act["arguments"], now=7200).ok
    assert office.lost == office.world.portal.lost


def test_what_the_portal_marks_already_is_not_marked_again() -> None:
    office = office_of("practice-1", marked=True)
    assert label(Radar(), known(office), list_of(office))["acts"] == []


def test_the_assistant_overlooks_lost_rooms_at_the_declared_rate_and_only_the_mail_shows_which() -> None:
    office = office_of("practice-1", marked=False)
    seen, message = known(office), list_of(office)
    whole = label(Radar(), seen, message)
    assert label(Radar(errs=0.0), seen, message) == whole
    assert "crisis" in whole["labels"][message]
    missed, seeds = 0, 50
    for seed in range(seeds):
        radar = Radar()
        radar.begin(np.random.default_rng(seed))
        said = label(radar, seen, message)
        assert label(radar, seen, message) == said, "asking again must not betray an error"
        assert all(act in whole["acts"] for act in said["acts"])
        missed += len(whole["acts"]) - len(said["acts"])
    total = seeds * len(whole["acts"])
    assert abs(missed / total - ERRS) < 3 * (ERRS * (1 - ERRS) / total) ** 0.5


def test_asking_about_the_list_does_not_betray_what_was_overlooked() -> None:
    whole, partly = office_of("practice-1", marked=True), office_of("practice-1", marked=False)
    radar, message = Radar(errs=0.5), list_of(partly)
    radar.begin(np.random.default_rng(1))
    partly.propose(label(radar, known(partly), message), now=7200)
    assert 0 < len(partly.lost) < len(whole.lost)
    said = [
        radar(Ask(Request("suggest", {"message": message}, known=known(each)), Proposal(), role="assistant"))
        for each in (whole, partly)
    ]
    assert said[0] == said[1]


def test_labels_mark_lost_rooms_at_once_and_do_nothing_else() -> None:
    office = office_of("practice-1", marked=False)
    answer = label(Radar(), known(office), list_of(office))
    room = office.world.loss.rooms[0]
    other = {"call": "set_room_fact", "arguments": {"room": room, "fact": "equipment", "value": "none"}}
    before = office.facts.json()
    office.propose({**answer, "acts": [*answer["acts"], other]}, now=7200)
    assert office.lost == office.world.portal.lost
    assert office.facts.json() == before
    assert not office.proposals
