"""RoomEditor: the page on which rooms are built without programming, tried, and saved as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.pagi_world.rooms.checking import look_over
from mensura.catalog.pagi_world.rooms.drawing import draw, resolve
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room, list_rooms
from mensura.catalog.pagi_world.rooms.rules import SHAPES
from mensura.catalog.pagi_world.showing.look import room_look
from mensura.catalog.pagi_world.showing.trial import try_room
from mensura.catalog.pagi_world.subjects import SUBJECTS
from mensura.catalog.pagi_world.world.kinds import KINDS, SCHEDULES
from mensura.catalog.pagi_world.world.plan import FARTHEST, HEAVIEST, JOINTS, LARGEST
from mensura.errors import BadFile, BadParameter, MensuraError, unknown

BLANK: Mapping[str, Any] = {
    "name": "my-room",
    "instructions": "",
    "seconds": 30,
    "agents": [{"role": "subject", "at": [0, 1.14]}],
    "things": [{"kind": "floatingHorizontalWall", "name": "floor", "at": [0, -1.275], "size": [40, 2.55]}],
}
EVENTS = ("LE", "LX", "RE", "RX", "BE", "BX", "OE", "OX", "LG", "LR", "RG", "RR")
"""What trigger boxes tell: left hand, right hand, body or other thing; enters, leaves, grips, releases."""
THING_FIELDS = (
    ("name", "text", "its own; the kind's where it is empty"),
    ("at", "pair", f"x, y: where its middle is, within {FARTHEST:g} of the room's"),
    ("size", "numbers", f"width, height; or one radius; 0.02 to {LARGEST:g}"),
    ("angle", "number", "degrees"),
    ("fixed", "flag", "nothing moves it"),
    ("mass", "number", f"kilograms, 0.001 to {HEAVIEST:g}"),
    ("friction", "number", "0 to 100"),
    ("bounce", "number", "0 to 100"),
    ("velocity", "pair", "x, y: units a second at first, up to 1000"),
    ("spin", "number", "degrees a second at first"),
    ("turns", "flag", "contacts turn it"),
    ("temperature", "number", "what touch feels"),
    ("endorphin", "number", "what eating it gives"),
    ("texture", "numbers", "roughness, hardness, moisture, grain"),
    ("visual", "numbers", "red, green, blue, pattern, as vision sees it"),
    ("of", "any", "of its behaviour: a colour, a force, a schedule (" + ", ".join(SCHEDULES) + ")"),
    ("target", "thing", "what it acts on, as the lid of a button"),
    ("events", "events", "what is told of a trigger box"),
    ("hooks", "numbers", "places of hooks along a beam"),
    ("picture", "text", "a file in the folder of the room"),
)
AGENT_FIELDS = (
    ("role", "text", "its own"),
    ("at", "pair", "x, y: where its body begins"),
    ("angle", "number", "degrees"),
    ("instructions", "long", "what it alone is told"),
)
JOINT_FIELDS = (
    ("kind", JOINTS, ""),
    ("first", "thing", "empty: the room itself"),
    ("second", "thing", ""),
    ("at", "pair", "x, y: where they are held together"),
    ("limits", "numbers", "least and largest angle in degrees"),
    ("length", "number", "of a rope"),
    ("locked", "flag", "a switch holds it still"),
    ("breaks", "number", "the force at which it breaks"),
    ("bends", "number", "degrees beyond which a hinge keeps its bend"),
)
QUESTION_FIELDS = (
    ("key", "text", "its own"),
    ("text", "long", "what is asked"),
    ("options", "texts", "what may be answered, between commas"),
    ("truth", "any", "what is right"),
)
ROOM_FIELDS = (
    ("name", "text", ""),
    ("instructions", "long", "what everyone is told"),
    ("seconds", "number", "0.1 to 36 000"),
    ("gravity", "pair", "x, y: 0, -9.81 where it is empty"),
    ("about", "text", "a line for lists"),
    ("editing", "flag", "agents may change it"),
)
PARTS = ("water", "foreign", "silenced", "measures", "moves", "praises", "chance", "ceiling")
"""Parts that are written as JSON."""


@dataclass
class RoomEditor:
    """Build a room of things, agents, rules and ranges, see its draws, and let somebody try it.

    Parameters
    ----------
    room
        What the page begins with.
    path
        Where it is saved; None: the browser saves it.
    """

    room: Mapping[str, Any] = field(default_factory=lambda: BLANK)
    path: Path | None = None

    title: ClassVar[str] = "Build a room"
    page: ClassVar[Mapping[str, str]] = {
        "package": "mensura.catalog.pagi_world",
        "template": "editor.html",
        "script": "editor.js",
        "style": "editor.css",
    }

    def data(self) -> dict[str, Any]:
        """Return what the page is drawn with: kinds, fields and words of rules, rooms to begin with, who can try."""
        usual = ("mass", "friction", "bounce", "temperature", "endorphin", "texture", "visual", "of", "turns", "does")
        return {
            "look": room_look(),
            "kinds": {
                name: {**{part: getattr(row, part) for part in usual}, "about": row.about}
                for name, row in KINDS.items()
            },
            "fields": {
                "things": THING_FIELDS,
                "agents": AGENT_FIELDS,
                "joints": JOINT_FIELDS,
                "questions": QUESTION_FIELDS,
                "room": ROOM_FIELDS,
            },
            "parts": PARTS,
            "events": EVENTS,
            "rules": SHAPES,
            "rooms": {name: find_room(name) for name in list_rooms()},
            "subjects": list(SUBJECTS),
            "begin": self.room,
            "file": "" if self.path is None else str(self.path),
        }

    def answer(self, asked: Any) -> dict[str, Any]:
        """Look a room over, and `run` or `save` it where that is wanted."""
        if not isinstance(asked, Mapping) or not isinstance(asked.get("room"), Mapping):
            raise BadParameter("Ask with a room.")
        seed = asked.get("seed", 0)
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**53:
            raise BadParameter("A seed is a whole number from 0.")
        wanted = {"check": self._check, "run": self._run, "save": self._save}
        if asked.get("want", "check") not in wanted:
            raise unknown("question", str(asked["want"]), known=list(wanted), see=f"There are {', '.join(wanted)}.")
        return wanted[asked.get("want", "check")](asked["room"], seed, asked)

    def _check(self, room: Mapping[str, Any], seed: int, asked: Mapping[str, Any]) -> dict[str, Any]:
        plan, found = look_over(room, seed, self.path or Path("room.json"))
        drawn, values = _values(room, seed)
        return {
            "faults": [{"words": one.words, "names": one.names, "refused": one.refused} for one in found],
            "drawn": drawn,
            "values": values,
            "roles": () if plan is None else plan.roles,
        }

    def _run(self, room: Mapping[str, Any], seed: int, asked: Mapping[str, Any]) -> dict[str, Any]:
        plan = draw_room(room, np.random.default_rng(seed))
        who = asked.get("who", {})
        return try_room(plan, who if isinstance(who, Mapping) else {}, seed)

    def _save(self, room: Mapping[str, Any], seed: int, asked: Mapping[str, Any]) -> dict[str, Any]:
        """Write the room to its file; what is refused is not written over what can be played."""
        if self.path is None:
            raise BadParameter("There is no file to save it to; download it.")
        _, found = look_over(room, seed, self.path)
        for fault in found:
            if fault.refused:
                raise BadFile(f"Not saved: {fault.words}")
        try:
            self.path.write_text(written(room), encoding="utf-8")
        except OSError as error:
            raise BadFile(f"{self.path} cannot be written: {error.strerror or error}.") from None
        return {"saved": str(self.path)}


def written(room: Mapping[str, Any]) -> str:
    """Return a room as its file has it."""
    return json.dumps(room, indent=1, ensure_ascii=False) + "\n"


def _values(room: Mapping[str, Any], seed: int) -> tuple[dict[str, Any], dict[str, float]]:
    """Return what was drawn, and the number that every expression of the room comes to in this draw."""
    try:
        drawn = draw(room.get("draws", {}), np.random.default_rng(seed))
    except (MensuraError, AttributeError):
        drawn = {}
    values: dict[str, float] = {}
    rest: list[Any] = [room.get(part) for part in ("agents", "things", "joints", "water")]
    while rest:
        one = rest.pop()
        if isinstance(one, str) and one.startswith("["):
            try:
                value = resolve(one, drawn)
            except MensuraError:
                continue
            if isinstance(value, int | float):
                values[one] = float(value)
        elif isinstance(one, Mapping):
            rest += one.values()
        elif isinstance(one, list):
            rest += one
    return drawn, values
