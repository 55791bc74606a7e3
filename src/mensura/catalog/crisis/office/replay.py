"""Replay: the office of a record, brought back by giving its logged acts again."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.settings import CONDITIONS, Workplace, find_condition
from mensura.catalog.crisis.survey.survey import PREFIX as SURVEY
from mensura.catalog.crisis.world.conference import Conference
from mensura.dialogue import Record
from mensura.dialogue.canonical import canonical
from mensura.once import once


def office_of(
    record: Record, *, world: Conference | None = None, condition: Workplace | None = None, until: int | None = None
) -> OfficeState:
    """Bring back the office as a record leaves it.

    Parameters
    ----------
    record
        A session of the crisis; every answer of subject, helper and assistant is in it.
    world
        The world, where it is at hand; else it is built from the record's package.
    condition
        What the subject had to work with, where it is at hand; else it is found by the record's name or file of it.
    until
        Leave out what was done after this tick, for the state in the middle.
    """
    world = world or world_of(record, {})
    has = condition or condition_of(record, {})
    office = OfficeState(world, tools=has.tools, checks=has.checks, marked=has.assistant == "none")
    last = 0
    for answer in record.answers:
        if until is not None and answer.tick > until:
            break
        if answer.key.startswith(SURVEY):
            continue
        last = max(last, answer.tick)
        if answer.role == "assistant":
            office.propose(answer.value if answer.status == "answered" else None, now=answer.tick)
        elif answer.status == "answered":
            office.act(answer.role, answer.value["call"], answer.value["arguments"], now=answer.tick)
    office.arrive(last if until is None else until)
    return office


def truth_of(world: Conference, package: str, *, learned: str = "", condition: str = "agent") -> dict[str, Any]:
    """Return what scoring must know: which world it was, and the checksum of what the assistant had learned.

    Of a package that is not shipped it is all of it, and of a condition of one's own as well, so that the record can
    be scored elsewhere.
    """
    from mensura.catalog.crisis.packages.find import find_package, shipped

    told: dict[str, Any] = {"package": package, "name": world.name, "hash": world.hash}
    if learned:
        told["learned"] = learned
    if condition not in CONDITIONS:
        has = find_condition(condition)
        told["condition"] = {**has.data(), "tools": sorted(has.tools)}
    return told if package in shipped() else {**told, "data": find_package(package).data()}


def world_of(record: Record, truths: Mapping[str, Any]) -> Conference:
    """Build the world in which a session was taken, also where a package file of one's own is no longer there."""
    from mensura.catalog.crisis.packages.build import build_world

    told = truths.get("world") or {}
    return _rebuilt(canonical(told["data"])) if "data" in told else build_world(record.parameters["package"])


def condition_of(record: Record, truths: Mapping[str, Any]) -> Workplace:
    """Find the condition of a session, also where a file of one's own is no longer there or was changed since."""
    told = truths.get("world") or {}
    if "condition" in told:
        return Workplace.model_validate(told["condition"])
    return find_condition(record.parameters["condition"])


@once(most=8)
def _rebuilt(data: str) -> Conference:
    from mensura.catalog.crisis.packages.build import make, with_floors
    from mensura.catalog.crisis.packages.package import Package

    package = Package.model_validate_json(data)
    return with_floors(make(package), package)
