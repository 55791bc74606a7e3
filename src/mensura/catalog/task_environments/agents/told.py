"""Told: what an agent reads off the words before an attempt and the names of its sensors."""

import re
from dataclasses import dataclass, field

from mensura.dialogue import Ask, Readings

GOAL = re.compile(
    r"^- [^:]+: (?P<what>.+?) (?:at|passes) (?P<target>[^,]+)(?:, at most (?P<width>[\d.e+-]+) off)?", re.M
)


@dataclass
class Aims:
    """Where each body is to be, in the order in which the goals were told; empty where nobody told them."""

    targets: list[float | str] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)

    def hear(self, told: Ask) -> None:
        """Take the goals from words that name any."""
        if not isinstance(told.prompt, str) or "Your goals:" not in told.prompt:
            return
        found = [
            goal for goal in GOAL.finditer(told.prompt.split("Your goals:")[1]) if "velocity of" not in goal["what"]
        ]
        self.targets = [_target(goal["target"]) for goal in found]
        self.widths = [float(goal["width"] or 0.0) for goal in found]

    def errors(self, readings: Readings) -> list[float]:
        """Return how far each goal lies ahead of the body that has it; places are read in the order of the goals."""
        values = list(readings.values)
        places = [number for number, name in enumerate(readings.names) if not is_speed(name)]
        known = dict(zip(readings.names, values, strict=True))
        return [
            (known.get(f"{target} place", 0.0) if isinstance(target, str) else target) - values[place]
            for target, place in zip(self.targets, places, strict=False)
        ]


def speeds(readings: Readings) -> list[float]:
    """Return what the sensors of speed read."""
    return [value for value, name in zip(readings.values, readings.names, strict=True) if is_speed(name)]


def is_speed(name: str) -> bool:
    """Return whether a sensor is one of speed, by its name."""
    return name.startswith("speed")


def _target(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word
