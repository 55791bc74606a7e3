"""Reflex and controller: the same rules on the side of the room, where they act at once, or on the side of the mind."""

from __future__ import annotations

import re
from typing import Any

from mensura.catalog.pagi_world.reflexes.automaton import Automaton
from mensura.catalog.pagi_world.reflexes.expression import read_expression
from mensura.catalog.pagi_world.senses.sensors import NUMBER
from mensura.dialogue import Ask, Calls
from mensura.errors import Invalid
from mensura.subjects.subject import Unlearning

Row = tuple[Any, ...]
SENSED = re.compile(r"(?<![A-Za-z0-9_.])([A-Z][A-Za-z0-9]*(?:\.\d+)?(?:_[a-z]+\d?)?)(?![A-Za-z0-9_])")
GRIP: list[tuple[str, str, list[Row]]] = [
    ("grip-left", "L4_p>0.5;-held", [("addForce", "LHG", None), ("setState", "held", -1)]),
]
HOLD: list[tuple[str, str, list[Row]]] = [
    ("spring", "", [("addForce", "RHvec", ["[60*(1.9-RPx)]", "[60*(1.7-RPy)+19.62]"])]),
    ("brake-up", "RPy>1.7;-up", [("setState", "up", -1), ("addForce", "RHV", -70)]),
    ("brake-down", "RPy<1.7;up", [("setState", "up", 0), ("addForce", "RHV", 70)]),
    ("brake-right", "RPx>1.9;-right", [("setState", "right", -1), ("addForce", "RHH", -70)]),
    ("brake-left", "RPx<1.9;right", [("setState", "right", 0), ("addForce", "RHH", 70)]),
]
RETRACT: list[tuple[str, str, list[Row]]] = [
    (f"retract-{n}", f"R{n}_tmp>100", [("addForce", "RHV", 60)]) for n in (0, 1, 2, 3, 4)
]
RESIST: list[tuple[str, str, list[Row]]] = [("resist", "Sx>0.3", [("addForce", "BMH", -6000)])]
RULES = {"catch-ball": GRIP, "hold-still": HOLD, "hot-plate": RETRACT, "hijack": RESIST}
"""Room → its rules; a room that is not here has none."""


def _opening(room: str) -> list[list[Row]]:
    """Return what is called at first, before the rules are left to themselves; each list is for one answer."""
    if room == "catch-ball":
        # A push and a push back bring the left hand over the head: with a drag of 1 it goes v (1 - exp(-.4)) in .4 s.
        step, rate = (1.9, 1.8), 60
        speed = [part / 0.32968 for part in step]
        rests = [-part * 0.67032 for part in speed]
        return [
            [("addForce", "LHvec", [part * rate for part in speed]), ("step", 24)],
            [("addForce", "LHvec", [part * rate for part in rests]), ("step", 1)],
        ]
    return [[("addForce", "RHG", None), ("step", 1)]] if room == "hold-still" else []


class ReflexBody(Unlearning):
    """Sets the reflexes of a room and lets it go on: rules on the side of the room."""

    recomputes = True

    def begin(self, rng: Any, role: str) -> None:
        """Begin a session."""
        self._todo: list[list[Row]] | None = None

    def feedback(self, told: Ask) -> None:
        """Read which room it is."""
        if self._todo is None:
            self._room = room_of(str(told.prompt))
            self._todo = self._plan(self._room)

    def _plan(self, room: str) -> list[list[Row]]:
        rules: list[Row] = [
            ("setReflex", name, conditions, actions) for name, conditions, actions in RULES.get(room, [])
        ]
        opening = _opening(room)
        return [[*rules, *opening[0]], *opening[1:]] if opening else [[*rules, ("step", 1)]]

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.space, Calls):
            return [0.0] * len(ask.space.low)  # type: ignore[union-attr]
        if self._todo:
            return self._todo.pop(0)
        return [("step", 30)]


class PolledBody(ReflexBody):
    """Asks its sensors at every tick and acts by the same rules itself: what latency costs, it pays."""

    def begin(self, rng: Any, role: str) -> None:
        """Begin a session."""
        super().begin(rng, role)
        self._automaton = Automaton()
        self._numbers: dict[str, float] = {}

    def _plan(self, room: str) -> list[list[Row]]:
        self._rules = RULES.get(room, [])
        self._needed = sorted({code for rule in self._rules for code in _sensors(rule)})
        return _opening(room)

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.space, Calls):
            return super().__call__(ask)
        tick = ask.prompt.tick  # type: ignore[union-attr]
        asked: list[Row] = [("sensorRequest", code) for code in self._needed]
        for reply in ask.prompt.replies:  # type: ignore[union-attr]
            self._hear(reply)
        rows = self._react(tick) if self._numbers else []
        # Others of its forces are for one tick too, so it looks again at the next.
        first = self._todo.pop(0) if self._todo else [("step", 1 if self._rules else 30)]
        ticks = first[-1][1]
        if ticks > 1 and self._rules:
            assert self._todo is not None
            self._todo.insert(0, [("step", ticks - 1)])
            first = [*first[:-1], ("step", 1)]
        return [*rows, *first[:-1], *asked, first[-1]]

    def _hear(self, reply: list[Any]) -> None:
        if reply[0] == "touch":
            names = ("p", "tmp", "tx1", "tx2", "tx3", "tx4", "e")
            self._numbers |= {f"{reply[1]}_{name}": value for name, value in zip(names, reply[2], strict=True)}
        elif reply[0] == "sensor" and len(reply[2]) == 2:
            self._numbers |= {f"{reply[1]}{axis}": value for axis, value in zip("xy", reply[2], strict=True)}
        elif reply[0] == "sensor":
            self._numbers[reply[1]] = reply[2][0]

    def _react(self, tick: int) -> list[Row]:
        rows: list[Row] = []
        active = set(self._automaton.states)
        for _, conditions, actions in self._rules:
            if all(self._holds(one, active) for one in conditions.split(";") if one):
                for action in actions:
                    if action[0] == "setState":
                        self._automaton.set_state(action[1], action[2], tick, 60)
                    else:
                        rows.append((action[0], action[1], self._computed(action[2])))
        return rows

    def _holds(self, text: str, active: set[str]) -> bool:
        if not re.search("[<>]", text):
            return text.removeprefix("-") not in active if text.startswith("-") else text in active
        code, sign, bound = re.split("([<>])", text)
        value = self._numbers.get(code)
        return value is not None and (value > float(bound) if sign == ">" else value < float(bound))

    def _computed(self, values: Any) -> Any:
        if isinstance(values, list):
            return [self._computed(one) for one in values]
        if not isinstance(values, str):
            return values
        try:
            return read_expression(values[1:-1], _look_up)(self._numbers)
        except Invalid:
            return 0.0


def _look_up(name: str) -> Any:
    return lambda numbers: numbers.get(name, 0.0)


def _sensors(rule: tuple[str, str, list[Row]]) -> list[str]:
    """Return the codes of the sensors that a rule needs."""
    texts = [rule[1]] + [str(part) for action in rule[2] for part in action]
    found = []
    for name in (name for text in texts for name in SENSED.findall(text)):
        match = NUMBER.match(name)
        if match:
            found.append(match[1] or match[3] or match[4] or match[6])
    return found


def room_of(briefing: str) -> str:
    """Return which room a briefing is of, by the words it is told; "" where it knows none."""
    words = {
        "catch-ball": "A baseball is about to fly",
        "hold-still": "Your right hand is over a block",
        "hot-plate": "pushes your right hand down onto a hot plate",
        "hijack": "at the edge of a cliff above lava",
    }
    return next((room for room, part in words.items() if part in briefing), "")
