"""Book: every usable forecast of the files given, beside what happened and what had to be left out."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.dialogue import Columns
from mensura.dialogue.columns import Codes
from mensura.scores.alternatives import Floats
from mensura.track_record.files.table import BadRow
from mensura.track_record.over_time.standing import Forecasts


@dataclass
class Book:
    """All forecasts that can be scored, by number of alternatives, and what was set aside."""

    pages: list[Columns]
    """The forecasts, by number of alternatives: subjects are forecasters, keys are questions."""
    opened: Floats
    """When each question opened, in days since 1970 or in the file's own unit; NaN where unknown, empty if all are."""
    resolved: Floats
    closes: Floats = field(default_factory=lambda: np.empty(0))
    """When each question was planned to end; where that is unknown, as long after its opening as the longest ran."""
    one_sided: bool = False
    bad: list[BadRow] = field(default_factory=list)
    set_aside: int = 0
    """Good rows that cannot be used because another row of the same forecast is bad."""
    unresolved: int = 0
    """Rows about questions that have no outcome yet."""
    implied: int = 0
    """Alternatives that a forecaster did not list although the rest sum to one: read as zero."""
    dated: bool = False
    """Whether times are dates."""
    labels: dict[str, list[str]] = field(default_factory=dict)
    """By column of the outcome file (area, topic): the label of each question, empty where it has none."""
    echelons: dict[str, str] = field(default_factory=dict)
    """The echelon of each forecaster who has one, in the order in which echelons first occur in the file."""
    latest: float = np.nan
    """The last moment that anything is known of; extended by forecasts on questions with an outcome."""
    unfinished: int = field(default=0, init=False)
    """Forecasts on questions whose planned end lies after that moment: they are known only by what happened."""
    assumed: float = field(default=0.0, init=False)
    """How long questions without a planned end are taken to have been planned; zero where there are none."""

    def __post_init__(self) -> None:
        closes = self.closes if len(self.closes) else np.full(len(self.resolved), np.nan)
        self.resolved = np.where(np.isnan(self.resolved), closes, self.resolved)
        if np.isnan(self.opened).any() and not np.isnan(self.resolved).all():
            first = np.full(len(self.resolved), np.nan)
            for page in self.pages:
                np.fmin.at(first, page.key, page.time)
            # A question whose opening is unknown opens with the first forecast that anybody made.
            self.opened = np.where(np.isnan(self.opened), first, self.opened)
        longest = float(np.fmax.reduce(np.fmax(self.resolved, closes) - self.opened, initial=0.0))
        self.assumed = longest if (np.isnan(closes) & ~np.isnan(self.resolved)).any() else 0.0
        self.closes = np.where(np.isnan(closes), self.opened + longest, closes)
        if len(self.resolved):
            self._finish()

    def _finish(self) -> None:
        """Set questions aside that could still be open: of their like only those are known to which it happened."""
        for page in self.pages:
            self.latest = float(np.fmax.reduce(np.fmax(page.time, self.resolved[page.key]), initial=self.latest))
        over = ~(self.closes > self.latest + 1e-9 * max(abs(self.latest), 1.0))
        kept = [over[page.key] for page in self.pages]
        self.unfinished = sum(int((~rows).sum()) for rows in kept)
        self.pages = [page if rows.all() else page.of(rows) for page, rows in zip(self.pages, kept, strict=True)]

    @property
    def forecasters(self) -> Sequence[str]:
        """The names of all forecasters."""
        return self.pages[0].subjects if self.pages else ()

    def standing(self, page: Columns) -> Forecasts:
        """Return forecasts of a page with the times between which they can stand."""
        unknown = np.broadcast_to(np.nan, len(page))
        times = (each[page.key] if len(each) else unknown for each in (self.opened, self.resolved, self.closes))
        return Forecasts(page.value, page.truth, page.key, page.time, *times)


PROBABILITY_PROBLEMS = """WHEN probability IS NULL THEN 'the probability is empty'
        WHEN p IS NULL OR isnan(p) THEN 'probability ''' || probability || ''' is not a number'
        WHEN p < 0 THEN 'probability ''' || probability || ''' is negative'
        WHEN p > 1 THEN 'probability ''' || probability || ''' is above 1'"""


def problems(connection: Any, name: str, table: str) -> list[BadRow]:
    """List the rows of a judged table that have a problem."""
    rows = connection.execute(f"SELECT row, problem FROM {table} WHERE problem IS NOT NULL ORDER BY row").fetchall()
    return [BadRow(name, row, problem) for row, problem in rows]


def dictionary(connection: Any, table: str, column: str) -> list[str]:
    """Number the different names of a column; return them in the order of their numbers."""
    connection.execute(
        f"""CREATE TEMP TABLE {column}_codes AS SELECT name, row_number() OVER (ORDER BY name) - 1 AS code
        FROM (SELECT DISTINCT {column} AS name FROM {table} WHERE {column} IS NOT NULL)"""
    )
    return [row[0] for row in connection.execute(f"SELECT name FROM {column}_codes ORDER BY code").fetchall()]


def count(connection: Any, query: str) -> int:
    """Return the one number a query counts."""
    return int(connection.execute(query).fetchone()[0])


def floats(values: Any) -> Floats:
    """Return a fetched column as floats, NaN where it is null."""
    return np.ma.filled(np.ma.asarray(values, dtype=float), np.nan)


def codes(values: Any) -> Codes:
    """Return a fetched column as integers, -1 where it is null."""
    return np.ma.filled(np.ma.asarray(values).astype(np.int64), -1)
