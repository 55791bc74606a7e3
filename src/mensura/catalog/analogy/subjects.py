"""Subjects of the tests of analogy: structure mapping, and plain word counting beside it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from mensura.catalog.analogy.documents import Documents, StoryOpening
from mensura.catalog.analogy.likeness.latent import latent
from mensura.catalog.analogy.likeness.plain import containment, longest_common_subsequence, tfidf
from mensura.dialogue import Ask, Choice, Refused
from mensura.errors import MensuraError
from mensura.subjects.subject import Unlearning

BOTH = "both"
TIED = 1e-9
"""Closeness within which two texts are equally close."""
Measure = Callable[[str, str], float | None]
"""How close the first text is to the second, from 0 to 1; None where that cannot be said."""
WORD_COUNTS: Mapping[str, Measure] = {
    "tfidf": tfidf,
    "lsa": latent,
    "containment": partial(containment, size=1),
    "containment 3": containment,
    "containment 5": partial(containment, size=5),
    "lcs": longest_common_subsequence,
}
"""Plain word counting, by name."""


class Closeness(Unlearning, ABC):
    """Answers by a measure of how close two texts are: with it, or with the option that is closest to the first text.

    Where texts are equally close it answers `both` if it may, else with one of them by chance.
    """

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator that decides between equals."""
        self.rng = rng

    @abstractmethod
    def measure(self, first: str, second: str) -> float | None:
        """Return how close the first text is to the second, from 0 to 1; None where that cannot be said."""

    def __call__(self, ask: Ask) -> Any:
        """Answer with the closeness of a pair, or with the closest option."""
        shown = ask.prompt
        assert isinstance(shown, Documents)
        try:
            if isinstance(ask.space, Choice):
                return self._choose(ask.space.options, shown)
            source, answer = shown.texts
            return self._known(self.measure(answer, source))
        except MensuraError as error:
            return Refused(f"not scored: {error}")

    def _choose(self, options: Any, shown: Documents) -> Any:
        base, *others = shown.texts
        found = np.array([self._known(self.measure(base, other)) for other in others])
        best = np.flatnonzero(found >= found.max() - TIED)
        if len(best) > 1 and BOTH in options:
            return BOTH
        return shown.documents[1 + int(best[self.rng.integers(len(best))] if len(best) > 1 else best[0])]["title"]

    @staticmethod
    def _known(value: float | None) -> float:
        if value is None:
            raise MensuraError("one of the texts has no words that are compared.")
        return float(min(1.0, max(0.0, value)))


class WordCounting(Closeness):
    """Answers by plain word counting; `words` is how many words make the pieces whose containment is counted."""

    def __init__(self, name: str, *, words: int = 1) -> None:
        self.count = partial(containment, size=int(words)) if name == "containment" else WORD_COUNTS[name]

    def measure(self, first: str, second: str) -> float | None:
        """Return the measure of both texts."""
        return self.count(first, second)


class Engine(Closeness):
    """Answers by structure mapping: a score of the mapping of both texts' graphs.

    Parameters
    ----------
    method
        greedy, improved or exact.
    extractor
        How graphs are made of texts, as for `mensura analogy compare`.
    score
        Which score of the mapping: semantic, unified, jaccard, conceptual or relational.
    second_order
        Whether causes, conditions, purposes and times count; what the test tells at its start comes before it.
    """

    def __init__(
        self,
        *,
        method: str = "greedy",
        extractor: str = "shallow",
        score: str = "semantic",
        second_order: str = "on",
        seconds: float = 5.0,
    ) -> None:
        self.method, self.extractor, self.score, self.seconds = method, extractor, score, float(seconds)
        self.second_order = second_order == "on"

    def feedback(self, told: Ask) -> None:
        """Hear what structure mapping may use here."""
        shown = told.prompt
        if isinstance(shown, StoryOpening) and "second_order" in shown.engine:
            self.second_order = shown.engine["second_order"] == "on"

    def measure(self, first: str, second: str) -> float | None:
        """Return the chosen score of the mapping; None where the pair is not scored."""
        found: float | None = self.compared(first, second).scores[self.score]
        return found

    def compared(self, first: str, second: str) -> Any:
        """Compare two texts; a text's graph is made once."""
        from mensura.catalog.analogy.comparison import compare_graphs

        return compare_graphs(
            graph(first, self.extractor),
            graph(second, self.extractor),
            method=self.method,
            second_order=self.second_order,
            seconds=self.seconds,
        )


@lru_cache(maxsize=2048)
def graph(text: str, extractor: str) -> Any:
    """Return the skeleton graph of a text."""
    from mensura.catalog.analogy.extraction.find import find_extractor, graph_of

    return graph_of(text, find_extractor(extractor))


COUNTING: dict[str, Callable[..., Any]] = {
    name: partial(WordCounting, name) for name in ("tfidf", "lsa", "containment", "lcs")
}
CLOSENESS: dict[str, Callable[..., Any]] = {
    "engine": Engine,
    "engine-exact": partial(Engine, method="exact"),
    **COUNTING,
}
"""Subjects of tests that ask how close two texts are: the engine answers with the semantic score."""
STRUCTURE: dict[str, Callable[..., Any]] = {
    "engine": partial(Engine, score="unified"),
    "engine-exact": partial(Engine, score="unified", method="exact"),
    **COUNTING,
}
"""Subjects of tests that ask which text has the same structure: the engine answers with the unified score."""
