"""Forms of programs: which operations may follow one another, and how many programs of a length that gives."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from math import prod

from mensura.catalog.puzzles.grammar.derivation import Grammar


@dataclass(frozen=True, eq=False)
class ProgramForms:
    """The forms of a grammar's programs: in each, for one rule after the other the operations that it may be of."""

    grammar: Grammar
    forms: Sequence[Sequence[Sequence[str]]]

    def within(self, limit: float) -> int:
        """Count the programs of at most so many bits: every choice of operations and of their constants is one."""
        bits, counts = self._counts
        return counts[bisect_right(bits, limit)]

    @cached_property
    def _counts(self) -> tuple[list[float], list[int]]:
        """Lengths in order, and before each of them how many programs are shorter."""
        lengths, uses = self.grammar.lengths, self.grammar.uses
        sizes = {name: prod(map(len, use.domains)) for name, use in uses.items()}
        chosen = [names for form in self.forms for names in product(*form)]
        found = sorted((sum(lengths[one] for one in names), prod(sizes[one] for one in names)) for names in chosen)
        return [bits for bits, _ in found], [0, *accumulate(count for _, count in found)]
