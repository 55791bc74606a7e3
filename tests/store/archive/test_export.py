"""Exports: tables for analysis."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import duckdb
import numpy as np
import pytest

from mensura.dialogue import Event, Items, Scores
from mensura.errors import BadFile, BadParameter, UnknownName
from mensura.store import RunHead, Store, export_run
from mensura.store.archive.tables import COLUMNS

Begin = Callable[..., str]
Turn = Callable[..., list[Event]]
SECRET = str(2**127 + 12345)


@pytest.fixture
def filled(store: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]) -> Store:
    """Give a store with a run of two sessions, and another run."""
    fill(store, begin, turn, ending)
    return store


def fill(store: Store, begin: Begin, turn: Turn, ending: Callable[..., Event]) -> None:
    """Write a run of two sessions, one of them finished and scored twice, and another run."""
    begin(store, "other", seed_public=True, seed=1)
    session = begin(store, sessions=2, cast={"subject": 'odd, "name"\n'})
    save = {"state": {"é": [1, 2]}, "rng": np.random.PCG64(3).state, "tick": 0}
    store.events.append(session, turn(0, {"b": 0.25, "a": 0.75}, notes={"why": "日本"}), truths={"coin0": "heads"})
    store.events.append(session, [Event(3, "save", value=save)])
    store.events.append(session, [Event(4, "ask", "subject", "x", value="text"), Event(5, "lapse", "subject", "x", 7)])
    store.events.append(session, [ending(6, last_words='=1+1, "quoted"\nsecond line')])
    store.truths.resolve(session, "coin0", "tails", source="we looked again", time=50.0)
    hashes = {"instance_hash": "i", "environment_hash": "e"}
    store.results.add(session, Scores({"brier": Items([0.5, np.nan], ["coin0", "x"])}), scoring="1", **hashes)
    scores = Scores({"brier": Items([0.25, np.nan], ["coin0", "x"]), "all": np.inf}, {"note": "two"})
    store.results.add(session, scores, scoring="2", **hashes)


def read(folder: Path, table: str, format: str, columns: str) -> list[tuple[Any, ...]]:
    """Read a table as an analyst would, in the order of its lines."""
    path = str(folder / f"{table}.{format}")
    with duckdb.connect() as database:
        if format == "parquet":
            found = database.read_parquet(path)
        elif format == "csv":
            found = database.read_csv(path, dtype=COLUMNS[table], allow_quoted_nulls=False)
        else:
            found = database.read_json(path, columns=COLUMNS[table], format="newline_delimited")
        return found.project(columns).fetchall()


@pytest.mark.parametrize("format", ["parquet", "csv", "jsonl"])
def test_tables_hold_what_the_store_holds(filled: Store, tmp_path: Path, format: Any) -> None:
    exported = export_run(filled, "coin-1", tmp_path / "out it's", format=format)
    folder = tmp_path / "out it's"
    assert exported.rows == {
        "runs": 1,
        "sessions": 2,
        "answers": 2,
        "events": 6,
        "contents": 1,
        "truths": 2,
        "results": 5,
        "exclusions": 0,
        "details": 1,
    }
    assert sorted(path.name for path in folder.iterdir()) == sorted(f"{table}.{format}" for table in exported.rows)
    assert sorted(exported.paths) == sorted(folder.iterdir())
    [(run, cast, public)] = read(folder, "runs", format, '"run", "cast", "seed_public"')
    assert (run, json.loads(cast), public) == ("coin-1", {"subject": 'odd, "name"\n'}, False)
    assert read(folder, "sessions", format, "session, status, last_words, number") == [
        # In CSV an apostrophe keeps a spreadsheet from taking it for a formula.
        ("coin-1/0.0.0", "finished", "'" * (format == "csv") + '=1+1, "quoted"\nsecond line', 0),
        ("coin-1/0.0.1", "open", "", 1),
    ]
    answers = read(folder, "answers", format, "key, status, value, truth, seconds, tick, notes")
    assert answers == [
        ("coin0", "answered", '{"b":0.25,"a":0.75}', '"tails"', 0.5, 0, '{"why":"日本"}'),
        ("x", "lapsed", None, None, None, 7, None),
    ]
    assert read(folder, "truths", format, "key, version, value, source") == [
        ("coin0", 1, '"heads"', ""),
        ("coin0", 2, '"tails"', "we looked again"),
    ]
    assert read(folder, "results", format, "scoring, latest, name, item, key, value") == [
        ("1", False, "brier", 0, "coin0", 0.5),
        ("1", False, "brier", 1, "x", None),
        ("2", True, "brier", 0, "coin0", 0.25),
        ("2", True, "brier", 1, "x", None),
        ("2", True, "all", None, None, float("inf")),
    ]
    joined = read(folder, "contents", format, "content, body")
    assert json.loads(joined[0][1])["prompt"] == "Coin 0?"
    events = read(folder, "events", format, "number, kind, content")
    assert events[0] == (1, "ask", joined[0][0])
    assert read(folder, "details", format, "result, details") == [(1, '{"note":"two"}')]


def written(folder: Path) -> str:
    """Give all an export wrote, as one text."""
    return "".join(path.read_text() for path in sorted(folder.iterdir()))


def test_a_secret_seed_is_left_out_unless_asked_for_and_then_said(filled: Store, tmp_path: Path) -> None:
    state = str(np.random.PCG64(3).state["state"]["state"])
    exported = export_run(filled, "coin-1", tmp_path / "bare", format="csv")
    assert exported.seeds == "left out"
    assert str(exported).endswith("The secret seed was left out.")
    assert SECRET not in written(tmp_path / "bare")
    assert state not in written(tmp_path / "bare")
    assert '""state"":{""é"":[1,2]},""rng"":null' in written(tmp_path / "bare")
    exported = export_run(filled, "coin-1", tmp_path / "whole", format="csv", with_seeds=True)
    assert exported.seeds == "included"
    assert "anyone who has this file can compute every question" in str(exported)
    assert SECRET in written(tmp_path / "whole")
    assert state in written(tmp_path / "whole")


def test_a_public_seed_goes_with_the_run(filled: Store, tmp_path: Path) -> None:
    exported = export_run(filled, "other", tmp_path, format="parquet")
    assert exported.seeds == "public"
    assert read(tmp_path, "runs", "parquet", "seed") == [("1",)]


def test_several_runs_go_into_one_export(filled: Store, tmp_path: Path) -> None:
    exported = export_run(filled, ["coin-1", "other", "last"], tmp_path, format="jsonl")
    assert exported.rows["runs"] == 2
    assert exported.rows["sessions"] == 3
    assert exported.seeds == "left out"


def test_an_empty_run_gives_empty_tables_with_their_columns(filled: Store, tmp_path: Path) -> None:
    export_run(filled, "other", tmp_path, format="parquet")
    with duckdb.connect() as database:
        described = database.execute(f"DESCRIBE SELECT * FROM '{tmp_path}/answers.parquet'").fetchall()
    assert [column[0] for column in described][:3] == ["session", "number", "role"]


def test_what_cannot_be_exported_is_said(filled: Store, tmp_path: Path) -> None:
    with pytest.raises(UnknownName):
        export_run(filled, "nothing", tmp_path)
    with pytest.raises(BadParameter, match="parquet, csv, jsonl, xlsx, jspsych, zip; got 'exe'"):
        export_run(filled, "last", tmp_path, format="exe")  # type: ignore[arg-type]
    with pytest.raises(BadParameter, match="No run was named"):
        export_run(filled, [], tmp_path)
    (tmp_path / "file").write_text("taken")
    with pytest.raises(BadFile, match="cannot be written"):
        export_run(filled, "last", tmp_path / "file")
    with pytest.raises(BadFile, match="cannot be written"):
        export_run(filled, "last", tmp_path / "no" / "such.zip", format="zip")
    assert [path.name for path in tmp_path.iterdir() if not path.name.startswith("mensura.db")] == ["file"]


def test_where_files_lay_on_the_machine_of_the_run_is_left_out(store: Store, tmp_path: Path) -> None:
    described = {"subject": {"name": "./mine.py:f", "options": {}, "folder": "/home/ada/secret"}}
    details = {"folder": "/home/ada/secret", "subjects": described}
    head = RunHead("coin-where", "coin-v1", {}, {"subject": "s"}, "", "", "", 1, True, "full", 0.0, details)
    store.runs.add(head)
    for form, name in (("csv", "tables"), ("zip", "run.zip")):
        export_run(store, head.id, tmp_path / name, format=form)
    with ZipFile(tmp_path / "run.zip") as archive:
        packed = b"".join(archive.read(member) for member in archive.namelist())
    written = b"".join(path.read_bytes() for path in (tmp_path / "tables").iterdir())
    assert b"ada" not in packed
    assert b"ada" not in written
    assert b"./mine.py:f" in packed
