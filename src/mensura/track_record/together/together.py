"""Together: forecasters of one book compared fairly, and pooled."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.errors import BadData
from mensura.exhibit import Exhibit
from mensura.scores.rule import rule
from mensura.stats import record_generator
from mensura.track_record.files.book import Book
from mensura.track_record.over_time.moments import standing_scores
from mensura.track_record.together.panel import Panel
from mensura.track_record.together.pooling import Pooled, compare_pools
from mensura.track_record.together.ranking import Ranking, compare_fairly, compare_scores

SHOWN = 60
LARGEST = 20_000_000
"""The number of cells of questions by forecasters held at once."""


@dataclass(frozen=True)
class Together:
    """Skill on equal terms, best first, and how pools of all forecasters do on questions they were not fitted to."""

    comparison: Ranking
    pools: tuple[Pooled, ...]
    words: str

    def as_json(self) -> dict[str, Any]:
        """Return both as data."""
        return {
            "skill": [vars(standing) | {"skill": standing.skill.as_json()} for standing in self.comparison.standings],
            "pools": [
                vars(one) | {"score": one.score.as_json(), "against_mean": one.against_mean.as_json()}
                for one in self.pools
            ],
            "words": self.words,
        }

    def exhibits(self) -> list[Exhibit]:
        """Show the skills, best first, and the pools."""
        words = (
            f"{self.words} A question counts only by how its forecasters differ on it, so that easy questions, and "
            "many of them, gain nobody anything. Errors are clustered by question."
        )
        rows = [(one.name, one.skill, one.shrunk, one.questions) for one in self.comparison.standings[:SHOWN]]
        shown = [Exhibit("On equal terms", words, ["forecaster", "skill", "drawn to the average", "questions"], rows)]
        if self.pools:
            pools = [(one.method, one.score, one.against_mean) for one in self.pools]
            words = (
                "Pools take the last forecast of each; they are scored on questions they were not fitted to. Where "
                "questions can resolve early, last forecasts flatter bold pools."
            )
            shown.append(
                Exhibit("Pools of all forecasters", words, ["pool", "log score, floor .01", "against the mean"], pools)
            )
        return shown


def look_together(book: Book, *, every: float | None = None) -> Together | str:
    """Compare the forecasters of a book by the quadratic rule, and ways of pooling them; or say why that cannot be.

    Where forecasts were revised, forecasters are compared moment by moment: who came late, when a question had become
    easy, is compared only with what others said at the same time.
    """
    questions = sum(len(np.unique(page.key)) for page in book.pages)
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
            found = standing_scores(book, every=every)
            comparison = compare_scores(
                book.forecasters, found.scores, questions=found.questions, weights=found.weights
            )
    except BadData as problem:
        return str(problem)
    shared = panel.scores(rule("quadratic"))
    try:
        pools = tuple(compare_pools(panel, rng=record_generator(np.nan_to_num(shared))))
    except BadData as problem:
        return Together(comparison, (), f"{words} {problem}")
    return Together(comparison, pools, words)
