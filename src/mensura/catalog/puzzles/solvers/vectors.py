"""Vectors: analogies by the parallelogram of word vectors."""

from typing import Any, ClassVar

import numpy as np

from mensura.catalog.puzzles.solvers.reply import reply
from mensura.catalog.puzzles.words.vectors import WordVectors, word_vectors
from mensura.dialogue import Ask


class VectorSolver:
    """Chooses the word whose vector has the smallest angle with B - A + C.

    It knows in which company words are met, and nothing of relations: where a relation has no direction of its own,
    it chooses what is nearest to C.

    References
    ----------
    .. [1] Mikolov, Yih & Zweig (2013), Linguistic regularities in continuous space word representations, NAACL.
    """

    attempts: ClassVar[tuple[str, ...]] = ("verbal-analogy",)
    recomputes = True

    def __init__(self) -> None:
        self._vectors = word_vectors()

    def __call__(self, ask: Ask) -> Any:
        return reply(ask, attempts=self.attempts, solve=lambda shown: _nearest(shown, self._vectors))


def _nearest(shown: Any, vectors: WordVectors) -> Any:
    one, other, word = (vectors.of(text) for text in (*shown["pair"], shown["word"]))
    offered = [(text, vectors.of(text)) for text in shown["offered"]]
    known = [(text, vector) for text, vector in offered if vector is not None]
    if one is None or other is None or word is None or not known:
        return None
    aim = other - one + word
    return max(known, key=lambda pair: float(np.dot(pair[1], aim)))[0]
