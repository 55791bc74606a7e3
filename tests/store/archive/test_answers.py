"""A run as one file of answers: a row or line each, in the form that the ending names, safe in a spreadsheet."""

import csv
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

import mensura as m
from mensura.dialogue import Ask, Choice, Items, Number, Score, Scores, Text, test
from mensura.dialogue.record import Answer
from mensura.errors import BadFile, BadParameter
from mensura.store import Store, export_run, open_store
from mensura.store.archive.told import item_scores

ENDINGS = ("csv", "parquet", "xlsx", "jsonl")
SUM = '=1+2, "so"\nand next'


@test("mixed-v1")
def mixed(rng):
    """Answer a question in words, one in numbers and one that has no answer."""
    yield Ask("Write a formula.", Text(), key="words", truth="@SUM(A1)")
    yield Ask("How many Häuser <&>?", Number(), key="+count", truth=3)
    yield Ask("Read this.", Choice(("go on",)), key="-read")


@test("whole-v1", score=lambda record, truths: Scores({"all": 0.5}), scores=[Score("all", better="more")])
def whole(rng):
    """Ask for a word."""
    yield Ask("A word?", Text(), key="words", truth="so")


def respond(ask: Any) -> Any:
    """Answer as a spreadsheet would not like it."""
    return {"words": SUM, "+count": -2.5, "-read": "go on"}[ask.key]


@pytest.fixture
def kept(tmp_path: Path) -> Store:
    """Give a store with a finished run of mixed answers."""
    with open_store(tmp_path / "lab.db") as store:
        m.run(mixed, respond, sessions=2, seed=3, store=store)
        yield store


def read(path: Path) -> list[dict[str, Any]]:
    """Read a file as its users would: CSV by the standard library, Parquet by duckdb, workbooks by openpyxl."""
    if path.suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text().splitlines()]
    if path.suffix == ".parquet":
        with duckdb.connect() as database:
            found = database.read_parquet(str(path))
            return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl reads workbooks")
    head, *rows = openpyxl.load_workbook(path).active.iter_rows(values_only=True)
    return [dict(zip(head, row, strict=True)) for row in rows]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_has_a_row_for_each_answer(kept: Store, tmp_path: Path, ending: str) -> None:
    written = export_run(kept, "last", tmp_path / f"x.{ending}")
    assert written.paths == [tmp_path / f"x.{ending}"]
    assert written.rows == {"answers": 6}
    assert written.paths[0].stat().st_mode & 0o077 == 0
    rows = read(written.paths[0])
    assert len(rows) == 6
    assert {row["test"] for row in rows} == {"mixed-v1"}
    assert [int(row["session_number"]) for row in rows] == [0, 0, 0, 1, 1, 1]
    assert [row["session"] for row in rows[:3]] == [kept.sessions.of(written_run(kept))[0].id] * 3
    assert [row["prompt"] for row in rows[:3]] == ["Write a formula.", "How many Häuser <&>?", "Read this."]
    assert [row["status"] for row in rows[:2]] == ["answered", "answered"]
    assert {row["subject"] for row in rows} == {kept.runs.find("last").cast["subject"]}
    assert all(row["asked"].startswith("20") and row["seconds"] is not None for row in rows)
    quoted = "'" if ending == "csv" else ""
    assert rows[0]["answer"] == quoted + SUM
    assert rows[0]["truth"] == quoted + "@SUM(A1)"
    assert [row["key"] for row in rows[:3]] == ["words", f"{quoted}+count", f"{quoted}-read"]
    assert float(rows[1]["answer"]) == -2.5
    assert float(rows[1]["truth"]) == 3


def written_run(store: Store) -> str:
    return store.runs.find("last").id


@pytest.mark.parametrize("ending", ENDINGS)
def test_scores_stand_beside_the_answers_they_belong_to(tmp_path: Path, ending: str) -> None:
    with open_store(tmp_path / "lab.db") as store:
        m.run("coin", "stated", sessions=2, seed=1, parameters={"flips": 3}, store=store)
        export_run(store, "last", tmp_path / f"x.{ending}")
    rows = read(tmp_path / f"x.{ending}")
    assert len(rows) == 6
    for row in rows:
        # Coin's quadratic score is that of always saying one half less the Brier loss.
        gain = 0.25 - (float(row["answer"]) - float(row["truth"])) ** 2
        assert float(row["score_quadratic_score"]) == pytest.approx(gain)


def test_a_parquet_column_of_numbers_is_a_column_of_numbers(kept: Store, tmp_path: Path) -> None:
    m.run("coin", "stated", sessions=1, seed=1, parameters={"flips": 3}, store=kept)
    export_run(kept, "last", tmp_path / "x.parquet")
    assert all(isinstance(row["answer"], float) for row in read(tmp_path / "x.parquet"))


def test_truths_and_scores_wait_until_the_run_is_open(
    kept: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mensura.store.log.runs import RunLedger

    find = RunLedger.find
    monkeypatch.setattr(RunLedger, "find", lambda self, name: replace(find(self, name), opened=None))
    written = export_run(kept, "last", tmp_path / "x.jsonl")
    assert "stay sealed" in str(written)
    rows = read(tmp_path / "x.jsonl")
    assert {row["truth"] for row in rows} == {None}
    assert not any(name.startswith("score_") for row in rows for name in row)
    assert "@SUM" not in (tmp_path / "x.jsonl").read_text()


def test_no_cell_of_a_workbook_is_a_formula(kept: Store, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl reads workbooks")
    export_run(kept, "last", tmp_path / "x.xlsx")
    cells = [cell for row in openpyxl.load_workbook(tmp_path / "x.xlsx").active.iter_rows() for cell in row]
    assert any(cell.value == SUM for cell in cells)
    assert not [cell for cell in cells if cell.data_type == "f"]


def test_no_cell_of_csv_tables_is_a_formula(kept: Store, tmp_path: Path) -> None:
    export_run(kept, "last", tmp_path / "tables", format="csv")
    for table in (tmp_path / "tables").iterdir():
        with table.open(newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert not [cell for cell in cells if cell[:1] in ("=", "@") or cell in ("+count", "-read")], table.name


def test_a_workbook_takes_odd_and_long_texts(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl", reason="openpyxl reads workbooks")
    from mensura.xlsx_file import write_workbook

    row = ["a\x00\ud800]]>&", "_x0041_", "x" * 40_000, 2**80, float("nan"), float("inf"), True, 1e-7]
    path = tmp_path / "odd.xlsx"
    assert write_workbook(path, [f"c{place}" for place in range(len(row))], [row], sheet="odd") == (1, 1)
    _, read_back = openpyxl.load_workbook(path).active.iter_rows(values_only=True)
    odd, literal, long, *numbers = read_back
    assert odd == "a_x0000__xD800_]]>&"
    assert literal == "_x005F_x0041_"
    assert long == "x" * 32_767
    assert numbers == [str(2**80), None, "inf", True, 1e-7]


def test_more_rows_than_a_sheet_takes_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mensura import xlsx_file

    monkeypatch.setattr(xlsx_file, "MOST_ROWS", 3)
    with pytest.raises(BadFile, match=r"A sheet takes 3 rows.*write a \.csv"):
        xlsx_file.write_workbook(tmp_path / "x.xlsx", ["a"], [[1], [2], [3]], sheet="x")


def test_a_folder_is_what_ends_with_a_slash_or_has_no_ending(kept: Store, tmp_path: Path) -> None:
    for place in (f"{tmp_path}/a.b/", f"{tmp_path}/tables"):
        assert "answers" in {path.stem for path in export_run(kept, "last", place).paths}
        assert {path.suffix for path in Path(place).iterdir()} == {".parquet"}
    assert len(export_run(kept, "last", tmp_path / "a.b", format="jsonl").paths) == 9


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("x.tsv", {}, r"No form of export ends in \.tsv\. Files end in \.csv, .*write .*x\.tsv/ with a slash"),
        ("x.txt", {"format": "csv"}, r"x\.txt does not end in \.csv; name a file that does"),
        ("tables", {"format": "xlsx"}, r"is a folder, and a workbook is one file"),
        ("x.csv", {"with_seeds": True}, "Only a zip or a folder of tables carries secret seeds"),
        ("x.json", {"with_seeds": True}, "Only a zip or a folder of tables carries secret seeds"),
        ("x.csv", {"signed": True}, "Only a zip carries a signature"),
    ],
)
def test_what_does_not_fit_the_ending_is_refused(
    kept: Store, tmp_path: Path, name: str, options: dict[str, Any], words: str
) -> None:
    with pytest.raises(BadParameter, match=words):
        export_run(kept, "last", tmp_path / name, **options)
    assert not (tmp_path / name).exists()


def test_sessions_that_are_not_told_are_left_out(kept: Store, tmp_path: Path) -> None:
    head = kept.runs.find("last")
    first = kept.sessions.of(head.id)[:1]
    export_run(kept, "last", tmp_path / "x.jsonl", sessions={head.id: first})
    assert {row["session"] for row in read(tmp_path / "x.jsonl")} == {first[0].id}


def test_a_key_asked_twice_is_matched_in_order() -> None:
    asked = [Answer(1, "subject", "a", "text"), Answer(2, "subject", "a", "text"), Answer(3, "subject", "b", "text")]
    scores = Scores({"right": Items([1, 0, 1], ["a", "a", "b"]), "whole": 0.5})
    assert item_scores(scores, asked) == [{"right": 1}, {"right": 0}, {"right": 1}]
    assert item_scores(Scores({"right": Items([1], ["a"])}), asked) == [{}, {"right": 1}, {}]


def test_a_score_that_may_belong_to_several_roles_is_given_to_none() -> None:
    asked = [Answer(1, "buyer", "price", "number"), Answer(2, "seller", "price", "number")]
    assert item_scores(Scores({"gain": Items([1], ["price"])}), asked) == [{}, {}]
    assert item_scores(Scores({"gain": Items([1, 2], ["price", "price"])}), asked) == [{"gain": 1}, {"gain": 2}]


def test_the_score_of_an_episode_is_beside_its_last_answer(tmp_path: Path) -> None:
    with open_store(tmp_path / "lab.db") as store:
        m.run("corridor", "chance", sessions=1, seed=1, store=store)
        export_run(store, "last", tmp_path / "x.jsonl")
    rows = read(tmp_path / "x.jsonl")
    assert [row["score_steps"] for row in rows] == [None] * (len(rows) - 1) + [len(rows)]


def test_scores_of_no_single_answer_are_named_with_their_place(tmp_path: Path) -> None:
    with open_store(tmp_path / "lab.db") as store:
        m.run(whole, respond, sessions=1, seed=1, store=store)
        written = export_run(store, "last", tmp_path / "x.csv")
    assert "Scores that belong to no single answer (all) are in the tables: --to FOLDER/." in str(written)
    assert not any(name.startswith("score_") for name in read(tmp_path / "x.csv")[0])


@pytest.fixture
def mensura_in(kept: Store, tmp_path: Path) -> Callable[..., Any]:
    """Call the command line with the store."""
    from click.testing import CliRunner

    from mensura.cli.main import cli

    def call(*words: str) -> Any:
        return CliRunner().invoke(cli, [*words, "--store", str(tmp_path / "lab.db")], catch_exceptions=True)

    return call


def test_the_command_writes_what_the_ending_says(
    mensura_in: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [*(f"x.{ending}" for ending in ENDINGS), "run.CSV"]:
        done = mensura_in("export", "last", "--to", name)
        assert f"Wrote {name}: 6 answers." in done.output
        assert Path(name).is_file()
    assert "spans." in mensura_in("export", "last", "--to", "run.spans.jsonl").output
    assert "resourceSpans" in Path("run.spans.jsonl").read_text()
    assert len(Path("x.jsonl").read_text().splitlines()) == 6
    assert mensura_in("export", "last", "--to", "v1.2/").exit_code == 0
    assert Path("v1.2/answers.parquet").is_file()
