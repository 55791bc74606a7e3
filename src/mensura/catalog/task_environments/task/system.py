"""System: blocks under one name, which may hold further systems."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from mensura.catalog.task_environments.task.body import Body
from mensura.catalog.task_environments.task.motor import Motor
from mensura.catalog.task_environments.task.quantity import FORBID
from mensura.catalog.task_environments.task.sensor import Sensor
from mensura.catalog.task_environments.task.transition import Transition

REFERENCES = frozenset(
    ("body", "target", "targets", "of", "motor", "motors", "main", "selector", "speed", "orientation", "requires")
)
"""The fields of blocks that name other blocks."""


@dataclass(frozen=True)
class System:
    """Bodies, motors, sensors and transitions that belong together; outside, the body x of car is called car.x.

    A name inside means the block of the same system, else that of the system around it. With `hidden` all its bodies
    are hidden.
    """

    name: str
    bodies: tuple[Body, ...] = ()
    motors: tuple[Motor, ...] = ()
    sensors: tuple[Sensor, ...] = ()
    transitions: tuple[Transition, ...] = ()
    systems: tuple["System", ...] = ()
    hidden: bool = False
    __pydantic_config__ = FORBID


def flattened(systems: tuple[System, ...], known: Mapping[str, str], prefix: str = "") -> dict[str, tuple[Any, ...]]:
    """Return the blocks of systems, and of systems in them, under their full names.

    `known` maps the names that are understood around the systems to full names.
    """
    found: dict[str, list[Any]] = {"bodies": [], "motors": [], "sensors": [], "transitions": []}
    for system in systems:
        path = f"{prefix}{system.name}."
        own = {name: path + name for name in own_names(system)}
        own |= {name.removeprefix(path): name for name in _inner(system, path)}
        names = {**known, **own}
        for part, blocks in found.items():
            for block in getattr(system, part):
                named = rename(block, names)
                blocks.append(replace(named, hidden=True) if part == "bodies" and system.hidden else named)
        inner = flattened(
            tuple(replace(one, hidden=one.hidden or system.hidden) for one in system.systems), names, path
        )
        for part, blocks in found.items():
            blocks.extend(inner[part])
    return {part: tuple(blocks) for part, blocks in found.items()}


def own_names(holder: Any) -> list[str]:
    """Return the names of the bodies, motors and sensors that stand in a task or system itself."""
    blocks: tuple[Any, ...] = (*holder.bodies, *holder.motors, *holder.sensors)
    return [block.name for block in blocks]


def rename(block: Any, names: Mapping[str, str]) -> Any:
    """Return a block with its own name, and the names in it, replaced."""
    changed: dict[str, Any] = {}
    for field in fields(block):
        value = getattr(block, field.name)
        if field.name == "name" or field.name in REFERENCES:
            if isinstance(value, str):
                changed[field.name] = names.get(value, value)
            elif isinstance(value, tuple):
                changed[field.name] = tuple(names.get(name, name) for name in value)
        elif is_dataclass(value) and hasattr(value, "body"):
            changed[field.name] = rename(value, names)
    # `of` of a goal or a condition is a part of a body and no name; no block may be called so.
    return replace(block, **changed)


def _inner(system: System, path: str) -> list[str]:
    names = []
    for one in system.systems:
        inside = f"{path}{one.name}."
        names += [inside + name for name in own_names(one)] + _inner(one, inside)
    return names
