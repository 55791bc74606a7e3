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


def read_binary(path: str | Path) -> Book:
    """Read a file of `probability,outcome`, one question per row; `forecaster` and `question` may be columns too."""
    import duckdb

    connection = duckdb.connect()
    source = load(
        connection, path, table="answers", wanted=("probability", "outcome"), optional=("forecaster", "question")
    )
    who = "coalesce(forecaster, 'all')" if "forecaster" in source.columns else "'all'"
    what = "question" if "question" in source.columns else "row::VARCHAR"
    connection.execute(
        f"""CREATE TEMP TABLE marked AS SELECT row, probability, outcome, {who} AS forecaster, {what} AS question,
        TRY_CAST(probability AS DOUBLE) AS p,
        CASE WHEN lower(outcome) IN ('1', '1.0', 'true', 'yes') THEN 1.0
             WHEN lower(outcome) IN ('0', '0.0', 'false', 'no') THEN 0.0
             WHEN TRY_CAST(outcome AS DOUBLE) IN (0, 1) THEN TRY_CAST(outcome AS DOUBLE) END AS y FROM answers"""
    )
    connection.execute(
        f"""CREATE TEMP TABLE judged AS SELECT *, CASE
        WHEN question IS NULL THEN 'the question is empty'
        {PROBABILITY_PROBLEMS}
        WHEN outcome IS NOT NULL AND y IS NULL THEN 'outcome ''' || outcome || ''' is neither 0 nor 1'
        END AS problem FROM marked"""
    )
    bad = source.bad + problems(connection, source.name, "judged")
    names = dictionary(connection, "judged", "forecaster")
    data = connection.execute(
        """SELECT p, y, f.code AS forecaster, dense_rank() OVER (ORDER BY question) - 1 AS question
        FROM judged JOIN forecaster_codes f ON f.name = forecaster
        WHERE problem IS NULL AND y IS NOT NULL ORDER BY row"""
        if what == "question"
        else """SELECT p, y, f.code AS forecaster, row AS question FROM judged
        JOIN forecaster_codes f ON f.name = forecaster WHERE problem IS NULL AND y IS NOT NULL ORDER BY row"""
    ).fetchnumpy()
    unresolved = count(connection, "SELECT count(*) FROM judged WHERE problem IS NULL AND y IS NULL")
    stated, happened = floats(data["p"]), floats(data["y"])
    page = Columns(
        np.stack([stated, 1 - stated], axis=1),
        codes(data["forecaster"]),
        codes(data["question"]),
        np.full(len(stated), np.nan),
        (1 - happened).astype(np.int64),
        names,
    )
    questions = int(page.key.max()) + 1 if len(stated) else 0
    unknown = np.full(questions, np.nan)
    return Book([page], unknown, unknown, one_sided=True, bad=sorted(bad), unresolved=unresolved)
