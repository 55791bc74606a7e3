"""Worth: which rules a placement meets, what it costs, and what it is worth together; the score's own arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass

from mensura.catalog.crisis.planning.problem import Place, Problem, Session, covered, shared_people
from mensura.catalog.crisis.planning.supply import Errand, holds, supply
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.time import fits

Placement = Mapping[str, Place | None]


@dataclass(frozen=True, slots=True)
class Worth:
    """What a placement is worth, once its errands are done and the owners it needs have been asked."""

    met: frozenset[str]
    quality: float
    """Weight of the rules met over the weight of all."""
    money: float
    asks: tuple[Place, ...]
    """Rooms and slots for which an owner must be asked."""
    moves: int
    errands: tuple[Errand, ...]
    value: float
    """Weight met − money − asks − moves, at the problem's prices. What an event saves pays for no other: the score
    rewards nobody for spending less than a good schedule needs."""


def worth(problem: Problem, placement: Placement) -> Worth:
    """Evaluate a placement by counting, without the optimiser.

    An event in a room that it cannot have is nowhere: as in the score, it meets none of its rules.
    """
    placement = {
        event: place if place is not None and usable(problem, problem.session[event], place) else None
        for event, place in placement.items()
    }
    taken = _taken(problem, placement)
    supplies = {
        event: supply(problem, problem.session[event], place) for event, place in placement.items() if place is not None
    }
    shared = shared_people(problem.sessions)
    met = frozenset(
        rule.id
        for rule in problem.rules
        if (
            rule.event in supplies and rule.id in supplies[rule.event].met
            if rule.kind in ("equipment", "catering")
            else meets(rule, problem, placement, taken=taken, shared=shared)
        )
    )
    asks = tuple(
        sorted(
            (place[0], slot)
            for event, place in placement.items()
            if place is not None
            for slot in covered(place[1], problem.session[event].length)
            if must_ask(problem, place[0], slot)
        )
    )
    moves = sum(changes(problem.session[event], place) for event, place in placement.items() if place is not None)
    paid = [
        supplies[event].money + rent(problem, event, place) for event, place in placement.items() if place is not None
    ]
    weight = sum(rule.weight for rule in problem.rules if rule.id in met)
    prices, spent = problem.prices, sum(max(0.0, each) for each in paid)
    return Worth(
        met=met,
        quality=weight / problem.weight if problem.weight else 1.0,
        money=sum(paid),
        asks=asks,
        moves=moves,
        errands=tuple(errand for event in sorted(supplies) for errand in supplies[event].errands),
        value=weight - prices.money * spent - prices.bump * len(asks) - prices.move * moves,
    )


def changes(session: Session, place: Place) -> int:
    """Count what a move changes of an event: room, time, or both; each must be told to people and to the site."""
    return 2 if session.now is None else (place[0] != session.now[0]) + (place[1] != session.now[1])


def must_ask(problem: Problem, room: str, slot: int) -> bool:
    """Say whether someone must be asked for the slot."""
    return (room, slot) in problem.held


def rent(problem: Problem, event: str, place: Place) -> float:
    """Say what the room costs beyond what the event's room cost until now."""
    session = problem.session[event]
    before = problem.venue[session.now[0]].price if session.now and session.now[0] in problem.venue else 0.0
    return (problem.venue[place[0]].price - before) * session.length


def usable(problem: Problem, session: Session, place: Place) -> bool:
    """Say whether the event can be there at all: the room exists, the blocks are of one day, the slots can be had."""
    room, slot = place
    venue = problem.venue.get(room)
    return (
        venue is not None
        and fits(slot, session.length)
        and all(venue.chance.get(each, 0.0) > 0 for each in covered(slot, session.length))
    )


def meets(
    rule: Requirement,
    problem: Problem,
    placement: Placement,
    *,
    taken: Mapping[Place, int],
    shared: Mapping[str, frozenset[str]],
) -> bool:
    """Say whether a placement meets a rule; rules about supplies are judged by the errands instead."""
    if rule.kind == "away":
        theirs = [session for session in problem.sessions if rule.person in session.people]
        return all(
            (there := placement.get(session.id)) is not None
            and not set(rule.slots) & set(covered(there[1], session.length))
            for session in theirs
        )
    session = problem.session.get(rule.event)
    place = placement.get(rule.event)
    if session is None or place is None:
        return False
    room, slot = place
    if rule.kind == "placed":
        return usable(problem, session, place) and all(taken[room, each] == 1 for each in covered(slot, session.length))
    if rule.kind == "capacity":
        return room in problem.venue and holds(problem.venue[room], session)
    if rule.kind == "slots":
        return slot in rule.slots
    if rule.kind == "building":
        return room in problem.venue and problem.venue[room].building == rule.place
    if rule.kind == "room":
        return room == rule.place
    if rule.kind == "stay":
        return place == problem.original.get(rule.event, session.now)
    if rule.kind == "speakers":
        return not any(_overlap(problem, placement, rule.event, other) for other in shared[rule.event])
    if rule.kind == "alone":
        return not any(
            _overlap(problem, placement, rule.event, other.id)
            for other in problem.sessions
            if other.id != rule.event and other.id not in problem.neighbours
        )
    there = placement.get(rule.other)
    if there is None:
        return False
    if rule.kind == "before":
        return slot + session.length <= there[1]
    if rule.kind == "apart":
        return not _overlap(problem, placement, rule.event, rule.other)
    if rule.kind == "same_building":
        both = (problem.venue.get(room), problem.venue.get(there[0]))
        return both[0] is not None and both[1] is not None and both[0].building == both[1].building
    raise AssertionError(f"There is no rule of the kind {rule.kind!r}.")


def _taken(problem: Problem, placement: Placement) -> dict[Place, int]:
    taken: dict[Place, int] = {}
    for event, place in placement.items():
        if place is not None:
            for slot in covered(place[1], problem.session[event].length):
                taken[place[0], slot] = taken.get((place[0], slot), 0) + 1
    return taken


def _overlap(problem: Problem, placement: Placement, event: str, other: str) -> bool:
    here, there = placement.get(event), placement.get(other)
    if here is None or there is None:
        return False
    mine, theirs = problem.session[event].length, problem.session[other].length
    return here[1] < there[1] + theirs and there[1] < here[1] + mine
