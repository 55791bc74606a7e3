"""Rearranging: in which order to move events when most rooms are full."""

from collections.abc import Collection, Mapping

from mensura.catalog.crisis.schedule import Place, Placement, Schedule, cells


def next_move(
    place: Placement,
    target: Placement,
    *,
    length: Mapping[str, int],
    closed: Collection[Place] = (),
) -> tuple[str, Place | None] | None:
    """Return what to move next on the way to a target, and where to (None: off the schedule).

    A move whose room is empty comes first; where all wait for one another, one that stands in the way is taken off
    the schedule. ("", None) says that only closed slots are left to wait for; None that the target is reached.

    >>> swap = {"a": ("r", 0), "b": ("q", 0)}
    >>> next_move(swap, {"a": ("q", 0), "b": ("r", 0)}, length={"a": 1, "b": 1})
    ('b', None)
    >>> next_move({"a": ("r", 0), "b": None}, {"a": ("q", 0), "b": ("r", 0)}, length={"a": 1, "b": 1})
    ('a', ('q', 0))
    """
    pending = {event: to for event, to in target.items() if place.get(event) != to}
    if not pending:
        return None
    schedule = Schedule(place, length=length)
    blockers: list[str] = []
    for event, to in pending.items():
        if to is None:
            return event, None
        wanted = cells(to, length[event])
        if any(cell in closed for cell in wanted):
            continue
        others = schedule.occupants(wanted, but=event)
        if not others:
            return event, to
        blockers.extend(sorted(other for other in others if other in pending))
    return (blockers[0], None) if blockers else ("", None)
