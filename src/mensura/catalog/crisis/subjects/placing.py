"""Placing by hand: how a simulated participant chooses a room and a time for an event."""

from dataclasses import dataclass

import numpy as np

from mensura.catalog.crisis.schedule import Place, cells
from mensura.catalog.crisis.subjects.memory import Memory
from mensura.catalog.crisis.subjects.traits import Traits
from mensura.catalog.crisis.subjects.view import OfficeView
from mensura.catalog.crisis.world.programme.event import HEAVY
from mensura.catalog.crisis.world.time import SLOTS, day_of, fits

CONSIDERED = 70
"""Of all places, someone of full skill looks at so many."""


@dataclass(frozen=True)
class Prospect:
    """A place for an event, and whom one must ask for it first."""

    room: str
    slot: int
    asks: tuple[Place, ...]


def choose(
    event: str, *, screen: OfficeView, memory: Memory, traits: Traits, rng: np.random.Generator, shun: set[Place]
) -> Prospect | None:
    """Choose a place among those one happens to look at, by what one happens to think of.

    Each consideration (is it big enough, is a speaker elsewhere then, does it break a rule) comes to mind with a
    chance equal to the skill; what does not come to mind is not weighed.
    """
    thinks = {name: rng.random() < traits.skill for name in ("size", "speakers", "rules", "alone", "taken")}
    free = [
        (room, slot)
        for room in screen.let
        for slot in range(SLOTS)
        if (room, slot) not in shun and fits(slot, screen.events[event]["length"])
    ]
    most = max(10, round(CONSIDERED * traits.skill))
    begin = screen.events[event]["original"][1]
    # People look first at the time at which it was, and then anywhere.
    looked = [at for at in free if at[1] == begin]
    others = [at for at in free if at[1] != begin]
    if len(others) > most:
        others = [others[place] for place in rng.choice(len(others), most, replace=False)]
    best: tuple[float, Prospect] | None = None
    for at in looked + others:
        weighed = _weigh(event, at, screen=screen, memory=memory, thinks=thinks)
        if weighed is None:
            continue
        cost = weighed[0] + float(rng.gumbel()) * 0.3 * (1 - traits.skill)
        if best is None or cost < best[0]:
            best = cost, Prospect(*at, weighed[1])
    return best[1] if best is not None and best[0] < 6 else None


def _weigh(
    event: str, at: Place, *, screen: OfficeView, memory: Memory, thinks: dict[str, bool]
) -> tuple[float, tuple[Place, ...]] | None:
    """Weigh a place; None where it cannot be had."""
    room, held = at[0], screen.events[event]
    wanted = cells(at, held["length"])
    statuses = [screen.portal.status(cell) for cell in wanted]
    if "lost" in statuses or "closed" in statuses or not screen.refused.isdisjoint(wanted):
        return None
    if thinks["taken"] and screen.schedule.occupants(wanted, but=event):
        return None
    asks = [cell for cell, status in zip(wanted, statuses, strict=True) if status == "held"]
    layout = screen.raw["facts"]["layout"][event]
    cost = (
        0.7 * len(asks) + 0.15 * (at[1] != held["original"][1]) + 0.15 * (day_of(at[1]) != day_of(held["original"][1]))
    )
    cost += screen.let[room]["price"] / 400
    seats, comes = memory.seats(screen, room, layout), memory.comes(screen, event)
    if thinks["size"]:
        cost += 3.0 * (seats < comes) + 0.2 * max(0.0, seats / max(comes, 1) - 2)
    built_in = memory.built_in(screen, room)
    cost += sum(0.35 for item in memory.wants(screen, event) if item not in built_in)
    during = {other for _, slot in wanted for other in screen.schedule.during.get(slot, ()) if other != event}
    if thinks["speakers"]:
        people = screen.needed[event]
        cost += sum(1.5 for other in during if people & screen.needed[other])
    if thinks["alone"]:
        kinds = [screen.events[other]["kind"] for other in during]
        if held["kind"] in HEAVY:
            cost += 0.5 * sum(kind != "exhibit" for kind in kinds)
        elif held["kind"] != "exhibit":
            cost += sum(2.0 for kind in kinds if kind in HEAVY)
    if thinks["rules"]:
        cost += memory.broken(screen, event, at)
    return cost, tuple(asks)
