"""What the assistant says it assumes is what it believes, and looking it up settles it."""

from collections.abc import Callable
from typing import Any

import pytest

from mensura.catalog.crisis.assistant.elicitor import Elicitor
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.learned import Learned, LearnedFrom
from mensura.catalog.crisis.assistant.learning.observing import observe
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.world.conference import Conference

Asking = Callable[..., dict[str, Any]]


@pytest.fixture
def taught(office: OfficeState, small: Conference) -> Learned:
    """Give someone who has seen every room of this campus twice, as it really is."""
    rooms = [room for room in small.rooms if room.usable]
    seats = {room.id: {layout: [count, count] for layout, count in room.capacity.items()} for room in rooms}
    built_in = {room.id: [list(room.equipment)] * 2 for room in rooms}
    return Learned(elicitor={"campus": {Known(known(office)).campus: {"seats": seats, "built_in": built_in}}})


def test_what_is_known_of_the_campus_is_what_is_said_to_be_assumed(
    asking: Asking, taught: Learned, small: Conference
) -> None:
    for question in asking("elicit", taught)["ranked"]:
        room = small.room[question["room"]]
        for fact, assumed in question["facts"].items():
            true = sorted(room.equipment) if fact == "equipment" else room.capacity[fact.removeprefix("capacity.")]
            assert (sorted(assumed) if fact == "equipment" else assumed) == true


def test_whoever_knows_nothing_says_what_the_tables_say(asking: Asking, office: OfficeState) -> None:
    now = Known(known(office))
    ranked = asking("elicit")["ranked"]
    assert ranked
    for question in ranked:
        assert question["facts"] == {fact: now.table(question["room"], fact) for fact in question["facts"]}


def test_a_fact_that_was_found_as_assumed_is_still_believed(
    asking: Asking, office: OfficeState, taught: Learned
) -> None:
    elicitor = Elicitor(taught.elicitor)
    office.propose(asking("elicit", taught), now=1000)
    assert office.act("subject", "accept", {"proposal": "p1"}, now=1020).ok
    now = Known(known(office))
    assert now.confirmed
    unlike = 0
    for (room, fact), found in now.confirmed.items():
        unlike += found != now.table(room, fact)
        if fact == "equipment":
            assert elicitor.equipment(now)[room] == set(found)
        else:
            assert elicitor.seats(now)[room, fact.removeprefix("capacity.")] == found
    assert unlike, "no table differed from what is known, so nothing was tested"


def test_a_fact_that_was_found_otherwise_and_entered_takes_the_place_of_what_was_assumed(
    asking: Asking, office: OfficeState, taught: Learned
) -> None:
    answer = asking("elicit", taught)
    office.propose(answer, now=1000)
    assert office.act("subject", "accept", {"proposal": "p1"}, now=1020).ok
    room, facts = answer["ranked"][0]["room"], answer["ranked"][0]["facts"]
    fact = next(name for name in facts if name.startswith("capacity."))
    entered = {"room": room, "fact": fact, "value": "33"}
    assert office.act("subject", "set_room_fact", entered, now=1040).ok
    now = Known(known(office))
    assert now.confirmed[room, fact] == 33
    assert Elicitor(taught.elicitor).seats(now)[room, fact.removeprefix("capacity.")] == 33


def test_what_was_found_as_assumed_is_what_is_learned_again(
    asking: Asking, office: OfficeState, taught: Learned
) -> None:
    before = Known(known(office))
    office.propose(asking("elicit", taught), now=1000)
    assert office.act("subject", "accept", {"proposal": "p1"}, now=1020).ok
    after = Known(known(office))
    learned = Learned()
    observe(learned, before, after, source=LearnedFrom("small", "practice", "0" * 16, 7, after.campus))
    here = learned.elicitor["campus"][after.campus]
    for (room, fact), found in after.confirmed.items():
        said = here["built_in"][room] if fact == "equipment" else here["seats"][room][fact.removeprefix("capacity.")]
        assert said == [sorted(found) if fact == "equipment" else found]
