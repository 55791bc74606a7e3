"""Replay: the office of a record, brought back by giving its logged acts again."""

from mensura.catalog.crisis.office.office import Office
from mensura.catalog.crisis.settings import find_condition
from mensura.catalog.crisis.world.world import World
from mensura.dialogue import Record


def office_of(record: Record, *, world: World | None = None, until: int | None = None) -> Office:
    """Bring back the office as a record leaves it.

    Parameters
    ----------
    record
        A session of the crisis; every answer of subject, helper and assistant is in it.
    world
        The world, where it is at hand; else it is built from the record's package.
    until
        Leave out what was done after this tick, for the state in the middle.
    """
    if world is None:
        from mensura.catalog.crisis.packages.build import build_world

        world = build_world(record.parameters["package"])
    condition = find_condition(record.parameters["condition"])
    office = Office(world, tools=condition.tools, checks=condition.checks)
    last = 0
    for answer in record.answers:
        if until is not None and answer.tick > until:
            break
        last = max(last, answer.tick)
        if answer.role == "assistant":
            office.propose(answer.value if answer.status == "answered" else None, now=answer.tick)
        elif answer.status == "answered":
            office.act(answer.role, answer.value["call"], answer.value["arguments"], now=answer.tick)
    office.arrive(last if until is None else until)
    return office
