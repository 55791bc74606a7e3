"""Plans: a thing and a joint as they stand in a room's file, checked."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any

from mensura.catalog.pagi_world.world.kinds import ThingKind, find_kind
from mensura.errors import BadParameter

FARTHEST = 500.0
LARGEST = 400.0
HEAVIEST = 1e6
QUALITIES = ("mass", "friction", "bounce", "temperature", "texture", "visual", "endorphin", "of", "turns")
"""What a plan may say otherwise than its kind."""


@dataclass(frozen=True, slots=True)
class ThingPlan:
    """One thing as a room's file has it.

    Parameters
    ----------
    kind
        A row of the table of kinds.
    name
        Its own name; the kind's where it is empty.
    at, angle
        Where its middle is, and how it is turned, in degrees.
    velocity, spin
        How it moves at first: units and degrees a second.
    size
        Width and height, or a radius alone, where the kind's own do not fit.
    target
        The name of the thing that its behaviour acts on, as the lid of a button.
    fixed
        Whether nothing moves it; None: as its kind.
    """

    kind: str
    name: str = ""
    at: tuple[float, float] = (0.0, 0.0)
    angle: float = 0.0
    velocity: tuple[float, float] = (0.0, 0.0)
    spin: float = 0.0
    size: tuple[float, ...] = ()
    mass: float | None = None
    friction: float | None = None
    bounce: float | None = None
    temperature: float | None = None
    texture: tuple[float, ...] | None = None
    visual: tuple[float, ...] | None = None
    endorphin: float | None = None
    of: Any = None
    turns: bool | None = None
    target: str = ""
    fixed: bool | None = None
    hooks: tuple[float, ...] = ()
    events: tuple[str, ...] = ()
    picture: str = ""

    @classmethod
    def read(cls, given: Any) -> "ThingPlan":
        """Read and check a plan; raises a sentence."""
        if not isinstance(given, Mapping) or not isinstance(given.get("kind"), str):
            raise BadParameter(f'A thing is an object with a "kind"; got {given!r:.80}.')
        known = {part.name for part in fields(cls)}
        for name in given:
            if name not in known:
                raise BadParameter(f"A thing has no {name!r}; it has {', '.join(sorted(known))}.")
        what = f"The thing {given.get('name') or given['kind']!r}"
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name in ("kind", "name", "target", "picture"):
                if not isinstance(value, str) or len(value) > 200 or "\n" in value:
                    raise BadParameter(f"{what}: {name} is a text of one line; got {value!r:.80}.")
                values[name] = value
            elif name in ("at", "velocity"):
                values[name] = pair(value, f"{what}: {name}")
            elif name in ("size", "texture", "visual", "hooks"):
                if not isinstance(value, list | tuple):
                    raise BadParameter(f"{what}: {name} is a list of numbers; got {value!r:.80}.")
                values[name] = tuple(finite(one, f"{what}: {name}") for one in value)
            elif name in ("fixed", "turns"):
                if not isinstance(value, bool):
                    raise BadParameter(f"{what}: {name} is true or false; got {value!r:.80}.")
                values[name] = value
            elif name == "events":
                values[name] = tuple(str(one) for one in value)
            elif name == "of":
                values[name] = tuple(value) if isinstance(value, list) else value
            else:
                values[name] = finite(value, f"{what}: {name}")
        plan = replace(cls(**values), kind=find_kind(values["kind"]).name)
        plan._check(what)
        return plan if plan.name else replace(plan, name=plan.kind)

    def _check(self, what: str) -> None:
        if max(map(abs, self.at)) > FARTHEST:
            raise BadParameter(f"{what} lies at {self.at}; places lie within {FARTHEST:g} of the middle.")
        if max(map(abs, self.velocity)) > 1000 or abs(self.spin) > 100_000:
            raise BadParameter(f"{what} is too fast: at most 1000 units and 100 000 degrees a second.")
        if self.size and (len(self.size) > 2 or min(self.size) < 0.02 or max(self.size) > LARGEST):
            raise BadParameter(f"{what}: size is one radius or a width and a height, from 0.02 to {LARGEST:g}.")
        if self.mass is not None and not 1e-3 <= self.mass <= HEAVIEST:
            raise BadParameter(f"{what}: mass lies between 0.001 and {HEAVIEST:g}; got {self.mass:g}.")
        for name in ("friction", "bounce"):
            if (value := getattr(self, name)) is not None and not 0 <= value <= 100:
                raise BadParameter(f"{what}: {name} lies between 0 and 100; got {value:g}.")
        for name in ("texture", "visual"):
            if (value := getattr(self, name)) is not None and len(value) != 4:
                raise BadParameter(f"{what}: {name} has four numbers; got {len(value)}.")

    @property
    def row(self) -> ThingKind:
        """The kind with all that this plan says otherwise."""
        row = find_kind(self.kind)
        said = {name: getattr(self, name) for name in QUALITIES if getattr(self, name) is not None}
        if self.size:
            said["outline"] = self._outline(row)
        if self.fixed is not None:
            said["mass"] = None if self.fixed else said.get("mass", row.mass or 1.0)
        return replace(row, **said) if said else row

    def _outline(self, row: ThingKind) -> tuple[Any, ...]:
        if len(self.size) == 1:
            return ("circle", self.size[0])
        if row.outline[0] == "circle":
            return ("circle", max(self.size) / 2)
        if row.outline[0] == "box":
            return ("box", *self.size)
        every = [point for part in parts_of(row.outline) for point in part]
        wide, high = (max(abs(point[axis]) for point in every) for axis in (0, 1))
        scale = (self.size[0] / 2 / wide, self.size[1] / 2 / high)
        parts = tuple(tuple((x * scale[0], y * scale[1]) for x, y in part) for part in parts_of(row.outline))
        return ("poly", parts[0]) if row.outline[0] == "poly" else ("parts", *parts)

    def data(self) -> dict[str, Any]:
        """Return the plan as JSON, without what is not said."""
        said = {part.name: getattr(self, part.name) for part in fields(self)}
        empty = {part.name: part.default for part in fields(self)}
        return {name: _plain(value) for name, value in said.items() if name == "kind" or value != empty[name]}


JOINTS = ("pivot", "rope", "weld", "hinge")


@dataclass(frozen=True, slots=True)
class JointPlan:
    """Two things held together: a pivot at a point, a rope between middles, a weld, or a bendable hinge.

    Parameters
    ----------
    first, second
        Names of things; "" for the room itself.
    limits
        Least and largest angle between them, in degrees.
    locked
        Whether a switch holds the second still.
    breaks
        The force at which it breaks; None: never.
    bends
        The angle in degrees beyond which a hinge keeps its bend.
    """

    kind: str
    first: str = ""
    second: str = ""
    at: tuple[float, float] = (0.0, 0.0)
    limits: tuple[float, ...] = ()
    length: float = 0.0
    locked: bool = False
    breaks: float | None = None
    bends: float = 20.0

    @classmethod
    def read(cls, given: Any) -> "JointPlan":
        """Read and check a plan; raises a sentence."""
        known = [part.name for part in fields(cls)]
        if not isinstance(given, Mapping) or given.get("kind") not in JOINTS:
            raise BadParameter(f'A joint is an object whose "kind" is one of {", ".join(JOINTS)}; got {given!r:.80}.')
        for name in given:
            if name not in known:
                raise BadParameter(f"A joint has no {name!r}; it has {', '.join(known)}.")
        values = dict(given)
        values["at"] = pair(given.get("at", (0, 0)), "A joint: at")
        values["limits"] = tuple(finite(one, "A joint: limits") for one in given.get("limits", ()))
        if len(values["limits"]) not in (0, 2):
            raise BadParameter("The limits of a joint are two angles in degrees.")
        for name in ("length", "breaks", "bends"):
            if values.get(name) is not None:
                values[name] = finite(values[name], f"A joint: {name}")
        return cls(**values)

    def data(self) -> dict[str, Any]:
        """Return the plan as JSON."""
        return {part.name: _plain(getattr(self, part.name)) for part in fields(self)}


def parts_of(outline: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the convex parts of an outline that is no circle, each a list of points."""
    if outline[0] == "box":
        wide, high = outline[1] / 2, outline[2] / 2
        return (((-wide, -high), (wide, -high), (wide, high), (-wide, high)),)
    return (outline[1],) if outline[0] == "poly" else tuple(outline[1:])


def finite(value: Any, what: str) -> float:
    """Return a number; raise a sentence where it is none, or no finite one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise BadParameter(f"{what} is a finite number; got {value!r:.80}.")
    return float(value)


def pair(value: Any, what: str) -> tuple[float, float]:
    """Return two numbers."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise BadParameter(f"{what} is two numbers, [x, y]; got {value!r:.80}.")
    return finite(value[0], what), finite(value[1], what)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
