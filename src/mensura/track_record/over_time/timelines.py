"""Timelines: the questions whose forecasts were revised most, drawn until their resolution."""

import numpy as np

from mensura.dialogue import Columns
from mensura.exhibit import Exhibit, Figure
from mensura.track_record.files.book import Book


def timeline_exhibits(book: Book, *, most: int = 4, forecasters: int = 6) -> list[Exhibit]:
    """Draw the questions with the most forecasts, by the busiest forecasters of each; nothing without times."""
    found: list[tuple[int, Figure]] = []
    for page in book.pages:
        timed = ~np.isnan(page.time)
        if not timed.any() or not page.keys:
            continue
        counts = np.bincount(page.key[timed])
        for question in np.argsort(-counts, kind="stable")[:most]:
            rows = np.flatnonzero(timed & (page.key == question))
            if len(rows) > 1 and not np.isnan(book.resolved[question]):
                found.append((len(rows), _timeline(book, page, int(question), rows, forecasters)))
    drawn = [figure for _, figure in sorted(found, key=lambda pair: -pair[0])[:most]]
    words = "The questions with the most forecasts, until they were resolved; the diamond marks the truth."
    return [Exhibit("Forecasts over time", words, figures=drawn)] if drawn else []


def _timeline(book: Book, page: Columns, question: int, rows: np.ndarray, forecasters: int) -> Figure:
    from mensura.track_record.figures import timeline_chart

    opened, resolved = float(book.opened[question]), float(book.resolved[question])
    standing = {}
    for code in np.argsort(-np.bincount(page.subject[rows]), kind="stable")[:forecasters]:
        own = rows[page.subject[rows] == code]
        own = own[np.argsort(page.time[own])]
        steps = [(float(page.time[i]) - opened, float(page.value[i, page.truth[i]])) for i in own]
        if steps:
            standing[book.forecasters[int(code)]] = steps
    option = page.options[question][int(page.truth[rows[0]])]
    words = f"{page.keys[question]}: probability of {option}, which came true"
    return Figure(
        lambda: timeline_chart(
            standing, resolved=resolved - opened, outcome=1.0, unit="since opening", title=words[:90]
        ),
        f"{words}.",
    )
