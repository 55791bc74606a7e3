"""Synthesis: one general search for rules, over the operations that all kinds share."""

from typing import Any, ClassVar

from mensura.catalog.puzzles.kinds.find import PLACES
from mensura.catalog.puzzles.kinds.kind import Explanation, Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver
from mensura.dialogue import Abstained
from mensura.dialogue.canonical import canonical

LONGEST = 64.0
"""Bits beyond which no program is looked for."""


class Synthesis(PuzzleSolver):
    """Looks for the shortest program of a kind's grammar that gives what is shown, and says what follows by it.

    Programs are compared by growing length. It is general because the grammar is: it has the rules by which items are
    made, and its score says how far a budget reaches, not that anything was found out.

    Parameters
    ----------
    budget
        How many programs may be compared with what is shown before it abstains.
    step
        By how many bits the length of programs grows from one search to the next.
    """

    attempts: ClassVar[tuple[str, ...]] = tuple(name for name in PLACES if name != "verbal-analogy")

    def __init__(self, *, budget: int = 200_000, step: float = 2.0) -> None:
        self.budget, self.step = budget, step

    def solve(self, kind: Kind, shown: Any) -> Any:
        found = self.shortest(kind, shown)
        none = Abstained(f"No program was found among {self.budget} that I may compare.")
        return none if found is None else found.answer

    def shortest(self, kind: Kind, shown: Any) -> Explanation | None:
        """Return the shortest program that gives what is shown; None where none was found within the budget."""
        limit, checked = self.step, 0
        while checked < self.budget and limit <= LONGEST:
            explained = kind.explain(shown, limit=limit)
            checked += explained.checked
            if explained.found and checked <= self.budget:
                return min(explained.found, key=lambda one: (one.derivation.length, canonical(one.derivation.data())))
            limit += self.step
        return None
