"""Answers: runs as one file with a row or a line for each answer, in the form that the file's ending names."""

import csv
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mensura.dialogue.canonical import canonical
from mensura.store.archive.tables import FLAG, REAL, TEXT, WHOLE, Row, Told, convert, write_lines
from mensura.store.archive.told import SEALED, ToldAnswer, item_scores, told_answers
from mensura.store.head import RunHead
from mensura.store.store import Store
from mensura.table_file import harmless
from mensura.text_file import unwritable

COLUMNS = {
    "run": TEXT,
    "test": TEXT,
    "condition": TEXT,
    "session": TEXT,
    "session_number": WHOLE,
    "item": TEXT,
    "subject": TEXT,
    "role": TEXT,
    "number": WHOLE,
    "key": TEXT,
    "kind": TEXT,
    "prompt": TEXT,
    "answer": TEXT,
    "truth": TEXT,
    "status": TEXT,
    "session_status": TEXT,
    "excluded": TEXT,
    "reward": REAL,
    "invalid": WHOLE,
    "tick": WHOLE,
    "seconds": REAL,
    "asked": TEXT,
}
"""The columns and duckdb's types of them; `score_NAME` follow, one for each score that is given answer by answer."""

Written = tuple[int, str]
"""How many rows were written, and a note for the reader."""


def write_answers(store: Store, heads: Sequence[RunHead], path: Path, *, sessions: Told | None = None) -> Written:
    """Write a row for each answer of some runs, and return how many there are and what a reader must know.

    Truths and scores of a run go along once it is over and opened. Times of asking are in ISO 8601, universal time.
    `sessions` are those that are written; None: all.
    """
    scores, whole = _score_names(store, heads)
    columns = {**COLUMNS, **{f"score_{name}": REAL for name in scores}}
    chosen = None if sessions is None else {session.id for head in heads for session in sessions[head.id]}
    rows = (
        _row(told, head, columns)
        for head in heads
        for told in told_answers(store, head)
        if chosen is None or told.session.id in chosen
    )
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".export-") as folder:
            part = Path(folder) / path.name
            count, note = WRITERS[path.suffix.lower()](part, columns, rows)
            part.chmod(0o600)
            os.replace(part, path)
    except OSError as error:
        raise unwritable(path, error) from error
    sealed = "" if all(head.opened for head in heads) else SEALED
    apart = (
        f"Scores that belong to no single answer ({', '.join(whole)}) are in the tables: --to FOLDER/." if whole else ""
    )
    return count, " ".join(filter(None, [note, sealed, apart]))


def _score_names(store: Store, heads: Sequence[RunHead]) -> tuple[list[str], list[str]]:
    """Return the names of scores that belong to an answer, and of those that never do."""
    found: dict[str, bool] = {}
    for head in heads:
        latest = {result.session: result.scores for result in store.results.latest(head.id)} if head.opened else {}
        found |= {name: False for scores in latest.values() for name in scores.values if name not in found}
        for record, _ in store.records.with_truths(head.id) if latest else ():
            for scores in item_scores(latest.get(record.session), record.answers):
                found.update(dict.fromkeys(scores, True))
    return [name for name in found if found[name]], [name for name in found if not found[name]]


def _row(told: ToldAnswer, head: RunHead, columns: dict[str, str]) -> Row:
    answer, address = told.answer, told.address
    facts = {
        "run": head.id,
        "test": head.test,
        "condition": head.condition,
        "session": told.session.id,
        "session_number": address.session,
        "item": address.item,
        "subject": told.record.cast.get(answer.role, ""),
        "role": answer.role,
        "number": answer.number,
        "key": answer.key,
        "kind": answer.kind,
        "prompt": told.prompt,
        "answer": answer.value,
        "truth": told.truth,
        "status": answer.status,
        "session_status": told.record.status,
        "excluded": told.excluded,
        "reward": answer.reward,
        "invalid": answer.invalid,
        "tick": answer.tick,
        "seconds": answer.seconds,
        "asked": None if told.asked_at is None else datetime.fromtimestamp(told.asked_at, UTC).isoformat(),
    }
    scores = {f"score_{name}": value for name, value in told.item_scores.items()}
    return {column: (facts | scores).get(column) for column in columns}


def _cell(value: Any) -> Any:
    """Return a value as a cell holds it: what is neither a text nor a number is JSON."""
    return value if value is None or isinstance(value, str | int | float) else canonical(value)


def _write_lines(path: Path, columns: dict[str, str], rows: Iterator[Row]) -> Written:
    return write_lines(path, rows)[0], ""


def _write_csv(path: Path, columns: dict[str, str], rows: Iterator[Row]) -> Written:
    count = 0
    with path.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        for row in rows:
            writer.writerow([harmless(_cell(value)) for value in row.values()])
            count += 1
    return count, ""


def _write_workbook(path: Path, columns: dict[str, str], rows: Iterator[Row]) -> Written:
    from mensura.xlsx_file import MOST_CHARACTERS, write_workbook

    cells = ([_cell(value) for value in row.values()] for row in rows)
    count, cut = write_workbook(path, list(columns), cells, sheet="answers")
    return count, f"Texts longer than {MOST_CHARACTERS:,} characters were cut: {cut}." if cut else ""


def _write_parquet(path: Path, columns: dict[str, str], rows: Iterator[Row]) -> Written:
    kinds: dict[str, set[str]] = {"answer": set(), "truth": set()}

    def cells() -> Iterator[Row]:
        for row in rows:
            for name, found in kinds.items():
                found.add(_kind(row[name]))
            yield {name: _cell(value) for name, value in row.items()}

    lines = path.with_suffix(".lines")
    count, longest = write_lines(lines, cells())
    # A column that holds only numbers is a column of numbers.
    told = {name: (found - {""}).pop() if len(found - {""}) == 1 else TEXT for name, found in kinds.items()}
    convert(lines, path, {**columns, **told}, longest=longest)
    return count, ""


def _kind(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return FLAG
    return REAL if isinstance(value, float) or (isinstance(value, int) and abs(value) <= 2**53) else TEXT


WRITERS: dict[str, Callable[[Path, dict[str, str], Iterator[Row]], Written]] = {
    ".csv": _write_csv,
    ".parquet": _write_parquet,
    ".xlsx": _write_workbook,
    ".jsonl": _write_lines,
}
"""How answers are written, by the ending of the file."""
