"""Weights: how much each part of the score counts, read from data and checked."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from mensura.catalog.crisis.world.requirement import LEAVES, Requirement
from mensura.errors import BadFile
from mensura.yaml_file import read_yaml


@dataclass(frozen=True)
class Penalty:
    """What is lost by having more of something than a floor: `rate` × excess / floor, never more than `most`."""

    rate: float
    most: float
    least: float = 1.0
    """The smallest number that an excess is divided by."""

    def loss(self, had: float, *, floor: float) -> float:
        """Return what is lost.

        >>> Penalty(rate=0.1, most=0.15, least=100).loss(750, floor=500)
        0.05
        """
        return min(self.most, self.rate * max(0.0, had - floor) / max(floor, self.least))


@dataclass(frozen=True)
class Weights:
    """Everything the score weighs by; `our_weights()` are ours, others may be read from a file of the same form."""

    final: Mapping[str, float]
    site: Mapping[str, float]
    leaves: Mapping[str, float]
    money: Penalty
    bumps: Penalty
    unrequested: Mapping[str, float]
    items: int
    """How many items of a briefing are rated."""
    points: int
    """The most points for one item."""
    lines: int
    """How many lines of a briefing are read."""
    shown: int
    """How many items of what every page shows count; the others must tell what today's mail brought."""
    wrong: int
    """What a statement that is false costs, in points."""

    def of(self, rule: Requirement) -> float:
        """Return what a rule weighs: its own weight times that of its leaf."""
        return rule.weight * self.leaves[rule.leaf]


def read_weights(path: str | Path) -> Weights:
    """Read weights from a YAML file and refuse those that do not sum to one."""
    return weights_from(read_yaml(path), place=str(path))


def weights_from(said: Any, *, place: str) -> Weights:
    """Check weights given as data.

    >>> weights_from({"final": {"schedule": "2/3", "site": "1/6"}}, place="mine.yaml")
    Traceback (most recent call last):
    mensura.errors.BadFile: mine.yaml: `final` needs schedule, site and briefing; got schedule, site.
    """
    final = _shares(said, "final", ("schedule", "site", "briefing"), place)
    site = _shares(said, "site", ("publishing", "web"), place)
    leaves = _numbers(said, "leaves", LEAVES, place)
    money, bumps = (_numbers(said, name, ("rate", "most", "least"), place) for name in ("money", "bumps"))
    briefing = _numbers(said, "briefing", ("items", "points", "lines", "shown", "wrong"), place)
    if not any(leaves.values()):
        raise BadFile(f"{place}: `leaves` are all 0; something must count.")
    for name, penalty in (("money", money), ("bumps", bumps)):
        if not penalty["least"]:
            raise BadFile(f"{place}: `{name}` gives least 0; an excess is divided by it, so it must be more than that.")
    for part, value in briefing.items():
        if value < 1 or value != int(value):
            raise BadFile(f"{place}: `briefing` gives {part} {value:g}; it must be a whole number of at least 1.")
    return Weights(
        final=final,
        site=site,
        leaves=leaves,
        money=Penalty(**money),
        bumps=Penalty(**bumps),
        unrequested=_numbers(said, "unrequested", ("each", "most"), place),
        **{part: int(value) for part, value in briefing.items()},
    )


@cache
def our_weights() -> Weights:
    """Read the weights that come with the test."""
    return read_weights(Path(__file__).with_name("weights.yaml"))


def _numbers(said: Any, name: str, parts: tuple[str, ...], place: str) -> dict[str, float]:
    given = said.get(name) if isinstance(said, Mapping) else None
    if not isinstance(given, Mapping) or set(given) != set(parts):
        have = ", ".join(given) if isinstance(given, Mapping) else "nothing"
        raise BadFile(f"{place}: `{name}` needs {', '.join(parts[:-1])} and {parts[-1]}; got {have}.")
    try:
        found = {part: float(Fraction(str(given[part]))) for part in parts}
    except (ValueError, ZeroDivisionError):
        raise BadFile(f"{place}: `{name}` holds something that is not a number: {dict(given)}.") from None
    if least := [part for part, value in found.items() if value < 0]:
        raise BadFile(f"{place}: `{name}` gives {least[0]} less than 0; weights are 0 or more.")
    return found


def _shares(said: Any, name: str, parts: tuple[str, ...], place: str) -> dict[str, float]:
    found = _numbers(said, name, parts, place)
    if abs(sum(found.values()) - 1) > 1e-9:
        raise BadFile(f"{place}: the parts of `{name}` must sum to 1; they sum to {sum(found.values()):g}.")
    return found
