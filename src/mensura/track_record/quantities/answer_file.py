"""Reading quantities: `forecaster,question,level,value[,time]` or `forecaster,question,low,high,probability[,time]`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import nan
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue.columns import Codes
from mensura.errors import BadFile
from mensura.scores.alternatives import SUM_TOLERANCE, Floats
from mensura.track_record.files.book import codes, dictionary, floats, problems
from mensura.track_record.files.table import BadRow, LoadedFile, load
from mensura.track_record.over_time.standing import ROWS
from mensura.track_record.quantities.forecast import ROUNDING, QuantityForecast, shares_of_revisions

QUANTILES = ("forecaster", "question", "level", "value")
BINS = ("forecaster", "question", "low", "high", "probability")
ENDS = {"low": "'-inf'::DOUBLE", "high": "'inf'::DOUBLE"}
"""A bin may leave its end open."""
NUMBER = "TRY_CAST({0} AS DOUBLE)"
NO_NUMBER = (
    "WHEN {0} IS NOT NULL AND coalesce(NOT isfinite(TRY_CAST({0} AS DOUBLE)), true) "
    "THEN '{0} ''' || {0} || ''' is not a number'"
)
OPEN = "a distribution with open ends needs two values with something beyond"
Form = Literal["bins", "quantiles"]
Distributions = tuple[Floats, Floats, NDArray[np.bool_], NDArray[np.bool_]]
"""Values and levels, which of them belong to the distribution, and which rows raise a doubt."""


@dataclass
class Quantities:
    """Forecasts of quantities whose truth is known, and what had to be left out."""

    forecasts: list[QuantityForecast]
    """Those of one forecaster that are told alike are one, however many they are."""
    bad: list[BadRow] = field(default_factory=list)
    unresolved: int = 0
    scaled: bool = False
    """Whether the outcomes say the scale of each question."""


def read_quantities(forecasts: str | Path, outcomes: str | Path) -> Quantities:
    """Read stated quantiles or probabilities of bins, and what the quantities came to; CSV or Parquet.

    The file of outcomes may have a column `scale`, a number fixed beforehand for each question, by which its losses
    are divided: so that quantities of different units can be averaged. Forecasts that have a column `time` may be
    revised: a loss is then the average over the time from the first of them to the planned end, `closes`, where after
    `resolved` 0 counts; without a planned end the first counts alone.
    """
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET TimeZone='UTC'")
    said = load(connection, forecasts, table="said", wanted=(), optional=(*QUANTILES, *BINS[2:], "time"))
    form: Form = "quantiles" if set(QUANTILES) <= set(said.columns) else "bins"
    if form == "bins" and not set(BINS) <= set(said.columns):
        raise BadFile(f"{said.name} needs the columns {', '.join(QUANTILES)}; or, for bins, {', '.join(BINS)}.")
    came = load(
        connection, outcomes, table="came", wanted=("question", "outcome"), optional=("scale", "resolved", "closes")
    )
    dated = said.has_dates(connection, ("time",)) or came.has_dates(connection, ("resolved", "closes"))
    told = _gather(connection, said, BINS if form == "bins" else QUANTILES, dated)
    (value, scale, resolved, closes), latest = _truths(connection, came, told.about, dated)
    good = ~np.isnan(value)
    unresolved, wrong = int((~good).sum()), dict[int, str]()
    groups = list(_groups(told, good, form, wrong))
    for place in np.flatnonzero(good & (told.time > resolved)):
        wrong.setdefault(int(place), "the forecast was made after the quantity was known")
    good[list(wrong)] = False
    # Of those whose planned end has not come only those are known to which it happened.
    waiting = good & (closes > np.fmax.reduce(told.time[good], initial=latest))
    good &= ~waiting
    share, first = np.zeros(len(good)), np.zeros(len(good), bool)
    pair = told.whose[good] * len(told.questions) + told.about[good]
    first[good] = np.diff(pair, prepend=-1) != 0
    share[good] = shares_of_revisions(told.time[good], resolved=resolved[good], closes=closes[good], questions=pair)
    made = []
    for places, values, levels in groups:
        kept = good[places]
        at = places[kept]
        if len(at):
            about = told.about[at], form, values[kept], levels[kept], value[at], scale[at], share[at], first[at]
            made.append(QuantityForecast(told.forecasters[told.whose[at[0]]], *about))
    bad = [*said.bad, *came.bad, *(told.bad(place, words, said.name) for place, words in wrong.items())]
    for name, table in ((said.name, "judged_said"), (came.name, "judged_came")):
        bad += problems(connection, name, table)
    return Quantities(made, sorted(bad), unresolved + int(waiting.sum()), "scale" in came.columns)


@dataclass
class _Told:
    """The rows of a file as arrays, sorted by forecast; forecasts by their place."""

    forecasters: list[str]
    questions: list[str]
    rows: Codes
    parts: list[Floats]
    """Of each row: level and value, or low, high and probability."""
    starts: Codes
    """Of each forecast: its first row."""
    sizes: Codes
    whose: Codes
    about: Codes
    time: Floats

    def bad(self, place: int, words: str, file: str) -> BadRow:
        """Return what is wrong with a forecast, and in which row of the file it begins."""
        row = self.rows[self.starts[place] :][: self.sizes[place]].min()
        who, what = self.forecasters[self.whose[place]], self.questions[self.about[place]]
        return BadRow(file, int(row), f"{words} ({who!r} on question {what!r})")


def _gather(connection: Any, said: LoadedFile, columns: Sequence[str], dated: bool) -> _Told:
    """Put the rows of each forecast together; one bad row spoils its forecast."""
    needed = [name for name in (*columns, "time") if name in said.columns and name not in ENDS]
    connection.execute(
        f"""CREATE TEMP VIEW judged_said AS SELECT *, CASE
        {" ".join(f"WHEN {name} IS NULL THEN 'the {name} is empty'" for name in needed)}
        {" ".join(map(NO_NUMBER.format, columns[2:]))} {said.unreadable("time")} END AS problem
        FROM (SELECT *, {said.moment("time", dated=dated)} AS time_at FROM said)"""
    )
    who, what = (dictionary(connection, "said", name) for name in columns[:2])
    numbers = ", ".join(f"coalesce({NUMBER.format(name)}, {ENDS.get(name, 'NULL')})" for name in columns[2:])
    rows, whose, about, time, *parts = (
        connection.execute(
            f"""SELECT row, f.code, q.code, time_at, {numbers} FROM judged_said
            JOIN forecaster_codes f ON f.name = forecaster JOIN question_codes q ON q.name = question
            WHERE (forecaster, question) NOT IN (SELECT (forecaster, question) FROM judged_said
                                                 WHERE problem IS NOT NULL AND forecaster || question IS NOT NULL)
            ORDER BY f.code, q.code, time_at, {numbers}"""
        )
        .fetchnumpy()
        .values()
    )
    whose, about, time = codes(whose), codes(about), floats(time)
    same = (np.diff(whose) == 0) & (np.diff(about) == 0) & ((np.diff(time) == 0) | np.isnan(time[1:]))
    starts = np.flatnonzero(np.append(True, ~same)[: len(whose)])
    sizes, parts = np.diff(starts, append=len(whose)), [floats(part) for part in parts]
    return _Told(who, what, codes(rows), parts, starts, sizes, whose[starts], about[starts], time[starts])


def _truths(connection: Any, came: LoadedFile, about: Codes, dated: bool) -> tuple[Floats, float]:
    """Return of each forecast the truth, its scale, when it was and should be known; and when the last truth was."""
    times = {name: f"{came.moment(name, dated=dated)} AS {name}_at" for name in ("resolved", "closes")}
    scale = "scale" if "scale" in came.columns else "'1'"
    once = (
        "row_number() OVER (PARTITION BY question ORDER BY row) AS nth, count(*) OVER (PARTITION BY question) AS times"
    )
    connection.execute(
        f"""CREATE TEMP VIEW judged_came AS SELECT *, CASE WHEN question IS NULL THEN 'the question is empty'
        WHEN nth > 1 THEN 'question ''' || question || ''' appears a second time' WHEN outcome IS NOT NULL THEN CASE
        {NO_NUMBER.format("outcome")} {" ".join(map(came.unreadable, times))}
        WHEN coalesce(NOT (isfinite(unit) AND unit > 0), {scale} IS NOT NULL)
        THEN 'scale ''' || {scale} || ''' is not a number above zero' END END AS problem
        FROM (SELECT *, {NUMBER.format(scale)} AS unit, {", ".join(times.values())}, {once} FROM came)"""
    )
    code, *parts = (
        connection.execute(
            f"""SELECT q.code, {NUMBER.format("outcome")}, coalesce(unit, 1), resolved_at, closes_at FROM judged_came
            LEFT JOIN question_codes q ON q.name = question
            WHERE problem IS NULL AND times = 1 AND outcome IS NOT NULL"""
        )
        .fetchnumpy()
        .values()
    )
    asked, told = codes(code), np.array([floats(part) for part in parts])
    truths = np.full((4, max(about.max(initial=-1), asked.max(initial=-1)) + 2), nan)
    # What nobody was asked about has the code -1, and its place is the last.
    truths[:, asked] = told
    return truths[:, about], float(np.fmax.reduce(told[2], initial=nan))


def _groups(
    told: _Told, chosen: NDArray[np.bool_], form: Form, wrong: dict[int, str]
) -> Iterator[tuple[Codes, Floats, Floats]]:
    """Yield places, values and levels of forecasts of one person that are told alike; note what is wrong by place."""
    read, problem = (_bins, _bins_problem) if form == "bins" else (_quantiles, _quantiles_problem)
    for size in np.unique(told.sizes[chosen]):
        of_size = np.flatnonzero(chosen & (told.sizes == size))
        for places in np.split(of_size, range(ROWS, len(of_size), ROWS)):
            parts = [part[told.starts[places, np.newaxis] + np.arange(size)] for part in told.parts]
            values, levels, kept, doubted = read(*parts)
            for i in np.flatnonzero(doubted):
                if words := problem(*(part[i] for part in parts)):
                    wrong[int(places[i])] = words
            ends = (kept, np.cumsum(kept, axis=1) > 0, levels <= 0, levels >= 1, levels >= 1 - ROUNDING)
            signs = np.array([*(part.sum(axis=1) for part in ends), told.whose[places]])
            order = np.lexsort(signs)
            for rows in np.split(order, np.flatnonzero(np.diff(signs[:, order]).any(axis=0)) + 1):
                held = np.flatnonzero(kept[rows[0]])
                if words := _open_problem(levels[rows[0], held]):
                    wrong.update({int(place): words for place in places[rows] if place not in wrong})
                yield places[rows], values[rows][:, held], levels[rows][:, held]


def _quantiles(levels: Floats, values: Floats) -> Distributions:
    doubted = (np.diff(levels) <= 0).any(axis=1) | (np.diff(values) < 0).any(axis=1)
    doubted |= ((levels < 0) | (levels > 1)).any(axis=1) | (levels.shape[1] < 2)
    return values, levels, np.ones_like(levels, bool), doubted


def _bins(low: Floats, high: Floats, mass: Floats) -> Distributions:
    edges = np.concatenate([low[:, :1], high], axis=1)
    levels = np.concatenate([np.zeros_like(low[:, :1]), np.cumsum(mass, axis=1)], axis=1)
    total, finite = levels[:, -1:], np.isfinite(edges)
    # Where one end is open the other is left open too.
    kept = finite & (finite.all(axis=1, keepdims=True) | ((levels > 0) & (levels < total)))
    doubted = ((low >= high) | (mass < 0) | (mass > 1)).any(axis=1) | (low[:, 1:] != high[:, :-1]).any(axis=1)
    doubted |= np.abs(total[:, 0] - 1) > SUM_TOLERANCE / 2
    return edges, np.divide(levels, total, out=levels, where=total > 0), kept, doubted


def _quantiles_problem(levels: Floats, values: Floats) -> str:
    for (level, value), (after, higher) in pairwise(zip(levels, values, strict=True)):
        if level == after:
            return f"level {level:g} appears a second time"
        if higher < value:
            return f"the value at level {after:g}, {higher:g}, lies below that at level {level:g}, {value:g}"
    outside = levels[(levels < 0) | (levels > 1)]
    if len(outside):
        return f"level {outside[0]:g} does not lie between 0 and 1"
    return "" if len(levels) > 1 else "a single quantile is not a distribution"


def _open_problem(levels: Floats) -> str:
    if not len(levels):
        return OPEN
    if (levels[0] == 0) != (levels[-1] == 1):
        return "levels 0 and 1 close both ends of a distribution: give both of them, or levels strictly between 0 and 1"
    inner = ((levels > 0) & (levels < 1)).sum()
    return "" if levels[0] == 0 or inner > 1 else OPEN


def _bins_problem(low: Floats, high: Floats, mass: Floats) -> str:
    for begin, end, share in zip(low, high, mass, strict=True):
        if not begin < end:
            return f"the bin from {begin:g} to {end:g} is empty"
        if not 0 <= share <= 1:
            return f"probability {share:g} does not lie between 0 and 1"
    for end, begin in zip(high, low[1:], strict=False):
        if begin != end:
            return f"bins must touch: one ends at {end:g}, the next begins at {begin:g}"
    total = mass.sum()
    return "" if abs(total - 1) <= SUM_TOLERANCE else f"probabilities of bins sum to {total:.9g}, not 1"
