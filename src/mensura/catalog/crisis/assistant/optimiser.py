"""The optimiser: from beliefs to a schedule, and from the schedule to acts that bring it about."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import prod

from mensura.catalog.crisis.act import Act, call, vendor_act, when
from mensura.catalog.crisis.assistant.elicitor import Elicitor
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.room_finder import RoomFinder, owner_features
from mensura.catalog.crisis.planning.met import PAIRS
from mensura.catalog.crisis.planning.model import choices
from mensura.catalog.crisis.planning.plan import SchedulePlan, plan
from mensura.catalog.crisis.planning.problem import PlanningProblem, TradeOffs
from mensura.catalog.crisis.planning.rearranging import next_move
from mensura.catalog.crisis.planning.worth import usable, worth
from mensura.catalog.crisis.schedule import Place, Placement, cells, span
from mensura.catalog.crisis.world.time import SLOTS

WORK = 0.8
"""Counted work for one plan; about a second with everything around it."""
BELIEVED = TradeOffs(money=0.003, bump=0.4, move=0.1)
"""Moving makes work for people, so it costs an assistant more than an oracle; chances of a refusal are apart."""


def believed(known: Known, *, finder: RoomFinder, elicitor: Elicitor) -> PlanningProblem:
    """Write down what the assistant believes, as a problem."""
    return PlanningProblem.from_office_known(
        known.raw,
        chance=lambda room, held: finder.chance(owner_features(known, room, held)),
        capacity=elicitor.seats(known),
        equipment=elicitor.equipment(known),
        prices=BELIEVED,
    )


@dataclass(frozen=True)
class _Asked:
    """A problem by all that it says: problems hold dictionaries, and cannot be looked up themselves."""

    words: str
    problem: PlanningProblem = field(compare=False)


@lru_cache(maxsize=64)
def _planned(asked: _Asked) -> SchedulePlan:
    return plan(asked.problem, work=WORK)


def best_plan(problem: PlanningProblem) -> SchedulePlan:
    """Plan; the same beliefs in the same office are planned for once only."""
    return _planned(_Asked(repr(problem), problem))


def acts_of(problem: PlanningProblem, found: SchedulePlan, *, asked: frozenset[Place] = frozenset()) -> list[Act]:
    """Return the acts that bring a plan about as far as can be now: ask, make way, move, then see to orders.

    Events that wait for an owner's answer stay where they are, and so do their orders.
    """
    acts = [call("ask_room", room=room, **when(slot)) for room, slot in found.asks if (room, slot) not in asked]
    place = dict(problem.now)
    closed = set(found.asks)
    while (step := next_move(place, found.placement, length=problem.length, closed=closed)) is not None and step[0]:
        event, target = step
        if target is None:
            acts.append(call("unschedule", event=event))
        else:
            acts.append(call("move", event=event, room=target[0], **when(target[1])))
        place[event] = target
    there = {event for event, target in found.placement.items() if place[event] == target}
    acts += [vendor_act(errand) for errand in found.errands if errand.event in there]
    return acts


def waiting(problem: PlanningProblem, found: SchedulePlan) -> list[str]:
    """Name the events that cannot be moved before an owner has answered."""
    return problem.schedule(found.placement).inside(found.asks)


def likely_places(problem: PlanningProblem, *, most: int = 3) -> list[tuple[str, Place, float]]:
    """Return where each event is likely to be: (event, place, chance). What lost its place may go to any of the best.

    Planning for every question would be exact and slow; which rooms matter is seen without it.
    """
    found: list[tuple[str, Place, float]] = []
    for event in problem.events:
        now = problem.now[event.id]
        if now is not None and usable(problem, event, now):
            found.append((event.id, now, 1.0))
            continue
        best = sorted(choices(problem, event, keep=2), key=lambda choice: (-choice.gain, choice.place))
        rooms = list(dict.fromkeys(choice.place[0] for choice in best))[:most]
        found += [(event.id, (room, 0), 1 / len(rooms)) for room in rooms]
    return found


def places_for(problem: PlanningProblem, event: str, *, most: int = 5) -> list[tuple[Place, float, float]]:
    """Rank the places that an event could take while all others stay: (place, gain, chance of getting it).

    Times that the manual forbids are left out, unless there are no others.
    """
    forbidden = {
        slot
        for rule in problem.rules
        if rule.event == event and rule.kind == "slots" and rule.leaf == "times"
        for slot in range(SLOTS)
        if slot not in rule.slots
    }
    schedule, length = problem.schedule(problem.now), problem.length[event]
    found = []
    for choice in choices(problem, problem.event[event], keep=len(problem.venues)):
        wanted = cells(choice.place, length)
        if schedule.occupants(wanted, but=event):
            continue
        clash = _clashes(problem, event, {**problem.now, event: choice.place})
        chance = prod(problem.venue[room].chance[slot] for room, slot in wanted)
        found.append((choice.place, choice.gain / 10_000 - clash, chance))
    allowed = [one for one in found if forbidden.isdisjoint(span(one[0][1], length))]
    return sorted(allowed or found, key=lambda one: (-one[1], one[0]))[:most]


def _clashes(problem: PlanningProblem, event: str, placement: Placement) -> float:
    """Weigh the rules between events that would be broken."""
    near = [
        rule
        for rule in problem.rules
        if rule.kind in (*PAIRS, "speakers", "away", "alone")
        and (event in (rule.event, rule.other) or rule.kind in ("away", "alone"))
    ]
    met = worth(replace(problem, rules=tuple(near)), placement).met
    return sum(rule.weight for rule in near if rule.id not in met)
