"""RoomPlan: a room as its file has it, drawn and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.pagi_world.rooms.drawing import Drawn, draw, resolve
from mensura.catalog.pagi_world.rooms.rules import Holds, names_in, read_rule
from mensura.catalog.pagi_world.world.compound import expand
from mensura.catalog.pagi_world.world.plan import JointPlan, ThingPlan, finite, pair
from mensura.errors import BadFile, BadParameter, MensuraError, unknown

FOLDER = Path(__file__).parent / "files"
PARTS = {
    "groups",
    "name", "about", "instructions", "gravity", "seconds", "agents", "things", "joints", "water", "draws", "success",
    "failure", "measures", "questions", "foreign", "silenced", "editing", "praises", "moves", "chance", "ceiling",
}  # fmt: skip
MEASURES = ("share", "count", "when", "distance", "answered", "gave", "memory")


@dataclass(frozen=True)
class AgentPlan:
    """Where the body of a role stands at first, and what it is told."""

    role: str
    at: tuple[float, float] = (-2.7, -3.0)
    angle: float = 0.0
    instructions: str = ""


@dataclass(frozen=True)
class RoomQuestion:
    """A question of the room: what may be answered, and what is right."""

    key: str
    text: str
    options: tuple[str, ...]
    truth: Any


@dataclass(frozen=True)
class RoomPlan:
    """One room of a family, drawn: all that is needed to begin it."""

    name: str
    instructions: str
    gravity: tuple[float, float]
    seconds: float
    agents: tuple[AgentPlan, ...]
    things: tuple[ThingPlan, ...]
    joints: tuple[JointPlan, ...]
    water: Mapping[str, Any]
    success: Mapping[str, Any] | None
    failure: Mapping[str, Any] | None
    measures: Mapping[str, Mapping[str, Any]]
    questions: tuple[RoomQuestion, ...]
    foreign: tuple[Mapping[str, Any], ...]
    silenced: tuple[str, ...]
    editing: bool
    praises: tuple[Mapping[str, Any], ...] = ()
    """What is praised, one after the other."""
    drawn: Drawn = field(default_factory=dict)

    @property
    def roles(self) -> tuple[str, ...]:
        """Who acts in it."""
        return tuple(agent.role for agent in self.agents)

    def rule(self, which: str) -> Holds | None:
        """Return what checks `success` or `failure`."""
        given = getattr(self, which)
        return None if given is None else read_rule(given)


def room_roles(described: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the roles of a room's file, drawn or not."""
    return tuple(str(one.get("role", "subject")) for one in described.get("agents", [{}]))


def draw_room(described: Mapping[str, Any], rng: np.random.Generator) -> RoomPlan:
    """Draw a room from its file's data, and check all of it; raises a sentence."""
    if not isinstance(described, Mapping):
        raise BadParameter(f"A room is an object of JSON; got {described!r:.80}.")
    for name in described:
        if name not in PARTS:
            raise BadParameter(f"A room has no {name!r}; it has {', '.join(sorted(PARTS))}.")
    drawn = draw(described.get("draws", {}), rng)
    told = {key: described[key] for key in described if key not in ("draws", "chance", "ceiling")}
    plain = resolve(told, drawn)
    name = str(plain.get("name", "room"))
    agents = tuple(_agent(one) for one in plain.get("agents", [{}]))
    things = tuple(ThingPlan.read(one) for one in plain.get("things", []))
    _refuse_doubles([agent.role for agent in agents], f"The room {name}: roles")
    names = [one.name for thing in things for one in expand(thing)[0]]
    _refuse_doubles([*names, *(agent.role for agent in agents)], f"The room {name}: things and roles")
    joints = tuple(JointPlan.read(one) for one in plain.get("joints", []))
    for joint in joints:
        for end in (joint.first, joint.second):
            if end and end not in names:
                raise BadParameter(f"The room {name}: a joint holds {end!r}, and there is no such thing.")
    _check_groups(plain.get("groups", []), {*names, *(agent.role for agent in agents)})
    plan = RoomPlan(
        name=name,
        instructions=str(plain.get("instructions", "")),
        gravity=pair(plain.get("gravity", [0, -9.81]), "gravity"),
        seconds=finite(plain.get("seconds", 60), "seconds"),
        agents=agents,
        things=things,
        joints=joints,
        water=plain.get("water", {}),
        success=plain.get("success"),
        failure=plain.get("failure"),
        measures=plain.get("measures", {}),
        questions=tuple(_question(one) for one in plain.get("questions", [])),
        foreign=tuple(plain.get("foreign", [])),
        silenced=tuple(plain.get("silenced", [])),
        editing=bool(plain.get("editing", False)),
        praises=_praises(plain),
        drawn=drawn,
    )
    _check(plan, names)
    return plan


def _check(plan: RoomPlan, names: list[str]) -> None:
    if not 0.1 <= plan.seconds <= 36_000:
        raise BadParameter(f"The room {plan.name}: seconds lie between 0.1 and 36 000; got {plan.seconds:g}.")
    known = {*names, *plan.roles, "body"}
    for which in ("success", "failure"):
        if getattr(plan, which) is not None:
            plan.rule(which)
            for needed in names_in(getattr(plan, which)):
                # What a box or dispenser holds has its name when it comes.
                if needed.split(".")[0] not in known and "_content" not in needed and not plan.editing:
                    raise BadParameter(
                        f"The room {plan.name}: its {which} needs {needed!r}, and there is no such thing in it: nobody "
                        "could reach that."
                    )
    for name, measure in plan.measures.items():
        if measure.get("kind") not in MEASURES:
            raise BadParameter(f"The measure {name!r} has a kind: {', '.join(MEASURES)}; got {measure!r:.80}.")
    if plan.success is None and not plan.editing:
        raise BadParameter(
            f"The room {plan.name} says not when it is solved; only one with editing may leave that open."
        )


def _agent(given: Any) -> AgentPlan:
    if not isinstance(given, Mapping):
        raise BadParameter(f"An agent is an object with role and at; got {given!r:.80}.")
    for name in given:
        if name not in ("role", "at", "angle", "instructions"):
            raise BadParameter(f"An agent has role, at, angle and instructions; got {name!r}.")
    role = str(given.get("role", "subject"))
    return AgentPlan(
        role,
        pair(given.get("at", [-2.7, -3.0]), "An agent: at"),
        finite(given.get("angle", 0), "angle"),
        str(given.get("instructions", "")),
    )


def _praises(plain: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the rules that are praised in their order: each its own, or one of the `moves` by number."""
    moves = plain.get("moves", [])
    found = tuple(moves[int(one["which"])] if "which" in one else one for one in plain.get("praises", []))
    for rule in found:
        read_rule(rule)
    return found


def _question(given: Any) -> RoomQuestion:
    try:
        return RoomQuestion(given["key"], given["text"], tuple(map(str, given.get("options", ()))), given["truth"])
    except (KeyError, TypeError):
        raise BadParameter(f"A question has key, text, options and truth; got {given!r:.80}.") from None


def _check_groups(groups: Any, known: set[str]) -> None:
    """Refuse groups that are no lists of names; only the editor reads them."""
    for group in groups if isinstance(groups, list) else [groups]:
        if not isinstance(group, list) or not {str(one) for one in group} <= known:
            raise BadParameter(f"The groups of a room are lists of names of its things and roles; got {group!r:.80}.")


def _refuse_doubles(names: list[str], what: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadParameter(f"{what} have names of their own; {name!r} is taken twice.")
        seen.add(name)


@cache
def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return found


def list_rooms() -> list[str]:
    """Return the names of the rooms that come with the test."""
    return sorted(path.stem for path in FOLDER.glob("*.json"))


def find_room(name: str) -> dict[str, Any]:
    """Return the data of a room, by name or from a file."""
    if name.endswith((".json", ".tsk")):
        return read_room_file(Path(name))
    if name not in list_rooms():
        raise unknown("room", name, known=list_rooms(), see=f"There are {', '.join(list_rooms())}; or name FILE.json.")
    return _read(name)


def read_room_file(path: Path) -> dict[str, Any]:
    """Read a room from a file and check it by drawing it once."""
    if path.suffix == ".tsk":
        from mensura.catalog.pagi_world.rooms.tsk import read_tsk

        return dict(read_tsk(path))
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise BadFile(f"{path} holds no room: a room is an object of JSON.")
        draw_room(found, np.random.default_rng(0))
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path} is no JSON: {error}.") from None
    except BadFile:
        raise
    except MensuraError as error:
        raise BadFile(f"{path}: {error}") from None
    _check_pictures(found, path)
    return found


def _check_pictures(found: Mapping[str, Any], path: Path) -> None:
    folder = path.parent.resolve()
    for thing in found.get("things", []):
        picture = thing.get("picture", "")
        if picture and not (folder / str(picture)).resolve().is_relative_to(folder):
            raise BadFile(f"{path}: the picture {picture!r} lies outside the folder of the room.")
