from mensura.catalog.crisis.assistant.elicitor import Elicitor
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.learned import Learned
from mensura.catalog.crisis.assistant.optimiser import acts_of, believed, places_for, waiting
from mensura.catalog.crisis.assistant.role import Radar
from mensura.catalog.crisis.assistant.room_finder import RoomFinder
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.request import Proposal, Request
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.planning.plan import plan_of
from mensura.catalog.crisis.settings import BASE, RADAR
from mensura.catalog.crisis.world.time import EVENING, block_of
from mensura.dialogue import Ask


def test_an_owner_is_asked_first_and_the_event_moves_once_the_answer_is_yes(office: OfficeState) -> None:
    problem = believed(Known(known(office)), finder=RoomFinder([]), elicitor=Elicitor({}))
    placement = {**problem.now} | {"keynote": ("auditorium", 5)}
    found = plan_of(problem, placement)
    acts = acts_of(problem, found)
    assert acts[0] == {"call": "ask_room", "arguments": {"room": "auditorium", "day": 2, "block": 1}}
    assert "keynote" in waiting(problem, found)
    assert not any(act["call"] == "move" and act["arguments"]["event"] == "keynote" for act in acts)


def test_a_refusal_is_not_asked_for_again(office: OfficeState) -> None:
    office.act("subject", "ask_room", {"room": "auditorium", "day": 2, "block": 3}, now=1000)
    office.arrive(2000)
    problem = believed(Known(known(office)), finder=RoomFinder([]), elicitor=Elicitor({}))
    assert 7 not in problem.venue["auditorium"].chance
    assert ("auditorium", 7) not in problem.held


def test_a_slot_that_was_given_up_is_as_good_as_free(office: OfficeState) -> None:
    office.act("subject", "ask_room", {"room": "auditorium", "day": 2, "block": 1}, now=1000)
    office.arrive(2000)
    problem = believed(Known(known(office)), finder=RoomFinder([]), elicitor=Elicitor({}))
    assert problem.venue["auditorium"].chance[5] == 1.0
    assert ("auditorium", 5) not in problem.held


def test_an_owner_who_is_likely_to_yield_ranks_before_one_who_is_not(office: OfficeState) -> None:
    rows = [[["post training officer"], True]] * 12 + [[["post director"], False]] * 12
    office.act("subject", "set_event_fact", {"event": "keynote", "fact": "attendance", "value": "100"}, now=1000)
    request = Request("find_room", {"event": "keynote"}, known=known(office))
    answer = Radar(Learned(room_finder=rows))(Ask(request, Proposal(), role="assistant"))
    finder = RoomFinder(rows)
    assert finder.chance(["post training officer"]) > 0.8 > 0.2 > finder.chance(["post director"])
    assert all(place["chance"] > 0.5 for place in answer["ranked"])


def test_no_evening_is_found_for_what_the_manual_wants_by_day() -> None:
    world = build_world("practice-1")
    office = OfficeState(world, tools=BASE | RADAR)
    office.arrive(1000)
    problem = believed(Known(known(office)), finder=RoomFinder([]), elicitor=Elicitor({}))
    for event in world.events:
        if event.kind not in ("plenary", "papers", "panel", "social"):
            continue
        found = places_for(problem, event.id, most=400)
        if event.kind != "social":
            assert found
            assert not any(block_of(slot) == EVENING for (_, slot), _, _ in found), event.id
        else:
            assert all(block_of(slot) == EVENING for (_, slot), _, _ in found), event.id
