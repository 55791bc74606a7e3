"""The person who may accept a plan is told which rules it does not meet."""

import pytest

from mensura.catalog.crisis.assistant.elicitor import Elicitor
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.learned import read_learned
from mensura.catalog.crisis.assistant.optimiser import believed, best_plan
from mensura.catalog.crisis.assistant.role import ANSWERS, Learners
from mensura.catalog.crisis.assistant.room_finder import RoomFinder
from mensura.catalog.crisis.assistant.warning import NAMED, WORDS, unmet, warning
from mensura.catalog.crisis.office.constraint import NEEDS
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.planning.belief import believed_events
from mensura.catalog.crisis.planning.manual import believed_rules
from mensura.catalog.crisis.planning.plan import SchedulePlan, plan_of
from mensura.catalog.crisis.planning.problem import Place, PlanningProblem
from mensura.catalog.crisis.settings import BASE, RADAR


def problem_of(office: OfficeState) -> PlanningProblem:
    return believed(Known(known(office)), finder=RoomFinder([]), elicitor=Elicitor({}))


def planned(office: OfficeState, **places: Place | None) -> tuple[PlanningProblem, SchedulePlan]:
    """Plan that events go where they are said to, and all others stay."""
    problem = problem_of(office)
    return problem, plan_of(problem, {**problem.now} | places)


def test_every_kind_of_rule_can_be_said() -> None:
    assert set(WORDS) | {"placed", "stay"} == set(NEEDS)


def test_an_evening_for_a_session_of_the_day_is_named_with_its_time(office: OfficeState) -> None:
    problem, found = planned(office, papers=("terrace", 14))
    said = warning(Known(known(office)), problem, found)
    assert said.startswith(f"Not met: {Known(known(office)).events['papers']['short']} is at a time that it should not")
    assert "Wednesday 12 May, 18:30–21:30" in said


def test_rules_of_moved_events_come_first_and_only_three_are_named(office: OfficeState) -> None:
    problem, found = planned(office, papers=("l12", 14), panel=("l12", 4), board=("great", 14))
    rules = unmet(problem, found)
    moved = [rule.event in found.moved for rule in rules]
    assert moved == sorted(moved, reverse=True)
    said = warning(Known(known(office)), problem, found)
    assert len(rules) > NAMED
    assert said.count(";") == NAMED
    assert said.endswith(f"and {len(rules) - NAMED} more.")


def test_events_without_a_place_and_moves_themselves_are_not_named(office: OfficeState) -> None:
    problem, found = planned(office, papers=None)
    assert not any(
        "papers" in (rule.event, rule.other) or rule.kind in ("placed", "stay") for rule in unmet(problem, found)
    )


@pytest.mark.slow
def test_the_assistant_knows_all_that_the_manual_says_of_times_and_says_where_its_plan_does_not_keep_them() -> None:
    world = build_world("crisis-1")
    office = OfficeState(world, tools=BASE | RADAR)
    now = Known(known(office))
    mine = {
        (rule.event, rule.slots): rule.weight
        for rule in believed_rules(believed_events(now.raw), now.raw)
        if rule.leaf == "times"
    }
    assert mine == {(rule.event, rule.slots): rule.weight for rule in world.rules if rule.leaf == "times"}
    mind = Learners(read_learned("default"))
    problem = believed(now, finder=mind.finder, elicitor=mind.elicitor)
    said = warning(now, problem, best_plan(problem))
    assert "is at a time that it should not have" in said
    assert said in ANSWERS["optimise"](mind, now, {})["words"]
