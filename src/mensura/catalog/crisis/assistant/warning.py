"""Warning: which rules that the assistant knows a plan does not meet, in words for the person who may accept it."""

from collections.abc import Mapping

from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.planning.plan import SchedulePlan
from mensura.catalog.crisis.planning.problem import PlanningProblem
from mensura.catalog.crisis.world.requirement import Requirement

NAMED = 3
"""So many are named; all others are counted."""
MEANT = ("placed", "stay")
"""What is said otherwise: events without a place are named, and that events move is what a plan is for."""
WORDS: Mapping[str, str] = {
    "capacity": "{event} has too few seats",
    "equipment": "{event} has no {item}",
    "catering": "{event} has no catering",
    "speakers": "{event} has people who are elsewhere then",
    "away": "{person} is away at the time of an event",
    "slots": "{event} is at a time that it should not have ({when})",
    "before": "{event} is not before {other}",
    "apart": "{event} and {other} are at the same time",
    "same_building": "{event} and {other} are in different buildings",
    "building": "{event} is not in {place}",
    "room": "{event} is not in {place}",
    "alone": "{event} is not alone",
}


def unmet(problem: PlanningProblem, found: SchedulePlan) -> list[Requirement]:
    """Return the rules that a plan does not meet: those of events that it moves first, then the weightiest.

    Rules of events that have no place at all are left out.
    """
    moved = frozenset(found.moved)
    rules = [
        rule
        for rule in problem.rules
        if rule.id not in found.met
        and rule.kind not in MEANT
        and all(found.placement.get(event) is not None for event in (rule.event, rule.other) if event)
    ]
    return sorted(rules, key=lambda rule: (rule.event not in moved, -rule.weight))


def warning(known: Known, problem: PlanningProblem, found: SchedulePlan) -> str:
    """Return in a sentence which rules a plan does not meet; empty where it meets all."""
    rules = unmet(problem, found)
    if not rules:
        return ""
    words = "; ".join(_words(known, rule, found) for rule in rules[:NAMED])
    more = len(rules) - NAMED
    return f"Not met: {words}{f'; and {more} more' if more > 0 else ''}."


def _words(known: Known, rule: Requirement, found: SchedulePlan) -> str:
    houses = {house["id"]: str(house["name"]) for house in known.raw["buildings"]}
    rooms = {id: str(room["name"]) for id, room in known.rooms.items()}
    place = found.placement.get(rule.event)
    return WORDS[rule.kind].format(
        event=known.events[rule.event]["short"] if rule.event else "",
        other=known.events[rule.other]["short"] if rule.other else "",
        person=known.people[rule.person]["name"] if rule.person else "",
        place=(houses | rooms).get(rule.place, rule.place),
        item=rule.item,
        when=known.when(place[1]) if place is not None else "",
    )
