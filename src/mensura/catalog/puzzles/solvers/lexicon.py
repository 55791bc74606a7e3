"""Lexicon: analogies by the shortest path of one relation between two words of WordNet."""

from typing import Any, ClassVar

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver
from mensura.words.wordnet import RELATIONS, WordNet, find_wordnet, wordnet

FARTHEST = 6
"""Steps of one relation after which the search for a path is given up."""
Path = tuple[int, int]
"""Steps, and the place of the relation: shorter paths come first."""


class LexiconSolver(PuzzleSolver):
    """Finds the relation that leads from A to B in the fewest steps, and the word it leads to from C in about as many.

    It looks the answer up in the lexicon that decided it: what it shows is that the items can be solved.
    """

    attempts: ClassVar[tuple[str, ...]] = ("verbal-analogy",)

    def __init__(self) -> None:
        find_wordnet()

    def solve(self, kind: Kind, shown: Any) -> Any:
        lexicon = wordnet()
        one, other, word = (lexicon.places.get(text) for text in (*shown["pair"], shown["word"]))
        for steps, relation in _paths(lexicon, one, other):
            led = [
                (abs(far - steps), text)
                for text in shown["offered"]
                for far, by in _paths(lexicon, word, lexicon.places.get(text))
                if by == relation
            ]
            if led:
                return min(led)[1]
        return None


def _paths(lexicon: WordNet, one: int | None, other: int | None) -> list[Path]:
    """Return each relation that leads from one word to another, with the fewest steps it takes; shortest first."""
    if one is None or other is None:
        return []
    found = []
    aims = lexicon.senses(other)
    for place, relation in enumerate(RELATIONS):
        reached: set[int] = set()
        senses = set(lexicon.senses(one))
        for steps in range(1, FARTHEST + 1):
            senses = {to for sense in senses for to in lexicon.next_to(relation, sense)} - reached
            reached |= senses
            if senses & aims:
                found.append((steps, place))
                break
    return sorted(found)
