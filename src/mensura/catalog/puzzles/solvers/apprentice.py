"""Apprentice: a learner that comes to expect the operations it has met, and tries what it expects first."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log2
from typing import Any, ClassVar

from mensura.catalog.puzzles.grammar.derivation import Derivation, Grammar
from mensura.catalog.puzzles.kinds.find import PLACES, find_kind
from mensura.catalog.puzzles.kinds.kind import Explanation, Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver, read_prompt
from mensura.dialogue import Abstained, Ask

ANSWER = "The answer is "
VERBAL = "verbal-analogy"


class Apprentice(PuzzleSolver):
    """Explains a puzzle by the program that is shortest in its own code, if it has the patience to come to it.

    An operation that proved right before gets a shorter code; one that it has not met costs as many bits as the
    grammar says. Kinds share the names of operations, so what is learned from one serves another. It is told what is
    right by feedback, and by nothing else.

    Parameters
    ----------
    patience
        Bits of the longest program that it comes to.
    eagerness
        How many meetings with an operation weigh as much as all that it knew before.
    """

    attempts: ClassVar[tuple[str, ...]] = tuple(name for name in PLACES if name != VERBAL)

    def __init__(self, *, patience: float = 14.0, eagerness: float = 4.0) -> None:
        self.patience, self.eagerness = patience, eagerness
        self.met: Counter[str] = Counter()
        self.learning = True
        self._last: tuple[Ask, Sequence[Explanation]] | None = None

    def __call__(self, ask: Ask) -> Any:
        self._last = None
        return Abstained("I do not read words.") if read_prompt(ask).puzzle == VERBAL else super().__call__(ask)

    def answer(self, ask: Ask, kind: Kind, shown: Any) -> Any:
        """Say what it believes, offered or not, and keep what was found until it is told what is right."""
        self._last = ask, kind.explain(shown, limit=2 * self.patience).found
        found = self.solve(kind, shown)
        return found if isinstance(found, Abstained) else kind.say(found, read_prompt(ask), ask.space)

    def solve(self, kind: Kind, shown: Any) -> Any:
        """Return what follows by the explanation that it comes to first."""
        chosen = None if self._last is None else self.chosen(self._last[1])
        return Abstained("I found no rule in time.") if chosen is None else chosen.answer

    def chosen(self, found: Sequence[Explanation]) -> Explanation | None:
        """Return the explanation that is shortest in its own code, None where it has not the patience for any."""
        shortest = min(found, key=lambda one: self.length(one.derivation), default=None)
        return None if shortest is None or self.length(shortest.derivation) > self.patience else shortest

    def feedback(self, told: Ask) -> None:
        """Learn the operations of those programs that give what is said to be right."""
        words, last = str(told.prompt), self._last
        if not self.learning or last is None:
            return
        ask, found = last
        right = words.rpartition(ANSWER)[2].rstrip(".") if ANSWER in words else None
        prompt = read_prompt(ask)
        say = find_kind(prompt.puzzle).say
        good = [one for one in found if right is None or say(one.answer, prompt, ask.space) == right]
        if right is not None or words == "That is right.":
            self.learn(good)
        self._last = None

    def learn(self, good: Sequence[Explanation]) -> None:
        """Come to expect the operations of the shortest of the explanations that are right."""
        if good:
            shortest = min(good, key=lambda one: self.length(one.derivation))
            self.met.update({step.operation for step in shortest.derivation.steps})

    def length(self, derivation: Derivation) -> float:
        """Return the bits of a program in its own code."""
        return sum(self._bits(derivation.grammar, step.operation) for step in derivation.steps)

    def _bits(self, grammar: Grammar, operation: str) -> float:
        total = sum(self.met[name] for name in grammar.uses)
        share = (self.eagerness / len(grammar.uses) + self.met[operation]) / (self.eagerness + total)
        return grammar.lengths[operation] - log2(len(grammar.uses)) - log2(share)

    def snapshot(self) -> dict[str, int]:
        """Return what was learned."""
        return dict(self.met)

    def restore(self, state: Mapping[str, int]) -> None:
        """Know what was learned at another time, and nothing else."""
        self.met = Counter(state)

    def knowledge(self) -> int:
        """Return how many operations it has met where they proved right."""
        return len(self.met)
