"""Timelines: the questions whose forecasts were revised most, ready to be drawn until their resolution."""

from dataclasses import dataclass

import numpy as np

from mensura.catalog.forecasting.files.book import Book


@dataclass(frozen=True)
class Timeline:
    """One question: the probability that each forecaster gave to what came true, over time."""

    question: str
    option: str
    standing: dict[str, list[tuple[float, float]]]
    opened: float
    resolved: float


def timelines(book: Book, *, most: int = 4, forecasters: int = 6) -> list[Timeline]:
    """Pick the questions with the most forecasts and the busiest forecasters of each; none without times."""
    found: list[tuple[int, Timeline]] = []
    for page in book.pages:
        timed = ~np.isnan(page.times)
        if not timed.any() or not book.question_names:
            continue
        counts = np.bincount(page.questions[timed])
        for question in np.argsort(-counts, kind="stable")[:most]:
            rows = np.flatnonzero(timed & (page.questions == question))
            if len(rows) < 2 or np.isnan(book.resolved[question]):
                continue
            busiest = np.argsort(-np.bincount(page.forecasters[rows]), kind="stable")[:forecasters]
            standing = {}
            for code in busiest:
                own = rows[page.forecasters[rows] == code]
                own = own[np.argsort(page.times[own])]
                steps = [(float(page.times[i]), float(page.probabilities[i, page.outcomes[i]])) for i in own]
                if steps:
                    standing[book.forecasters[int(code)]] = steps
            option = book.option_names[question][int(page.outcomes[rows[0]])]
            line = Timeline(
                book.question_names[question],
                option,
                standing,
                float(book.opened[question]),
                float(book.resolved[question]),
            )
            found.append((len(rows), line))
    return [line for _, line in sorted(found, key=lambda pair: -pair[0])[:most]]
