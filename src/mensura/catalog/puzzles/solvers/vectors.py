"""Vectors: analogies by the parallelogram of word vectors."""

from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.kinds.kind import Kind
from mensura.catalog.puzzles.solvers.solver import PuzzleSolver
from mensura.catalog.puzzles.words.vectors import word_vectors


class VectorSolver(PuzzleSolver):
    """Chooses the word whose vector has the smallest angle with B - A + C.

    It knows in which company words are met, and nothing of relations: where a relation has no direction of its own,
    it chooses what is nearest to C.

    References
    ----------
    .. [1] Mikolov, Yih & Zweig (2013), Linguistic regularities in continuous space word representations, NAACL.
    """

    attempts: ClassVar[tuple[str, ...]] = ("verbal-analogy",)

    def __init__(self) -> None:
        self._vectors = word_vectors()

    def solve(self, kind: Kind, shown: Any) -> Any:
        one, other, word = (self._vectors.of(text) for text in (*shown["pair"], shown["word"]))
        offered = [(text, self._vectors.of(text)) for text in shown["offered"]]
        known = [(text, vector) for text, vector in offered if vector is not None]
        if one is None or other is None or word is None or not known:
            return None
        aim = other - one + word
        return max(known, key=lambda pair: float(np.dot(pair[1], aim)))[0]
