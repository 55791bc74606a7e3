"""Moments: what every forecaster of a book said at the same scheduled times."""

from dataclasses import dataclass, replace

import numpy as np

from mensura.dialogue import Columns
from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule, rule
from mensura.track_record.calibration.sheet import Indices
from mensura.track_record.files.book import Book

MOST = 30
"""The most moments of the longest question: more add hardly any information."""
CELLS = 20_000_000


@dataclass(frozen=True)
class StandingScores:
    """Scores of what stood at scheduled moments: one row per question and moment, one column per forecaster."""

    scores: Floats
    """NaN where nothing stood."""
    questions: Indices
    """The number of the question of each row."""
    weights: Floats
    """One divided by the moments that were planned for the question of each row, known before anybody spoke."""


def standing_scores(book: Book, *, every: float, scored: Rule | None = None) -> StandingScores:
    """Score the forecasts that stood at the moments that were scheduled while their question was open.

    Moments lie `every` apart from a question's opening on, further where that would be too many. Answers are
    paid by the quadratic rule unless another is given.
    """
    planned = book.closes - book.opened
    every = max(every, float(np.fmax.reduce(planned, initial=0.0)) / MOST)
    scored = scored or rule("quadratic")
    parts = [_standing(book, page, every, scored) for page in book.pages]
    questions, moments, forecasters, scores = (np.concatenate(column) for column in zip(*parts, strict=True))
    keys = questions * (int(moments.max(initial=0)) + 1) + moments
    kinds, rows = np.unique(keys, return_inverse=True)
    chosen = np.arange(len(kinds))
    if len(kinds) * len(book.forecasters) > CELLS:
        # Every so many moments are enough; what stands between them is much the same.
        chosen = chosen[:: -(-len(kinds) * len(book.forecasters) // CELLS)]
    place = np.full(len(kinds), -1)
    place[chosen] = np.arange(len(chosen))
    kept = place[rows] >= 0
    table = np.full((len(chosen), len(book.forecasters)), np.nan)
    table[place[rows[kept]], forecasters[kept]] = scores[kept]
    of_row = np.zeros(len(chosen), dtype=np.int64)
    of_row[place[rows[kept]]] = questions[kept]
    return StandingScores(table, of_row, 1 / np.fmax(np.ceil(planned / every), 1.0)[of_row])


def _standing(book: Book, page: Columns, every: float, scored: Rule) -> tuple[Indices, Indices, Indices, Floats]:
    page = page.of(np.lexsort((page.time, page.key, page.subject)))
    pairs = page.subject * len(book.resolved) + page.key
    standing = replace(book.standing(page), questions=pairs)
    begin, end = standing.spans()
    opened = np.where(np.isnan(standing.opened), begin, standing.opened)
    first, last = (np.ceil((moment - opened) / every) for moment in (begin, end))
    counts = np.nan_to_num(last - first).astype(np.int64)
    rows = np.repeat(np.arange(len(counts)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    scores = scored.score(forecast=page.value, outcome=page.truth)[rows]
    moments = np.nan_to_num(first).astype(np.int64)[rows] + within
    return page.key[rows], moments, page.subject[rows], scores
