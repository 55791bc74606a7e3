"""The binary form: one file of `probability,outcome`."""

from pathlib import Path
from typing import Any

import numpy as np

from mensura.dialogue import Columns
from mensura.dialogue.columns import Codes
from mensura.scores.alternatives import Floats
from mensura.track_record.files.book import PROBABILITY_PROBLEMS, Book, codes, count, dictionary, floats, problems
from mensura.track_record.files.table import PARQUET, load, parquet_columns

TWICE = """WHEN count(*) OVER (PARTITION BY forecaster, question, time_at) > 1
        THEN 'appears more than once: forecaster ''' || forecaster || ''', question ''' || question || ''''
        WHEN min(y) OVER (PARTITION BY question) < max(y) OVER (PARTITION BY question)
        THEN 'question ''' || question || ''' has two outcomes'"""
"""Possible faults of several answers to one question."""


def read_binary(path: str | Path) -> Book:
    """Read a file of `probability,outcome`, one question per row; also with `forecaster`, `question` and `time`."""
    import duckdb

    connection = duckdb.connect()
    if (plain := _plain(connection, Path(path))) is not None:
        return plain
    connection.execute("SET TimeZone='UTC'")
    optional = ("forecaster", "question", "time")
    source = load(connection, path, table="answers", wanted=("probability", "outcome"), optional=optional)
    named, dated = "question" in source.columns, source.has_dates(connection, ("time",))
    who = "coalesce(forecaster, 'all')" if "forecaster" in source.columns else "'all'"
    connection.execute(
        f"""CREATE TEMP TABLE marked AS SELECT row, probability, outcome, {who} AS forecaster,
        {"question" if named else "row::VARCHAR"} AS question, {"time" if "time" in source.columns else "NULL"} AS time,
        {source.moment("time", dated=dated)} AS time_at, TRY_CAST(probability AS DOUBLE) AS p,
        CASE WHEN lower(outcome) IN ('1', '1.0', 'true', 'yes') THEN 1.0
             WHEN lower(outcome) IN ('0', '0.0', 'false', 'no') THEN 0.0
             WHEN TRY_CAST(outcome AS DOUBLE) IN (0, 1) THEN TRY_CAST(outcome AS DOUBLE) END AS y FROM answers"""
    )
    connection.execute(
        f"""CREATE TEMP TABLE judged AS SELECT *, CASE
        WHEN question IS NULL THEN 'the question is empty'
        {PROBABILITY_PROBLEMS} {source.unreadable("time")}
        WHEN outcome IS NOT NULL AND y IS NULL THEN 'outcome ''' || outcome || ''' is neither 0 nor 1'
        {TWICE if named else ""} END AS problem FROM marked"""
    )
    bad = source.bad + problems(connection, source.name, "judged")
    names = dictionary(connection, "judged", "forecaster")
    number, order = (
        ("dense_rank() OVER (ORDER BY question) - 1", "f.code, question, time_at") if named else ("row",) * 2
    )
    data = connection.execute(
        f"""SELECT p, y, time_at, f.code AS forecaster, {number} AS number
        FROM judged JOIN forecaster_codes f ON f.name = forecaster
        WHERE problem IS NULL AND y IS NOT NULL ORDER BY {order}"""
    ).fetchnumpy()
    unresolved = count(connection, "SELECT count(*) FROM judged WHERE problem IS NULL AND y IS NULL")
    times = floats(data["time_at"]) if named else None
    coded = codes(data["forecaster"]), codes(data["number"]), times
    book = _book(floats(data["p"]), floats(data["y"]), coded, names)
    book.bad, book.unresolved = sorted(bad), unresolved
    return book


def _plain(connection: Any, path: Path) -> Book | None:
    """Read numbers without a fault as they are: millions need no look at each row. None where a row needs one."""
    if path.suffix.lower() not in PARQUET or not path.is_file():
        return None
    columns = parquet_columns(connection, path)
    if not columns.keys() >= {"probability", "outcome"} or columns.keys() & {"forecaster", "question", "time"}:
        return None
    if {columns["probability"], columns["outcome"]} & {"VARCHAR", "BLOB"}:
        return None
    query = "SELECT probability::DOUBLE AS p, outcome::DOUBLE AS y FROM read_parquet(?)"
    data = connection.execute(query, [str(path)]).fetchnumpy()
    stated, happened = floats(data["p"]), floats(data["y"])
    if not len(stated) or not ((stated >= 0) & (stated <= 1) & ((happened == 0) | (happened == 1))).all():
        return None
    return _book(stated, happened, (np.zeros(len(stated), np.int64), np.arange(len(stated)), None), ["all"])


def _book(stated: Floats, happened: Floats, coded: tuple[Codes, Codes, Floats | None], names: list[str]) -> Book:
    who, questions, times = coded
    # What is nowhere known is one number, seen from every row.
    times = np.broadcast_to(np.nan, len(stated)) if times is None else times
    pairs = np.empty((len(stated), 2))
    pairs[:, 0], pairs[:, 1] = stated, 1 - stated
    page = Columns(pairs, who, questions, times, (happened == 0).astype(np.int64), names)
    return Book([page], np.empty(0), np.empty(0), one_sided=True)
