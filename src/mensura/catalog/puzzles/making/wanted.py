"""Wanted: the load that is asked for, `2..4` rules or any other part by name, and whether a kind can reach it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated

from mensura.catalog.puzzles.grammar.load import PARTS, Load
from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.errors import BadParameter, unknown

RULES = "rules"
WantedLoad = Annotated[
    str,
    "How hard puzzles are: a number of rules, such as 3 or 2..4, or parts by name, such as memory=3..5,types=2 (the "
    f"parts are {', '.join(PARTS)}); none: any load.",
]
RANGE = re.compile(r"(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?")
Span = tuple[float, float]


@dataclass(frozen=True)
class Wanted:
    """The least and the most of some parts of the load; parts that are not named may be anything."""

    spans: Mapping[str, Span] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str) -> "Wanted":
        """Read `2..4` (rules), `3` (exactly three), or parts by name: `memory=3..5,types=2`; empty: any load.

        >>> Wanted.read("2..4,memory=3").spans
        {'rules': (2.0, 4.0), 'memory': (3.0, 3.0)}
        """
        spans: dict[str, Span] = {}
        for one in filter(None, (part.strip() for part in text.split(","))):
            name, _, range_text = one.rpartition("=")
            name = name.strip() or RULES
            if name not in PARTS:
                raise unknown("part of the load", name, known=PARTS, see=f"There are {', '.join(PARTS)}.")
            found = RANGE.fullmatch(range_text.strip())
            if found is None or name in spans:
                raise BadParameter(f"A load is 2..4 (rules) or parts such as memory=3..5,types=2; got {text!r}.")
            low, high = float(found[1]), float(found[2] or found[1])
            if low > high:
                raise BadParameter(f"The load {one!r} goes from more to less. Write {high:g}..{low:g}.")
            spans[name] = (low, high)
        return cls(spans)

    def rules(self, kind: Kind) -> tuple[int, int]:
        """Return the fewest and the most rules to draw of a kind; a number that it cannot have is refused."""
        least, most = kind.rules
        low, high = self.spans.get(RULES, (least, most))
        if low > most or high < least:
            raise BadParameter(f"{kind.name} has {least} to {most} rules; {_words(low, high)} cannot be reached.")
        return max(least, int(low)), min(most, int(high))

    def admits(self, load: Load) -> bool:
        """Return whether a load has all parts where they are wanted."""
        return all(low <= getattr(load, part) <= high for part, (low, high) in self.spans.items())

    def unreached(self, kind: str, seen: Iterable[Load]) -> BadParameter:
        """Make the error for a load that no draw had, with what the draws had instead."""
        loads = list(seen)
        said = [
            f"{part} {_words(low, high)} (its puzzles have {_words(min(has), max(has))})"
            for part, (low, high) in self.spans.items()
            if (has := [float(getattr(load, part)) for load in loads])
        ]
        return BadParameter(f"{kind} did not reach {' with '.join(said)} in {len(loads)} puzzles. Ask for less.")


def _words(low: float, high: float) -> str:
    return f"{low:g}" if low == high else f"{low:g}..{high:g}"
