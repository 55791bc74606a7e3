"""RoomPlan: a room as its file has it, drawn and checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from mensura.catalog.pagi_world.calls import TOOLS
from mensura.catalog.pagi_world.rooms.drawing import Drawn, draw, resolve
from mensura.catalog.pagi_world.rooms.measure import check_measure
from mensura.catalog.pagi_world.rooms.picture import with_sizes
from mensura.catalog.pagi_world.rooms.rules import Holds, names_in, read_rule
from mensura.catalog.pagi_world.world.compound import expand
from mensura.catalog.pagi_world.world.plan import JointPlan, ThingPlan, finite, pair
from mensura.errors import BadFile, BadParameter, MensuraError, unknown
from mensura.json_file import loads

FOLDER = Path(__file__).parent / "files"
PARTS = {
    "groups",
    "name", "about", "instructions", "gravity", "seconds", "agents", "things", "joints", "water", "draws", "success",
    "failure", "measures", "questions", "foreign", "silenced", "editing", "praises", "moves", "chance", "ceiling",
}  # fmt: skip
LISTS = ("agents", "things", "joints", "questions", "foreign", "silenced", "praises", "moves")
MAPPINGS = ("draws", "water", "measures")


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
class ForeignCall:
    """A call that a role does not make itself, at every tick from one second to another."""

    role: str
    call: tuple[Any, ...]
    begins: float
    ends: float


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
    foreign: tuple[ForeignCall, ...]
    silenced: tuple[str, ...]
    editing: bool
    praises: tuple[Mapping[str, Any], ...] = ()
    """What is praised, one after the other."""
    drawn: Drawn = field(default_factory=dict)
    chance: int = 0
    """What dispensers draw from."""

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
    return tuple(_agent(one, drawn=False).role for one in described.get("agents", [{}]))


def draw_room(described: Mapping[str, Any], rng: np.random.Generator) -> RoomPlan:
    """Draw a room from its file's data, and check all of it; raises a sentence."""
    if not isinstance(described, Mapping):
        raise BadParameter(f"A room is an object of JSON; got {described!r:.80}.")
    for name in described:
        if name not in PARTS:
            raise BadParameter(f"A room has no {name!r}; it has {', '.join(sorted(PARTS))}.")
    _check_sorts(described)
    drawn = draw(described.get("draws", {}), rng)
    told = {key: described[key] for key in described if key not in ("draws", "chance", "ceiling")}
    plain = resolve(told, drawn)
    _check_sorts(plain)
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
        foreign=tuple(one for given in plain.get("foreign", []) for one in _foreign(given, agents)),
        silenced=tuple(plain.get("silenced", [])),
        editing=bool(plain.get("editing", False)),
        praises=_praises(plain),
        drawn=drawn,
        chance=int(rng.integers(2**31)),
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
    for role in plan.silenced:
        if role not in plan.roles:
            raise BadParameter(f"The room {plan.name}: {role!r:.60} is silenced, and there is no such role.")
    for name, measure in plan.measures.items():
        check_measure(name, measure, [one.key for one in plan.questions], names)
    if plan.water:
        from mensura.catalog.pagi_world.water.pool import WaterPool

        WaterPool.fill(plan.water)
    if plan.success is None and not plan.editing:
        raise BadParameter(
            f"The room {plan.name} says not when it is solved; only one with editing may leave that open."
        )


def _check_sorts(room: Mapping[str, Any]) -> None:
    """Refuse parts that are lists or objects in no room."""
    for parts, sort, word in ((LISTS, list | tuple, "a list"), (MAPPINGS, Mapping, "an object")):
        for part in parts:
            if part in room and not isinstance(room[part], sort):
                raise BadParameter(f"The {part} of a room are {word}; got {room[part]!r:.80}.")
    if "agents" in room and not room["agents"]:
        raise BadParameter("A room has at least one agent.")


def _foreign(given: Any, agents: tuple[AgentPlan, ...]) -> tuple[ForeignCall, ...]:
    """Read a foreign call; none where its `if` is 0."""
    what = 'A foreign call has "role", "from" and "to" in seconds, "call", a row of a tool and its values, and "if"'
    if not isinstance(given, Mapping) or not set(given) <= {"role", "from", "to", "call", "if"}:
        raise BadParameter(f"{what}; got {given!r:.80}.")
    call, role = given.get("call"), given.get("role", agents[0].role)
    if (
        not isinstance(call, list | tuple)
        or not call
        or call[0] not in list(TOOLS)
        or role not in [one.role for one in agents]
    ):
        raise BadParameter(f"{what}; got {given!r:.80}.")
    begins, ends = (finite(given.get(part), f"A foreign call: {part}") for part in ("from", "to"))
    row = tuple(call) + (None,) * (len(TOOLS[call[0]].arguments) + 1 - len(call))
    return (ForeignCall(role, row, begins, ends),) if finite(given.get("if", 1), "A foreign call: if") else ()


def _agent(given: Any, *, drawn: bool = True) -> AgentPlan:
    if not isinstance(given, Mapping):
        raise BadParameter(f"An agent is an object with role and at; got {given!r:.80}.")
    for name in given:
        if name not in ("role", "at", "angle", "instructions"):
            raise BadParameter(f"An agent has role, at, angle and instructions; got {name!r}.")
    role = given.get("role", "subject")
    if not isinstance(role, str) or not 1 <= len(role) <= 80:
        raise BadParameter(f"The role of an agent is a text of 1 to 80 signs; got {role!r:.80}.")
    if not drawn:
        return AgentPlan(role)
    return AgentPlan(
        role,
        pair(given.get("at", [-2.7, -3.0]), "An agent: at"),
        finite(given.get("angle", 0), "angle"),
        str(given.get("instructions", "")),
    )


def _praises(plain: Mapping[str, Any]) -> tuple[Mapping[str, Any], ...]:
    """Return the rules that are praised in their order: each its own, or one of the `moves` by number."""
    moves = plain.get("moves", [])
    found = []
    for one in plain.get("praises", []):
        which = one.get("which") if isinstance(one, Mapping) else None
        if which is not None and (not isinstance(which, int | float) or which not in range(len(moves))):
            raise BadParameter(f"What is praised is a rule, or one of the moves by number; got {one!r:.80}.")
        found.append(one if which is None else moves[int(which)])
    for rule in found:
        read_rule(rule)
    return tuple(found)


def _question(given: Any) -> RoomQuestion:
    try:
        key, text, options = given["key"], given["text"], given.get("options", ())
        if not isinstance(key, str) or not isinstance(text, str) or not isinstance(options, list | tuple):
            raise TypeError
        return RoomQuestion(key, text, tuple(map(str, options)), given["truth"])
    except (AttributeError, KeyError, TypeError):
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
            raise BadParameter(f"{what} need different names; {name!r} is taken twice.")
        seen.add(name)


@cache
def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = loads((FOLDER / f"{name}.json").read_text())
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
        found = loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise BadFile(f"{path} holds no room: a room is an object of JSON.")
        draw_room(found, np.random.default_rng(0))
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path} is not JSON: {error}.") from None
    except BadFile:
        raise
    except MensuraError as error:
        raise BadFile(f"{path}: {error}") from None
    return with_sizes(found, path.parent)


RoomName = Annotated[str, f"The name of a room ({', '.join(list_rooms())}), or a file of one (.json or .tsk)."]
