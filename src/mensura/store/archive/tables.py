"""Tables: runs as rows and files for analysis. JSON values are texts; times are seconds since 1970."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from mensura.dialogue import Items, Score, read_scores
from mensura.errors import BadFile
from mensura.store import text
from mensura.store.archive.layout import without_folders
from mensura.store.head import RunHead, SessionHead
from mensura.store.store import Store

Row = dict[str, Any]
TEXT, WHOLE, REAL, FLAG = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"

COLUMNS: dict[str, dict[str, str]] = {
    "runs": {
        "run": TEXT,
        "test": TEXT,
        "parameters": TEXT,
        "cast": TEXT,
        "condition": TEXT,
        "instance_hash": TEXT,
        "environment_hash": TEXT,
        "seed": TEXT,
        "seed_public": FLAG,
        "trace": TEXT,
        "created": REAL,
        "details": TEXT,
    },
    "sessions": {
        "session": TEXT,
        "run": TEXT,
        "course": WHOLE,
        "phase": WHOLE,
        "number": WHOLE,
        "item": TEXT,
        "cast": TEXT,
        "status": TEXT,
        "created": REAL,
        "ended": REAL,
        "last_words": TEXT,
        "excluded": FLAG,
    },
    "answers": {
        "session": TEXT,
        "number": WHOLE,
        "role": TEXT,
        "key": TEXT,
        "kind": TEXT,
        "status": TEXT,
        "value": TEXT,
        "truth": TEXT,
        "reward": REAL,
        "asked": WHOLE,
        "tick": WHOLE,
        "seconds": REAL,
        "invalid": WHOLE,
        "notes": TEXT,
    },
    "events": {
        "session": TEXT,
        "number": WHOLE,
        "kind": TEXT,
        "role": TEXT,
        "key": TEXT,
        "tick": WHOLE,
        "value": TEXT,
        "reward": REAL,
        "until": WHOLE,
        "notes": TEXT,
        "content": TEXT,
        "time": REAL,
    },
    "contents": {"content": TEXT, "body": TEXT},
    "truths": {"session": TEXT, "key": TEXT, "version": WHOLE, "value": TEXT, "source": TEXT, "time": REAL},
    "results": {
        "session": TEXT,
        "result": WHOLE,
        "latest": FLAG,
        "scoring": TEXT,
        "name": TEXT,
        "item": WHOLE,
        "key": TEXT,
        "content": TEXT,
        "outcome": TEXT,
        "value": REAL,
        "better": TEXT,
        "low": REAL,
        "high": REAL,
        "instance_hash": TEXT,
        "environment_hash": TEXT,
        "time": REAL,
        "excluded": FLAG,
    },
    "exclusions": {"session": TEXT, "excluded": FLAG, "reason": TEXT, "planned": FLAG, "who": TEXT, "time": REAL},
    "details": {"session": TEXT, "result": WHOLE, "details": TEXT},
}
"""The tables of an export, their columns and duckdb's types of them."""

Told = Mapping[str, Sequence[SessionHead]]
"""The sessions that are exported, by run."""


def table_rows(
    store: Store, heads: Sequence[RunHead], table: str, *, sessions: Told, with_seeds: bool
) -> Iterator[Row]:
    """Return the rows of one table for some sessions of some runs."""
    if table == "events":
        return _events(store, heads, sessions, with_seeds=with_seeds)
    if table == "runs":
        return _runs(heads, with_seeds=with_seeds)
    makers = {
        "sessions": _sessions,
        "answers": _answers,
        "contents": _contents,
        "truths": _truths,
        "results": _results,
        "details": _details,
        "exclusions": _exclusions,
    }
    return makers[table](store, heads, sessions)


def _runs(heads: Sequence[RunHead], *, with_seeds: bool) -> Iterator[Row]:
    for head in heads:
        facts = asdict(head)
        row: Row = {name: facts[name] for name in COLUMNS["runs"] if name in facts}
        row |= {"run": head.id, "details": without_folders(head.details)}
        for name in ("parameters", "cast", "details"):
            row[name] = text.write(row[name])
        shown = head.seed is not None and (with_seeds or head.seed_public)
        yield {**row, "seed": str(head.seed) if shown else None}


def _sessions(store: Store, heads: Sequence[RunHead], sessions: Told) -> Iterator[Row]:
    for head in heads:
        excluded = store.exclusions.excluded(head.id)
        for session in sessions[head.id]:
            course, phase, number, item = session.address
            yield {
                "session": session.id,
                "run": session.run,
                "course": course,
                "phase": phase,
                "number": number,
                "item": item,
                "cast": text.write(session.cast),
                "status": session.status,
                "created": session.created,
                "ended": session.ended,
                "last_words": session.last_words,
                "excluded": session.id in excluded,
            }


def _answers(store: Store, heads: Sequence[RunHead], sessions: Told) -> Iterator[Row]:
    for head in heads:
        told = {session.id for session in sessions[head.id]}
        for record, truths in store.records.with_truths(head.id):
            if record.session not in told:
                continue
            for answer in record.answers:
                row = {name: getattr(answer, name) for name in COLUMNS["answers"] if hasattr(answer, name)}
                row["value"] = text.write_some(answer.value)
                row["notes"] = text.write_some(answer.notes)
                yield {**row, "session": record.session, "truth": text.write_some(truths.get(answer.key))}


def _events(store: Store, heads: Sequence[RunHead], sessions: Told, *, with_seeds: bool) -> Iterator[Row]:
    names = [name for name in COLUMNS["events"] if name not in ("session", "content", "value", "notes")]
    for head in heads:
        hidden = not (with_seeds or head.seed_public)
        for session in sessions[head.id]:
            for event in store.events.of(session.id):
                row = {name: getattr(event, name) for name in names}
                value = {**event.value, "rng": None} if hidden and event.kind == "save" else event.value
                written = {"value": text.write_some(value), "notes": text.write_some(event.notes)}
                yield {"session": session.id, **row, **written, "content": event.address}


def _contents(store: Store, heads: Sequence[RunHead], sessions: Told) -> Iterator[Row]:
    written: set[str] = set()
    for head in heads:
        for session in sessions[head.id]:
            for address, body in store.events.contents(session.id):
                if address not in written:
                    written.add(address)
                    yield {"content": address, "body": body}


def _truths(store: Store, heads: Sequence[RunHead], sessions: Told) -> Iterator[Row]:
    for head in heads:
        for session in sessions[head.id]:
            for truth in store.truths.history(session.id):
                yield {
                    "session": session.id,
                    "key": truth.key,
                    "version": truth.version,
                    "value": text.write(truth.value),
                    "source": truth.source,
                    "time": truth.time,
                }


def _results(store: Store, heads: Sequence[RunHead], sessions: Told) -> Iterator[Row]:
    for head in heads:
        by_run = read_scores(head.details.get("scores", ()))
        excluded = store.exclusions.excluded(head.id)
        for session in sessions[head.id]:
            history = store.results.history(session.id)
            for number, result in enumerate(history):
                declared = {**by_run, **result.scores.declared}
                facts = {
                    "session": result.session,
                    "result": number,
                    "latest": number == len(history) - 1,
                    "scoring": result.scoring,
                    "instance_hash": result.instance_hash,
                    "environment_hash": result.environment_hash,
                    "time": result.time,
                    "excluded": session.id in excluded,
                }
                for name, score in result.scores.values.items():
                    bounds = _bounds(declared.get(name))
                    for item in _items(score):
                        yield {**facts, "name": name, **item, **bounds}


def _items(score: Items | float) -> Iterator[Row]:
    if not isinstance(score, Items):
        yield {"item": None, "key": None, "content": None, "outcome": None, "value": score}
        return
    size = score.values.size
    keys, ids, outcomes = ([*part, *[None] * (size - len(part))] for part in (score.keys, score.ids, score.outcomes))
    for number, value in enumerate(score.values.ravel().tolist()):
        known = {"key": keys[number], "content": ids[number], "outcome": outcomes[number]}
        yield {"item": number, **known, "value": value}


def _bounds(score: Score | None) -> Row:
    """Return which way is good and what values a score can take; nothing where it is not declared."""
    if score is None:
        return {"better": None, "low": None, "high": None}
    return {"better": score.better, "low": score.low, "high": score.high}


def _details(store: Store, heads: Sequence[RunHead], sessions: Told) -> Iterator[Row]:
    for head in heads:
        for session in sessions[head.id]:
            for number, result in enumerate(store.results.history(session.id)):
                if result.scores.details:
                    yield {"session": session.id, "result": number, "details": text.write(result.scores.details)}


def _exclusions(store: Store, heads: Sequence[RunHead], sessions: Told) -> Iterator[Row]:
    """Return every decision to leave a session out or take it in again, the oldest first."""
    for head in heads:
        told = {session.id for session in sessions[head.id]}
        yield from (asdict(one) for one in store.exclusions.ledger(head.id) if one.session in told)


def write_lines(path: Path, rows: Iterable[Row]) -> tuple[int, int]:
    """Write rows as lines of JSON; return how many there are and how long the longest line is."""
    count = longest = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            line = _line(row)
            file.write(line + "\n")
            count += 1
            longest = max(longest, len(line))
    return count, longest


_finite = json.JSONEncoder(allow_nan=False).encode


def _line(row: dict[str, Any]) -> str:
    try:
        return _finite(row)
    except ValueError:
        return _finite({name: _known(value) for name, value in row.items()})


def _known(value: Any) -> Any:
    """Write an unknown number as null, and an endless one as the word that every reader of tables knows."""
    if isinstance(value, float):
        return None if value != value else value if abs(value) != float("inf") else ("-" * (value < 0) + "Infinity")
    if isinstance(value, list | tuple):
        return [_known(each) for each in value]
    return {name: _known(each) for name, each in value.items()} if isinstance(value, dict) else value


def convert(lines: Path, target: Path, columns: dict[str, str], *, longest: int) -> None:
    """Let duckdb read lines of JSON and write a table; it holds only a part in memory."""
    import duckdb

    types = ", ".join(f"{_quoted(name)}: {_quoted(kind)}" for name, kind in columns.items())
    source = (
        f"read_json({_quoted(str(lines))}, format='newline_delimited', columns={{{types}}}, "
        f"maximum_object_size={max(2**24, 2 * longest)})"
    )
    options = "FORMAT parquet, COMPRESSION zstd" if target.suffix.lower() == ".parquet" else "FORMAT csv, HEADER"
    try:
        with duckdb.connect() as database:
            database.execute(f"COPY (SELECT * FROM {source}) TO {_quoted(str(target))} ({options})")
    except duckdb.Error as error:
        raise BadFile(f"The table {target.name} cannot be written: {str(error).splitlines()[0]}") from error


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
