"""A ledger opened as a book, so that its forecasters are scored and calibrated like those of files."""

import numpy as np

from mensura.dialogue import Columns
from mensura.track_record.files.book import Book
from mensura.track_record.ledger.ledger import Ledger
from mensura.track_record.ledger.life import Life


def open_book(ledger: Ledger) -> Book:
    """Return every forecast about resolved questions with alternatives, as a book for `score_book`."""
    lives = [life for life in ledger.questions() if life.state == "resolved" and life.question.kind == "alternatives"]
    names = sorted({event.who for life in lives for event in life.forecasts})
    widths = sorted({life.question.width for life in lives})
    pages = [_page(lives, names, width) for width in widths]
    times = zip(*((life.opened, life.resolved, life.question.deadline) for life in lives), strict=True)
    labels = {name: [getattr(life.question, name) for life in lives] for name in ("area", "topic")}
    labels = {name: texts for name, texts in labels.items() if any(texts)}
    opened, resolved, closes = np.array(list(times) or [()] * 3, dtype=float)
    pages = [page for page in pages if len(page)]
    return Book(pages, opened, resolved, closes, dated=True, labels=labels, latest=ledger.clock())


def _page(lives: list[Life], names: list[str], width: int) -> Columns:
    rows = sorted(
        (
            names.index(event.who),
            number,
            event.at,
            event.content["probabilities"],
            life.question.options.index(life.outcome),
        )
        for number, life in enumerate(lives)
        if life.question.width == width
        for event in life.forecasts
        if life.resolved is not None and event.at <= life.resolved
    )
    return Columns(
        np.array([row[3] for row in rows], dtype=float).reshape(-1, width),
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=float),
        np.array([row[4] for row in rows], dtype=np.int64),
        names,
        [life.question.name for life in lives],
        [life.question.options for life in lives],
    )
