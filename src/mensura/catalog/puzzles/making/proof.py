"""Proof: that no other answer is given by the grammar at or below the complexity of a puzzle."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from mensura.catalog.puzzles.kinds.kind import Explanation, Kind, Puzzle
from mensura.dialogue.canonical import canonical

SLACK = 1e-9
"""Lengths are sums of logarithms."""


@dataclass(frozen=True)
class Uniqueness:
    """What was compared to say that an answer is the only one."""

    complexity: float
    """Bits of the program by which the puzzle was drawn: all that are no longer were compared."""
    checked: int
    alternatives: int
    """How many other programs at or below give what is shown, and the same answer."""

    def as_json(self) -> dict[str, float]:
        """Return it as an item carries it."""
        return asdict(self)


def prove(kind: Kind, puzzle: Puzzle) -> tuple[Puzzle, Uniqueness] | None:
    """Return the puzzle with its shortest derivation and the proof, or None where another answer is as simple.

    The claim is relative to the grammar of the kind, and speaks of all programs that are no longer than the one by
    which the puzzle was drawn. Of a kind with several good answers only the shortest derivation is found here.
    """
    explained = kind.explain(puzzle.shown, limit=puzzle.derivation.length + SLACK)
    if not explained.found:
        return None
    if kind.unique and any(not alike(one.answer, puzzle.answer) for one in explained.found):
        return None
    proof = Uniqueness(round(puzzle.derivation.length, 3), explained.checked, len(explained.found) - 1)
    return Puzzle(puzzle.shown, puzzle.answer, simplest(explained.found).derivation, puzzle.answers), proof


def simplest(found: Sequence[Explanation]) -> Explanation:
    """Return the shortest; of two as long, the one that changes less: of equal sets, sameness before intersection."""
    least = min(one.derivation.length for one in found) + SLACK
    shortest = [one for one in found if one.derivation.length <= least]
    return shortest[0] if len(shortest) == 1 else min(shortest, key=_changes)


def _changes(one: Explanation) -> tuple[int, str]:
    return sum(step.operation != "same" for step in one.derivation.steps), canonical(one.derivation.data())


def alike(one: Any, other: Any) -> bool:
    """Tell whether two answers are the same; most are equal, and need not be written down."""
    return bool(one == other) or canonical(one) == canonical(other)
