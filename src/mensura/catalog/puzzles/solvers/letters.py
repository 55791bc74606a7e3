"""Letters: finds the period of a letter series, then what relates letters a period apart, with little memory."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver

ALPHABET = 26


class Letters(PuzzleSolver):
    """Continues letter series as Simon and Kotovsky's program did.

    It looks for the shortest period in which letters a period apart are the same, or the next or the one before,
    perhaps some times over. It keeps a pointer into the alphabet for each chain of letters, and has room for few; a
    letter that is related to its left neighbour shares that one's pointer.

    Parameters
    ----------
    memory
        How many pointers it can keep.
    reach
        How many times it says "next" from one letter to another.

    References
    ----------
    .. [1] Simon & Kotovsky (1963), Psychological Review 70, 534-546.
    """

    attempts: ClassVar[tuple[str, ...]] = ("letter-series",)

    def __init__(self, *, memory: int = 2, reach: int = 3) -> None:
        self.memory, self.reach = memory, reach

    def solve(self, kind: Kind, shown: Any) -> int | None:
        return self.continued(shown)

    def continued(self, letters: Sequence[int]) -> int | None:
        """Return the next letter, or None where no period is found or memory is short.

        >>> Letters().continued([0, 1, 12, 2, 3, 12, 4, 5])
        12
        """
        for period in range(1, len(letters) // 2 + 1):
            steps = [self._relation(letters[place::period]) for place in range(period)]
            if None not in steps and (step := steps[len(letters) % period]) is not None:
                known = [one for one in steps if one is not None]
                return (letters[-period] + step) % ALPHABET if self._pointers(letters, known) <= self.memory else None
        return None

    def _relation(self, chain: Sequence[int]) -> int | None:
        """Return how many times "next" (below zero: "the one before") leads from each letter to the following."""
        steps = {_nearest(after - before) for before, after in pairwise(chain)}
        step = steps.pop() if len(steps) == 1 else None
        return step if step is not None and abs(step) <= self.reach else None

    def _pointers(self, letters: Sequence[int], steps: Sequence[int]) -> int:
        """Count the chains that move and cannot be told from their left neighbour."""
        return sum(
            step != 0
            and not (
                place and steps[place - 1] == step and abs(_nearest(letters[place] - letters[place - 1])) <= self.reach
            )
            for place, step in enumerate(steps)
        )


def _nearest(step: int) -> int:
    return (step + ALPHABET // 2) % ALPHABET - ALPHABET // 2
