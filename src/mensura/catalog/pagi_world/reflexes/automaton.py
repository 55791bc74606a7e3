"""Automaton: the states and reflexes of one agent, checked at every step before its commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

from mensura.catalog.pagi_world.reflexes.expression import read_expression
from mensura.catalog.pagi_world.senses.sensors import aspect_reader
from mensura.errors import Invalid

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.senses.sensors import Senses

MOST_REFLEXES, MOST_CONDITIONS, MOST_ACTIONS, MOST_STATES = 200, 20, 20, 500
ALIKE = 0.01
"""How far equal numbers may be apart."""
OPERATOR = re.compile(r"[<>={}!]")
NAME = re.compile(r"[^\s,;\[\]<>={}!]{1,80}\Z")
FOREVER = -1
Action = tuple[Any, ...]
COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": lambda one, other: one < other,
    ">": lambda one, other: one > other,
    "{": lambda one, other: one <= other,
    "}": lambda one, other: one >= other,
    "=": lambda one, other: abs(one - other) <= ALIKE,
    "!": lambda one, other: abs(one - other) > ALIKE,
}


@dataclass(frozen=True, slots=True)
class ReflexRule:
    """Conditions that must all hold, and what is done then.

    A condition compares two expressions of sensors, as `Sx}[2*Sy]`, or names a state that is active, or with a minus
    one that is not.
    """

    name: str
    conditions: tuple[str, ...]
    actions: tuple[Action, ...]


def read_conditions(text: str) -> tuple[str, ...]:
    """Part conditions at their semicolons, and check each; raises a sentence."""
    found = tuple(part.strip() for part in text.split(";") if part.strip())
    if len(found) > MOST_CONDITIONS:
        raise Invalid(f"A reflex has at most {MOST_CONDITIONS} conditions; got {len(found)}.")
    for one in found:
        condition(one)
    return found


@lru_cache(maxsize=4096)
def condition(text: str) -> Callable[[Senses, Mapping[str, int]], bool]:
    """Return what checks a condition against senses and active states."""
    sign = OPERATOR.search(text)
    if sign is None:
        absent, name = text.startswith("-"), text.removeprefix("-")
        if not NAME.match(name):
            raise Invalid(
                f"{text!r:.60} is not a condition; use a state, -state, or two sides with one of < > = {{ }} !."
            )
        return (lambda senses, states: name not in states) if absent else (lambda senses, states: name in states)
    left, right = (_side(part) for part in (text[: sign.start()], text[sign.end() :]))
    holds = COMPARE[sign[0]]
    return lambda senses, states: holds(left(senses), right(senses))


def _side(text: str) -> Callable[[Any], float]:
    text = text.strip()
    if OPERATOR.search(text):
        raise Invalid(f"A condition compares two sides once; got {text!r:.60} on one of them.")
    bare = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    return read_expression(bare.replace("[", "(").replace("]", ")"), aspect_reader)


@dataclass(slots=True)
class Automaton:
    """The states and reflexes of one agent; several automata are several sets of states."""

    states: dict[str, int] = field(default_factory=dict)
    """State → the tick at which it fades, or -1 for never."""
    reflexes: dict[str, ReflexRule] = field(default_factory=dict)
    faulty: set[str] = field(default_factory=set)
    """Reflexes whose conditions could not be computed, which was said once."""

    def set_state(self, name: str, milliseconds: float, tick: int, rate: int) -> None:
        """Activate a state for so long, for ever with -1, or remove it with 0."""
        if not NAME.match(name) or name.startswith("-"):
            raise Invalid(
                f"The name of a state has no blanks, commas or operators, and no minus first; got {name!r:.60}."
            )
        if milliseconds == 0:
            self.states.pop(name, None)
            return
        if name not in self.states and len(self.states) >= MOST_STATES:
            raise Invalid(f"There are at most {MOST_STATES} states at a time.")
        self.states[name] = FOREVER if milliseconds < 0 else tick + max(1, ceil(milliseconds * rate / 1000))

    def set_reflex(self, name: str, conditions: str, actions: Sequence[Action]) -> None:
        """Set a reflex; one of the same name is replaced."""
        if not NAME.match(name):
            raise Invalid(f"The name of a reflex has no blanks, commas or operators; got {name!r:.60}.")
        if len(actions) > MOST_ACTIONS:
            raise Invalid(f"A reflex has at most {MOST_ACTIONS} actions; got {len(actions)}.")
        if name not in self.reflexes and len(self.reflexes) >= MOST_REFLEXES:
            raise Invalid(f"There are at most {MOST_REFLEXES} reflexes.")
        self.reflexes[name] = ReflexRule(name, read_conditions(conditions), tuple(actions))
        self.faulty.discard(name)

    def remove_reflex(self, name: str) -> bool:
        """Remove a reflex; False where there is none of that name."""
        return self.reflexes.pop(name, None) is not None

    def fade(self, tick: int) -> None:
        """Let states whose time is over go."""
        for name in [name for name, until in self.states.items() if until != FOREVER and until <= tick]:
            del self.states[name]

    def shift(self, ticks: int) -> None:
        """Move the ends of states, where the ticks of the room are counted anew."""
        self.states = {name: until if until == FOREVER else until + ticks for name, until in self.states.items()}

    def firing(self, senses: Senses) -> tuple[list[ReflexRule], list[tuple[str, str]]]:
        """Return the reflexes whose conditions hold now, and what is newly wrong with others.

        All look at the same moment, so no reflex can set off another, or itself, within a step.
        """
        fired, wrong = [], []
        for rule in self.reflexes.values():
            try:
                if all(condition(text)(senses, self.states) for text in rule.conditions):
                    fired.append(rule)
            except Invalid as error:
                if rule.name not in self.faulty:
                    self.faulty.add(rule.name)
                    wrong.append((rule.name, str(error)))
        return fired, wrong

    def data(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        return {
            "states": dict(self.states),
            "reflexes": [
                [rule.name, list(rule.conditions), [list(action) for action in rule.actions]]
                for rule in self.reflexes.values()
            ],
            "faulty": sorted(self.faulty),
        }

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Automaton:
        """Make it again."""
        rules = {
            name: ReflexRule(name, tuple(conditions), tuple(map(tuple, actions)))
            for name, conditions, actions in data["reflexes"]
        }
        return cls(dict(data["states"]), rules, set(data["faulty"]))
