"""Reading quantities: `forecaster,question,level,value[,time]` or `forecaster,question,low,high,probability[,time]`."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf, isfinite, isnan, nan
from pathlib import Path
from typing import Any, Literal

import numpy as np

from mensura.errors import BadFile
from mensura.scores.alternatives import SUM_TOLERANCE
from mensura.track_record.files.table import BadRow, LoadedFile, load
from mensura.track_record.quantities.forecast import QuantityForecast, shares_of_revisions

QUANTILES = ("forecaster", "question", "level", "value")
BINS = ("forecaster", "question", "low", "high", "probability")
Row = tuple[int, tuple[float, ...]]
OPEN = "a distribution with open ends needs two values with something beyond"


@dataclass
class Quantities:
    """Forecasts of quantities whose truth is known, and what had to be left out."""

    forecasts: list[QuantityForecast]
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
    bins = not set(QUANTILES) <= set(said.columns)
    if bins and not set(BINS) <= set(said.columns):
        raise BadFile(
            f"{said.name} needs the columns {', '.join(QUANTILES)}; or, for probabilities of bins, {', '.join(BINS)}."
        )
    came = load(
        connection, outcomes, table="came", wanted=("question", "outcome"), optional=("scale", "resolved", "closes")
    )
    read = Quantities([], said.bad + came.bad, scaled="scale" in came.columns)
    dated = said.has_dates(connection, ("time",)) or came.has_dates(connection, ("resolved", "closes"))
    truths = _truths(connection, came, read, dated)
    made: dict[tuple[str, str], list[tuple[float, Any, Any]]] = {}
    for (forecaster, question, time), rows in _gather(connection, said, read, dated).items():
        if question not in truths:
            read.unresolved += 1
            continue
        values, levels = _bins(rows) if bins else _quantiles(rows)
        problem = (_bins_problem(rows) if bins else _quantiles_problem(rows)) or _open_problem(levels)
        if problem:
            read.bad.append(BadRow(said.name, rows[0][0], f"{problem} ({forecaster!r} on question {question!r})"))
        elif time > truths[question].resolved:
            late = "the forecast was made after the quantity was known"
            read.bad.append(BadRow(said.name, rows[0][0], f"{late} ({forecaster!r} on question {question!r})"))
        else:
            made.setdefault((forecaster, question), []).append((time, values, levels))
    known = [one[0] for revisions in made.values() for one in revisions] + [one.resolved for one in truths.values()]
    latest = max((time for time in known if time == time), default=nan)
    for (forecaster, question), revisions in made.items():
        truth = truths[question]
        if truth.closes > latest:
            # Of its like only those are known to which it happened.
            read.unresolved += len(revisions)
            continue
        revisions.sort(key=lambda one: one[0])
        shares = shares_of_revisions([one[0] for one in revisions], resolved=truth.resolved, closes=truth.closes)
        for place, ((_, values, levels), share) in enumerate(zip(revisions, shares, strict=True)):
            about = values, levels, truth.value, truth.scale, float(share), place == 0
            form: Literal["bins", "quantiles"] = "bins" if bins else "quantiles"
            read.forecasts.append(QuantityForecast(forecaster, question, form, *about))
    read.bad.sort()
    return read


@dataclass(frozen=True)
class _Truth:
    value: float
    scale: float
    resolved: float
    """When the quantity was known; NaN where that is not told."""
    closes: float
    """Until when the question was planned to stay open; NaN where that is not told, and the first forecast counts."""


def _truths(connection: Any, came: LoadedFile, read: Quantities, dated: bool) -> dict[str, _Truth]:
    scale = "scale" if "scale" in came.columns else "NULL"
    times = ", ".join(came.timed(name, dated=dated) for name in ("resolved", "closes"))
    truths: dict[str, _Truth] = {}
    seen: set[str] = set()
    for row, question, outcome, scaled, *ends in connection.execute(
        f"SELECT row, question, outcome, {scale}, {times} FROM came"
    ).fetchall():
        if question is None:
            read.bad.append(BadRow(came.name, row, "the question is empty"))
        elif question in seen:
            read.bad.append(BadRow(came.name, row, f"question {question!r} appears a second time"))
            truths.pop(question, None)
        elif outcome is not None:
            value, unit, (known, planned) = _number(outcome), _number(scaled or "1"), ends
            if value is None:
                read.bad.append(BadRow(came.name, row, f"outcome {outcome!r} is not a number"))
            elif unit is None or unit <= 0:
                read.bad.append(BadRow(came.name, row, f"scale {scaled!r} is not a number above zero"))
            elif known is None or planned is None:
                name = "closes" if planned is None else "resolved"
                read.bad.append(BadRow(came.name, row, f"{name} cannot be read; write dates as 2011-09-30"))
            else:
                truths[question] = _Truth(value, unit, known, planned)
        seen.add(question)
    return truths


def _gather(
    connection: Any, said: LoadedFile, read: Quantities, dated: bool
) -> dict[tuple[str, str, float], list[Row]]:
    """Put the rows of each forecast together; one bad row spoils its forecast. A bin may leave its end open."""
    gathered: dict[tuple[str, str, float], list[Row]] = {}
    spoilt: set[tuple[str, str]] = set()
    columns = QUANTILES if set(QUANTILES) <= set(said.columns) else BINS
    told = "time" if "time" in said.columns else "''"
    for row, when, moment, forecaster, question, *texts in connection.execute(
        f"SELECT row, {told}, {said.timed('time', dated=dated)}, {', '.join(columns)} FROM said"
    ).fetchall():
        if forecaster is None or question is None:
            read.bad.append(
                BadRow(said.name, row, f"the {'forecaster' if forecaster is None else 'question'} is empty")
            )
            continue
        ends = {"low": -inf, "high": inf}
        numbers = [
            ends[name] if text is None and name in ends else _number(text)
            for name, text in zip(columns[2:], texts, strict=True)
        ]
        problems = [
            f"{name} {text!r} is not a number"
            for name, text, number in zip(columns[2:], texts, numbers, strict=True)
            if number is None
        ]
        problems += ["the time is empty"] if when is None else []
        problems += [f"time {when!r} cannot be read"] if moment is None else []
        if problems:
            read.bad.append(BadRow(said.name, row, problems[0]))
            spoilt.add((forecaster, question))
            continue
        # Two NaN are never the same key, one and the same is.
        gathered.setdefault((forecaster, question, nan if isnan(moment) else moment), []).append(
            (row, tuple(number for number in numbers if number is not None))
        )
    return {key: rows for key, rows in gathered.items() if key[:2] not in spoilt}


def _quantiles_problem(rows: list[Row]) -> str:
    ordered = sorted(rows, key=lambda row: row[1][0])
    for (_, (level, value)), (_, (after, higher)) in pairwise(ordered):
        if level == after:
            return f"level {level:g} appears a second time"
        if higher < value:
            return f"the value at level {after:g}, {higher:g}, lies below that at level {level:g}, {value:g}"
    outside = [level for _, (level, _) in ordered if not 0 <= level <= 1]
    if outside:
        return f"level {outside[0]:g} does not lie between 0 and 1"
    return "" if len(ordered) > 1 else "a single quantile is not a distribution"


def _open_problem(levels: Any) -> str:
    if not len(levels):
        return OPEN
    if (levels[0] == 0) != (levels[-1] == 1):
        return "levels 0 and 1 close both ends of a distribution: give both of them, or levels strictly between 0 and 1"
    inner = ((levels > 0) & (levels < 1)).sum()
    return "" if levels[0] == 0 or inner > 1 else OPEN


def _bins_problem(rows: list[Row]) -> str:
    ordered = sorted(rows, key=lambda row: row[1][0])
    for _, (low, high, mass) in ordered:
        if not low < high:
            return f"the bin from {low:g} to {high:g} is empty"
        if not 0 <= mass <= 1:
            return f"probability {mass:g} does not lie between 0 and 1"
    for (_, (_, high, _)), (_, (low, _, _)) in pairwise(ordered):
        if low != high:
            return f"bins must touch: one ends at {high:g}, the next begins at {low:g}"
    total = sum(mass for _, (_, _, mass) in ordered)
    return "" if abs(total - 1) <= SUM_TOLERANCE else f"probabilities of bins sum to {total:.9g}, not 1"


def _quantiles(rows: Iterable[Row]) -> tuple[Any, Any]:
    ordered = sorted(pair for _, pair in rows)
    return np.array([value for _, value in ordered]), np.array([level for level, _ in ordered])


def _bins(rows: Iterable[Row]) -> tuple[Any, Any]:
    ordered = sorted(triple for _, triple in rows)
    edges = np.array([ordered[0][0], *(high for _, high, _ in ordered)])
    levels = np.concatenate([[0.0], np.cumsum([mass for _, _, mass in ordered])])
    finite = np.isfinite(edges)
    # Where one end is open the other is left open too.
    kept = finite if finite.all() else finite & (levels > 0) & (levels < levels[-1])
    return edges[kept], (levels / levels[-1] if levels[-1] > 0 else levels)[kept]


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if isfinite(value) else None
