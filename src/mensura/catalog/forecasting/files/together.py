"""Together: forecasters of one book compared fairly, and pooled."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.forecasting.files.book import Book
from mensura.catalog.forecasting.files.moments import standing_scores
from mensura.catalog.forecasting.use.comparison import Comparison, compare_fairly, compare_scores
from mensura.catalog.forecasting.use.panel import Panel
from mensura.catalog.forecasting.use.pooling import Pooled, compare_pools
from mensura.errors import BadData
from mensura.scores.rule import rule
from mensura.stats import record_generator

LARGEST = 20_000_000
"""So many cells of questions by forecasters are held at once."""


@dataclass(frozen=True)
class Together:
    """Skill on equal terms, best first, and how pools of all forecasters do on questions they were not fitted to."""

    comparison: Comparison
    pools: tuple[Pooled, ...]
    words: str

    def as_json(self) -> dict[str, Any]:
        """Give both as JSON."""
        return {
            "skill": [
                {
                    "name": standing.name,
                    "skill": standing.skill.as_json(),
                    "shrunk": None if np.isnan(standing.shrunk) else standing.shrunk,
                    "questions": standing.questions,
                    "group": standing.group,
                }
                for standing in self.comparison.standings
            ],
            "pools": [
                {
                    "method": pooled.method,
                    "score": pooled.score.as_json(),
                    "against_mean": pooled.against_mean.as_json(),
                }
                for pooled in self.pools
            ],
            "words": self.words,
        }


def look_together(book: Book, *, every: float | None = None) -> Together | str:
    """Compare the forecasters of a book by the quadratic rule, and ways of pooling them; or say why that cannot be.

    Where forecasts were revised, forecasters are compared moment by moment: who came late, when a question had become
    easy, is compared only with what others said at the same time.
    """
    questions = sum(len(np.unique(page.questions)) for page in book.pages)
    if len(book.forecasters) < 2:
        return "There is one forecaster only: nobody to compare with."
    if questions * len(book.forecasters) > LARGEST:
        return f"{questions} questions by {len(book.forecasters)} forecasters are too many to compare at once."
    panel = Panel.from_book(book)
    words = "Skill is the quadratic score per question above the average answer to it"
    words += "." if every is None else ", moment by moment: what others said of it at the same time."
    try:
        if every is None:
            comparison = compare_fairly(panel)
        else:
            scores, rows = standing_scores(book, every=every)
            comparison = compare_scores(book.forecasters, scores, questions=rows)
    except BadData as problem:
        return str(problem)
    shared = panel.scores(rule("quadratic"))
    try:
        pools = tuple(compare_pools(panel, rng=record_generator(np.nan_to_num(shared))))
    except BadData as problem:
        return Together(comparison, (), f"{words} {problem}")
    return Together(comparison, pools, words)
