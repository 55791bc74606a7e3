"""Periods: whether a forecaster's bias persists from one stretch of time to the next."""

from typing import Any

import numpy as np

from mensura.track_record.calibration.diagnosis import Diagnosis
from mensura.track_record.files.book import Book
from mensura.track_record.over_time.persistence import Persistence, persistence


def persistence_of(diagnosis: Diagnosis, book: Book, *, periods: int, floor: float) -> Persistence:
    """Split a forecaster's questions into periods with equally many questions each, and test what persists.

    Questions go by their time of resolution; where that is unknown, by their order in the file.
    """
    questions = diagnosis.calibrated.questions
    resolved = (
        book.resolved[questions] if len(book.resolved) > questions.max(initial=-1) else np.full(len(questions), np.nan)
    )
    when = np.where(np.isnan(resolved), questions, resolved)
    kinds, first = np.unique(questions, return_index=True)
    order = np.argsort(when[first], kind="stable")
    period = np.empty(len(kinds), dtype=np.int64)
    period[order] = np.arange(len(kinds)) * periods // max(1, len(kinds))
    of_row = period[np.searchsorted(kinds, questions)]
    sheets = [diagnosis.calibrated.only(of_row == k) for k in range(periods) if (of_row == k).any()]
    return persistence(sheets, floor=floor)


def as_json(found: Persistence) -> dict[str, Any]:
    """Return what persists as data."""
    suggestion = found.suggestion
    return {
        "slopes": [line.a for line in found.lines],
        "gain": found.gain,
        "probability": found.probability,
        "suggestion": None if suggestion is None else {"a": suggestion.a, "b": suggestion.b},
        "words": found.words,
    }
