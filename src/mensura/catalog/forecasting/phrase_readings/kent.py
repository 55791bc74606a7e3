"""The Kent chart: words for probabilities, both ways, and the information that goes lost between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadFile, BadParameter, unknown
from mensura.scores.alternatives import Floats
from mensura.stats import Estimate, proportion_estimate
from mensura.track_record.files.table import read_rows


@dataclass(frozen=True)
class Phrase:
    """Words for the probabilities from low up to but not including high, or for one value where both are equal."""

    words: str
    low: float
    high: float

    @property
    def middle(self) -> float:
        """The probability a reader of the chart would take."""
        return (self.low + self.high) / 2


@dataclass(frozen=True)
class KentChart:
    """Phrases that cover all probabilities: half-open ranges, and single values, which have their own phrase."""

    phrases: tuple[Phrase, ...]

    def phrase(self, probability: float) -> Phrase:
        """Return the words for a probability.

        >>> kent_chart().phrase(0.005).words, kent_chart().phrase(1.0).words
        ('It is almost certain that ... not', 'It is certain that')
        """
        if not 0 <= probability <= 1:
            raise BadParameter(f"A probability lies between 0 and 1; got {probability:g}.")
        exact = (phrase for phrase in self.phrases if phrase.low == probability == phrase.high)
        ranges = (phrase for phrase in reversed(self.phrases) if phrase.low <= probability and phrase.low < phrase.high)
        return next(exact, None) or next(ranges)

    def read(self, words: str) -> Phrase:
        """Return the range of a phrase.

        >>> kent_chart().read("It is probable that").low
        0.6
        """
        if (phrase := self.find(words)) is not None:
            return phrase
        raise unknown("phrase", words, known=[phrase.words for phrase in self.phrases], see="The chart lists them.")

    def find(self, words: str) -> Phrase | None:
        """Return the phrase with these words, if the chart has it."""
        return next((phrase for phrase in self.phrases if _plain(phrase.words) == _plain(words)), None)

    def information_lost(self, probabilities: ArrayLike, *, read_as: ArrayLike | None = None) -> Floats:
        r"""Return, in nats, what is lost when a probability is told by a phrase and read as another: :math:`KL(p\|r)`.

        Parameters
        ----------
        probabilities : array_like
            What the teller thinks.
        read_as : array_like, optional
            What the reader takes from the words; the middle of the phrase's range unless given.

        Examples
        --------
        >>> kent_chart().information_lost([0.61], read_as=[0.80]).round(4)
        array([0.0951])
        """
        stated = np.atleast_1d(np.asarray(probabilities, dtype=float))
        if read_as is None:
            taken = np.array([self.phrase(p).middle for p in stated.tolist()])
        else:
            taken = np.broadcast_to(np.asarray(read_as, dtype=float), stated.shape)
        return _divergence(stated, taken)


def _divergence(p: Floats, r: Floats) -> Floats:
    total: Floats = np.zeros(p.shape)
    for one, other in ((p, r), (1 - p, 1 - r)):
        with np.errstate(divide="ignore", invalid="ignore"):
            total = total + np.where(one == 0, 0.0, one * np.log(one / other))
    return total


@cache
def kent_chart(path: str | Path | None = None) -> KentChart:
    """Read a chart from a file of `low,high,phrase`; the report's table 1 unless another is given."""
    form = "A Kent chart is a CSV of low,high,phrase."
    given = read_rows(path or str(files(__package__).joinpath("kent.csv")), ("low", "high", "phrase"), form=form)
    try:
        rows = [Phrase(row["phrase"], float(row["low"]), float(row["high"])) for _, row in given]
    except ValueError as problem:
        raise BadFile(f"{form} {str(problem).capitalize()}.") from None
    rows.sort(key=lambda phrase: (phrase.low, phrase.high))
    whole = rows and rows[0].low == 0 and rows[-1].high == 1
    touching = all(before.high == after.low for before, after in pairwise(rows))
    if not (whole and touching):
        raise BadFile("The ranges of a Kent chart must cover 0 to 1 without gaps, each beginning where the last ends.")
    return KentChart(tuple(rows))


@dataclass(frozen=True)
class PhraseSpread:
    """How differently people read one phrase."""

    words: str
    n: int
    median: float
    low: float
    """Tenth percentile of the readings."""
    high: float
    outside: Estimate | None
    """Share of readings outside the range the chart means; None where the chart lacks the phrase."""

    def lost(self, chart: KentChart) -> float | None:
        """Return the information that the median reader loses, in nats; None where the chart lacks the phrase."""
        meant = chart.find(self.words)
        return None if meant is None else float(chart.information_lost([meant.middle], read_as=[self.median])[0])

    def as_json(self, chart: KentChart) -> dict[str, Any]:
        """Return the spread as data."""
        return {
            "words": self.words,
            "n": self.n,
            "median": self.median,
            "tenth": self.low,
            "ninetieth": self.high,
            "outside_the_chart": None if self.outside is None else self.outside.as_json(),
            "information_lost_by_the_median_reader": self.lost(chart),
        }


def readings_spread(readings: Sequence[tuple[str, float]], *, chart: KentChart | None = None) -> list[PhraseSpread]:
    """Summarise collected readings: pairs of a phrase and the probability somebody took from it.

    Examples
    --------
    >>> spread = readings_spread([("It is probable that", p) for p in (0.5, 0.6, 0.7, 0.9)])
    >>> round(spread[0].median, 2), spread[0].outside.value
    (0.65, 0.5)
    """
    chart = chart or kent_chart()
    by_words: dict[str, list[float]] = {}
    for words, value in readings:
        if not 0 <= value <= 1:
            raise BadParameter(f"A reading of {words!r} is a probability between 0 and 1; got {value:g}.")
        by_words.setdefault(words, []).append(value)
    return [_spread(words, np.array(values), chart) for words, values in by_words.items()]


def read_readings(path: str | Path) -> list[tuple[str, float]]:
    """Read a CSV of `phrase,probability`, one reading per row; what cannot be used is named with its row.

    The table of answers that `mensura export` writes of the test `phrase-readings` does too.

    >>> read_readings("nowhere.csv")
    Traceback (most recent call last):
    mensura.errors.BadFile: There is no file nowhere.csv. Readings are a CSV of phrase,probability.
    """
    form = "Readings are a CSV of phrase,probability (or key,value, as exported)."
    rows = read_rows(path, (), form="Readings are a CSV of phrase,probability.")
    if not rows:
        raise BadFile(f"{Path(path).name} holds no reading. {form}")
    columns = ("phrase", "probability") if "phrase" in rows[0][1] else ("key", "value")
    if not set(columns) <= set(rows[0][1]):
        raise BadFile(f"{Path(path).name} lacks a column. {form}")
    # Of what was exported, only what was answered is a reading.
    return [
        _reading(place, *(row[name] for name in columns))
        for place, row in rows
        if row.get("status", "answered") == "answered"
    ]


def _reading(place: str, words: str, given: str) -> tuple[str, float]:
    try:
        value = float(given[:-1]) / 100 if given.endswith("%") else float(given)
    except ValueError:
        value = float("nan")
    if not 0 <= value <= 1 or not words:
        raise BadFile(f"{place}: a reading is a phrase and a probability between 0 and 1; got {words!r} and {given!r}.")
    return words, value


def _spread(words: str, values: Floats, chart: KentChart) -> PhraseSpread:
    meant = chart.find(words)
    outside = None
    if meant is not None:
        outside = proportion_estimate(sum(chart.phrase(value) != meant for value in values.tolist()), n=len(values))
    low, median, high = np.percentile(values, [10, 50, 90])
    return PhraseSpread(words, len(values), float(median), float(low), float(high), outside)


def _plain(words: str) -> str:
    return " ".join(words.replace("...", " ").lower().split())
