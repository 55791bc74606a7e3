"""Describing: the grammar of a kind as data and in lines, complete enough to list its programs elsewhere."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from mensura.catalog.puzzles.grammar.operation import OPERATIONS
from mensura.catalog.puzzles.kinds.kind import Kind

MANY = 30
"""Constants that are names are listed up to so many; JSON has them all."""


def describe_kind(kind: Kind) -> dict[str, Any]:
    """Return the grammar of a kind as JSON."""
    return {
        "grammar": kind.grammar.id,
        "about": kind.about,
        "combines": kind.combines,
        "rules": list(kind.rules),
        "targets": list(kind.grammar.targets),
        "presentations": {axis: list(values) for axis, values in kind.axes.items()},
        "operations": {
            name: {
                "family": OPERATIONS[name].family,
                "about": OPERATIONS[name].about,
                "constants": [list(domain) for domain in use.domains],
                "needs": use.needs,
                "background": list(use.background),
                "bits": round(kind.grammar.lengths[name], 3),
            }
            for name, use in kind.grammar.uses.items()
        },
    }


def kind_lines(kind: Kind) -> list[str]:
    """Return the grammar of a kind in lines: how rules combine, then each operation."""
    targets = ", ".join(filter(None, kind.grammar.targets)) or "the whole"
    lines = [f"{kind.name} ({kind.grammar.id}): {kind.about}", f"  {kind.combines} Rules act on {targets}."]
    for name, use in kind.grammar.uses.items():
        constants = " and ".join(f"{{{said_values(domain)}}}" for domain in use.domains) or "none"
        lines.append(f"  {name}: constants {constants}; needs {use.needs}. {OPERATIONS[name].about}")
    return lines


def said_values(domain: Sequence[Any]) -> str:
    """Say which values a constant may take, numbers that follow one another as ranges.

    >>> said_values((-2, -1, 1, 2, 3, 7)), said_values(("up", "down"))
    ('-2..-1, 1..3, 7', 'up, down')
    """
    if any(type(one) is not int for one in domain):
        said = ", ".join(str(one).lower() if isinstance(one, bool) else str(one) for one in domain[:MANY])
        return said if len(domain) <= MANY else f"{len(domain)} features such as {domain[0]}"
    numbers = sorted(domain)
    starts = [numbers[0], *(after for one, after in pairwise(numbers) if after != one + 1)]
    ends = [*(one for one, after in pairwise(numbers) if after != one + 1), numbers[-1]]
    return ", ".join(f"{low}" if low == high else f"{low}..{high}" for low, high in zip(starts, ends, strict=True))
