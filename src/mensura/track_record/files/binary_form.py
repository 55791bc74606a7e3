"""The binary form: one file of `probability,outcome`."""

from pathlib import Path

import numpy as np

from mensura.dialogue import Columns
from mensura.track_record.files.book import (
    PROBABILITY_PROBLEMS,
    Book,
    codes,
    count,
    dictionary,
    floats,
    problems,
)
from mensura.track_record.files.table import load

TWICE = """WHEN count(*) OVER (PARTITION BY forecaster, question, time_at) > 1
        THEN 'stands here more than once: forecaster ''' || forecaster || ''', question ''' || question || ''''
        WHEN min(y) OVER (PARTITION BY question) < max(y) OVER (PARTITION BY question)
        THEN 'question ''' || question || ''' has two outcomes'"""
"""What can be wrong with several answers to one question."""


def read_binary(path: str | Path) -> Book:
    """Read a file of `probability,outcome`, one question per row; also with `forecaster`, `question` and `time`."""
    import duckdb

    connection = duckdb.connect()
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
    stated, happened = floats(data["p"]), floats(data["y"])
    page = Columns(
        np.stack([stated, 1 - stated], axis=1),
        codes(data["forecaster"]),
        codes(data["number"]),
        floats(data["time_at"]) if named else np.full(len(stated), np.nan),
        (1 - happened).astype(np.int64),
        names,
    )
    questions = int(page.key.max()) + 1 if len(stated) else 0
    unknown = np.full(questions, np.nan)
    return Book([page], unknown, unknown, one_sided=True, bad=sorted(bad), unresolved=unresolved)
