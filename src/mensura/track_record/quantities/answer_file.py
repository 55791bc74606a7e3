"""Reading quantities: `forecaster,question,level,value` or `forecaster,question,low,high,probability`, and outcomes."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from mensura.errors import BadFile
from mensura.scores.alternatives import SUM_TOLERANCE
from mensura.track_record.files.table import BadRow, LoadedFile, load
from mensura.track_record.quantities.forecast import QuantityForecast

QUANTILES = ("forecaster", "question", "level", "value")
BINS = ("forecaster", "question", "low", "high", "probability")
Row = tuple[int, tuple[float, ...]]


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
    are divided: so that quantities of different units can be averaged.
    """
    import duckdb

    connection = duckdb.connect()
    said = _load_forecasts(connection, forecasts)
    came = load(connection, outcomes, table="came", wanted=("question", "outcome"), optional=("scale",))
    read = Quantities([], said.bad + came.bad, scaled="scale" in came.columns)
    truths = _truths(connection, came, read)
    gathered = _gather(connection, said, read)
    bins = "low" in said.columns
    for (forecaster, question), rows in gathered.items():
        if question not in truths:
            read.unresolved += 1
            continue
        problem = _bins_problem(rows) if bins else _quantiles_problem(rows)
        if problem:
            read.bad.append(BadRow(said.name, rows[0][0], f"{problem} ({forecaster!r} on question {question!r})"))
            continue
        values, levels = _bins(rows) if bins else _quantiles(rows)
        form = "bins" if bins else "quantiles"
        read.forecasts.append(QuantityForecast(forecaster, question, form, values, levels, *truths[question]))  # type: ignore[arg-type]
    read.bad.sort()
    return read


def _load_forecasts(connection: Any, path: str | Path) -> LoadedFile:
    try:
        return load(connection, path, table="said", wanted=QUANTILES, optional=())
    except BadFile as problem:
        if "no column" not in str(problem):
            raise
    try:
        return load(connection, path, table="said", wanted=BINS, optional=())
    except BadFile:
        raise BadFile(
            f"{Path(path).name} needs the columns {', '.join(QUANTILES)}; or, for probabilities of bins, "
            f"{', '.join(BINS)}."
        ) from None


def _truths(connection: Any, came: LoadedFile, read: Quantities) -> dict[str, tuple[float, float]]:
    scale = "scale" if "scale" in came.columns else "'1'"
    truths: dict[str, tuple[float, float]] = {}
    seen: set[str] = set()
    for row, question, outcome, size in connection.execute(
        f"SELECT row, question, outcome, {scale} FROM came"
    ).fetchall():
        if question is None:
            read.bad.append(BadRow(came.name, row, "the question is empty"))
        elif question in seen:
            read.bad.append(BadRow(came.name, row, f"question {question!r} stands here a second time"))
            truths.pop(question, None)
        elif outcome is not None:
            value, unit = _number(outcome), _number(size)
            if value is None:
                read.bad.append(BadRow(came.name, row, f"outcome {outcome!r} is not a number"))
            elif unit is None or unit <= 0:
                read.bad.append(BadRow(came.name, row, f"scale {size!r} is not a number above zero"))
            else:
                truths[question] = (value, unit)
        seen.add(question)
    return truths


def _gather(connection: Any, said: LoadedFile, read: Quantities) -> dict[tuple[str, str], list[Row]]:
    """Put the rows of each forecast together; one bad row spoils its forecast."""
    columns = BINS if "low" in said.columns else QUANTILES
    gathered: dict[tuple[str, str], list[Row]] = {}
    spoilt: set[tuple[str, str]] = set()
    for row, forecaster, question, *texts in connection.execute(
        f"SELECT row, {', '.join(columns)} FROM said"
    ).fetchall():
        if forecaster is None or question is None:
            read.bad.append(
                BadRow(said.name, row, f"the {'forecaster' if forecaster is None else 'question'} is empty")
            )
            continue
        numbers = [_number(text) for text in texts]
        if None in numbers:
            place = numbers.index(None)
            problem = f"{columns[2 + place]} {texts[place]!r} is not a number"
            read.bad.append(BadRow(said.name, row, problem))
            spoilt.add((forecaster, question))
            continue
        gathered.setdefault((forecaster, question), []).append(
            (row, tuple(number for number in numbers if number is not None))
        )
    return {key: rows for key, rows in gathered.items() if key not in spoilt}


def _quantiles_problem(rows: list[Row]) -> str:
    ordered = sorted(rows, key=lambda row: row[1][0])
    for (_, (level, value)), (_, (after, higher)) in pairwise(ordered):
        if level == after:
            return f"level {level:g} stands here a second time"
        if higher < value:
            return f"the value at level {after:g}, {higher:g}, lies below that at level {level:g}, {value:g}"
    outside = [level for _, (level, _) in ordered if not 0 < level < 1]
    if outside:
        return f"level {outside[0]:g} does not lie strictly between 0 and 1"
    return "" if len(ordered) > 1 else "a single quantile is no distribution"


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
    edges = [ordered[0][0], *(high for _, high, _ in ordered)]
    levels = np.concatenate([[0.0], np.cumsum([mass for _, _, mass in ordered])])
    return np.array(edges), levels / levels[-1]


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if isfinite(value) else None
