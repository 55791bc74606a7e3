"""Answers of runs and of files become a matrix in which nothing that was left out helps anybody."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mensura.catalog.bank.dialogue import bank as bank_test
from mensura.errors import BadFile, BadParameter
from mensura.running.calibrating.bank_file import bank_of, write_bank
from mensura.running.calibrating.responses import read_responses, responses_of
from mensura.running.items.table import item_table
from mensura.running.run import RunOptions, Selection, run
from mensura.stats.response.curves import ItemCurve
from mensura.store import open_store
from tests.able import Somebody
from tests.sums import model, program, write_sums

TOGETHER = RunOptions(selection=Selection(together=True))


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with open_store(tmp_path_factory.mktemp("calibrating") / "x.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def sums(tmp_path_factory):
    return write_sums(tmp_path_factory.mktemp("bank") / "sums.jsonl", 12)


def test_each_subject_is_a_row_whose_unanswered_items_are_wrong_and_lost_ones_missing(store, sums):
    ids = [
        run(sums, model, store=store, sessions=2, seed=1).head.id,
        run(sums, program, store=store, seed=2, options=TOGETHER).head.id,
    ]
    table = item_table(ids, store=store)
    found = responses_of(table)
    right = found.matrix.right
    assert found.matrix.persons == ("model", "program")
    assert found.people == (False, False)
    assert right[0, 7] == 0, "the model refused this one"
    assert right[1].tolist() == [1.0] * 10 + [0.0] * 2
    by_session = responses_of(table, persons="sessions").matrix
    assert by_session.persons == ("model, session 1", "model, session 2", "program")
    # What was lost on our side has no value.
    values = np.where(np.arange(12) == 2, np.nan, table.runs[1].values["accuracy"])
    lost = replace(table, runs=(table.runs[0], replace(table.runs[1], values={"accuracy": values})))
    assert np.isnan(responses_of(lost).matrix.right[1]).tolist() == [place == 2 for place in range(12)]
    assert np.isnan(responses_of(table.withholding(None)).matrix.right).all(), "verdicts that are kept back"


def test_numbers_are_not_calibrated(store, tmp_path):
    path = tmp_path / "numbers.jsonl"
    path.write_text(json.dumps({"prompt": "How far?", "answer": 3.5}) + "\n")
    id = run(str(path), "chance", store=store, seed=1).head.id
    with pytest.raises(BadParameter, match="only right and wrong answers are calibrated"):
        responses_of(item_table([id], store=store))


def test_a_bank_is_written_with_its_calibrations_and_taken_adaptively(store, sums, tmp_path):
    id = run(sums, Somebody(), store=store, sessions=60, seed=5, options=TOGETHER).head.id
    table = item_table([id], store=store)
    found = responses_of(table, persons="sessions").measure("rasch")
    assert found.calibrated.persons == 60
    shares = found.matrix.right.mean(axis=0)
    hardness = [found.calibrated.items[name].b for name in found.matrix.items if name in found.calibrated.items]
    varied = [share for share in shares if 0 < share < 1]
    assert np.corrcoef(hardness, varied)[0, 1] < -0.9
    path = tmp_path / "bank.jsonl"
    assert write_bank(bank_of(table, named=None), found.calibrated.items, path) == len(found.calibrated.items)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["prompt"] for line in lines] == [row.prompt for row in table.rows]
    assert lines[1]["calibration"]["norm"] == f"60 persons of {id}"
    written = bank_test(str(path))
    assert written.bank.hash == bank_test(sums).bank.hash, "a calibration is no part of an item"
    taken = run(str(path), Somebody(), store=store, seed=8, parameters={"adaptive": True, "precision": 0.6})
    ability = taken.scores["ability"]
    assert ability.has_interval
    assert ability.n == len(item_table([taken.head.id], store=store).rows) < 12
    assert f"60 persons of {id}" in ability.note
    again = item_table([taken.head.id], store=store)
    assert again.rows[0].parameter("b").has_interval


def test_banks_that_are_not_named_or_no_banks_are_said(store):
    with pytest.raises(BadParameter, match=r"--bank items\.jsonl"):
        bank_of(None, named=None)
    with pytest.raises(BadParameter, match="coin is not a bank"):
        bank_of(None, named="coin")


def test_items_of_other_files_are_written_as_lines(tmp_path):
    (tmp_path / "a.csv").write_text("prompt,answer,id\nWho wrote Emma?,Austen,emma\nWho wrote It?,King,it\n")
    made = bank_test(str(tmp_path / "a.csv")).bank
    write_bank(made, {"emma": ItemCurve("2pl", 1.0, 0.5)}, tmp_path / "b.jsonl")
    again = bank_test(str(tmp_path / "b.jsonl")).bank
    assert [item.hash for item in again] == [item.hash for item in made]
    assert list(again.calibrations) == ["emma"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a,b\n", "holds no answers"),
        ("a,\n1,0\n", "column 2 has no name"),
        ("a,b\n1,0\n1\n", ":3: 1 cells under 2 items"),
        ("a,b\n1,yes\n", ":2, column b: an answer is 1 \\(right\\), 0 \\(wrong\\) or empty"),
        ("a,a\n1,0\n", "named twice"),
    ],
)
def test_a_file_of_answers_that_is_none_is_explained(tmp_path, text, words):
    (tmp_path / "x.csv").write_text(text)
    with pytest.raises(BadFile, match=words):
        read_responses(tmp_path / "x.csv")


def test_a_file_that_is_not_there_is_said():
    with pytest.raises(BadFile, match="cannot be read"):
        read_responses("nowhere.csv")


def test_empty_cells_are_missing(tmp_path):
    (tmp_path / "x.csv").write_text("a,b\n1,\n0,1\n\n")
    assert np.isnan(read_responses(tmp_path / "x.csv").matrix.right).tolist() == [[False, True], [False, False]]
