"""Met: whether a schedule meets a rule. The score, the planner and simulated participants judge alike."""

from collections.abc import Mapping

from mensura.catalog.crisis.planning.problem import PlanningProblem, Venue
from mensura.catalog.crisis.schedule import Place, Schedule
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.requirement import Requirement

ALONE = ("slots", "building", "room", "stay")
"""Rules about where and when one event is, whatever the others do."""
PAIRS = ("before", "apart", "same_building")
"""Rules about two events."""


def meets(rule: Requirement, problem: PlanningProblem, schedule: Schedule) -> bool:
    """Return whether a schedule meets a rule; rules about supplies are judged by orders instead.

    An event without a place meets none of its rules.
    """
    if rule.kind == "away":
        return all(
            event.id in schedule.place and set(rule.slots).isdisjoint(schedule.slots(event.id))
            for event in problem.events
            if rule.person in event.people
        )
    place = schedule.place.get(rule.event)
    if place is None:
        return False
    if rule.kind == "placed":
        return not schedule.rivals(rule.event)
    if rule.kind == "capacity":
        return holds(problem.venue[place[0]], problem.event[rule.event])
    if rule.kind == "speakers":
        return not any(schedule.together(rule.event, other) for other in problem.shared[rule.event])
    if rule.kind == "alone":
        return all(problem.event[other].kind == "exhibit" for other in schedule.meanwhile(rule.event))
    if rule.kind in ALONE:
        return met_alone(rule, place, building=problem.venue[place[0]].building, announced=problem.event[rule.event])
    there = schedule.place.get(rule.other)
    return there is not None and met_by_both(rule, place, there, length=schedule.length, building=problem.building)


def holds(venue: Venue, event: ConferenceEvent) -> bool:
    """Return whether a room holds the event's people in its layout."""
    return venue.capacity.get(event.layout, -1) >= event.attendance


def met_alone(rule: Requirement, place: Place, *, building: str, announced: ConferenceEvent | None = None) -> bool:
    """Return whether an event at a place meets a rule about that event only."""
    if rule.kind == "slots":
        return place[1] in rule.slots
    if rule.kind == "building":
        return building == rule.place
    if rule.kind == "room":
        return place[0] == rule.place
    return announced is None or place == (announced.room, announced.slot)


def met_by_both(
    rule: Requirement, place: Place, there: Place, *, length: Mapping[str, int], building: Mapping[str, str]
) -> bool:
    """Return whether two events at their places meet a rule about both of them."""
    if rule.kind == "same_building":
        return building[place[0]] == building[there[0]]
    over = place[1] + length[rule.event] <= there[1]
    return over or (rule.kind == "apart" and there[1] + length[rule.other] <= place[1])
