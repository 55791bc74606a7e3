"""Worth: which rules a placement meets, what it costs, and what it is worth together; the score's own arithmetic."""

from dataclasses import dataclass

from mensura.catalog.crisis.planning.met import meets
from mensura.catalog.crisis.planning.problem import PlanningProblem
from mensura.catalog.crisis.planning.supply import Errand, supply
from mensura.catalog.crisis.schedule import Place, Placement, cells, span
from mensura.catalog.crisis.world.programme.event import ConferenceEvent
from mensura.catalog.crisis.world.time import fits


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


def worth(problem: PlanningProblem, placement: Placement) -> Worth:
    """Evaluate a placement by counting, without the optimiser.

    An event in a room that it cannot have is nowhere: as in the score, it meets none of its rules.
    """
    placed = {
        event: place
        for event, place in placement.items()
        if place is not None and usable(problem, problem.event[event], place)
    }
    schedule = problem.schedule(placed)
    supplies = {event: supply(problem, problem.event[event], place) for event, place in placed.items()}
    met = frozenset(
        rule.id
        for rule in problem.rules
        if (
            rule.event in supplies and rule.id in supplies[rule.event].met
            if rule.kind in ("equipment", "catering")
            else meets(rule, problem, schedule)
        )
    )
    asks = tuple(
        sorted(
            cell
            for event, place in placed.items()
            for cell in cells(place, problem.length[event])
            if cell in problem.held
        )
    )
    moves = sum(changes(problem.now[event], place) for event, place in placed.items())
    paid = [supplies[event].money + rent(problem, event, place) for event, place in placed.items()]
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


def changes(now: Place | None, place: Place) -> int:
    """Count what a move changes of an event: room, time, or both; each must be told to people and to the site."""
    return 2 if now is None else (place[0] != now[0]) + (place[1] != now[1])


def rent(problem: PlanningProblem, event: str, place: Place) -> float:
    """Return what the room costs beyond what the event's room cost until now."""
    now = problem.now[event]
    before = problem.venue[now[0]].price if now and now[0] in problem.venue else 0.0
    return (problem.venue[place[0]].price - before) * problem.length[event]


def usable(problem: PlanningProblem, event: ConferenceEvent, place: Place) -> bool:
    """Return whether the event can be there at all: a room that exists, blocks of one day, slots that can be had."""
    room, slot = place
    venue = problem.venue.get(room)
    return (
        venue is not None
        and fits(slot, event.length)
        and all(venue.chance.get(each, 0.0) > 0 for each in span(slot, event.length))
    )
