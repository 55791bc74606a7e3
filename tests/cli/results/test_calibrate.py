"""`mensura calibrate`: a matrix or runs in, item parameters and abilities out."""

import json

import pytest

from tests.stats.response.simulated import simulated


def write(path, matrix, *, constant=False):
    rows = [",".join(matrix.items)]
    for row in matrix.right:
        cells = ["" if one != one else str(int(one)) for one in row]
        rows.append(",".join(["1", *cells[1:]] if constant else cells))
    path.write_text("\n".join(rows) + "\n")


@pytest.fixture
def answers(tmp_path, mensura):
    data = simulated(150, 6, seed=1, missing=0.03)
    write(tmp_path / "answers.csv", data.matrix)
    return data


def test_items_come_in_the_order_of_columns_with_errors_and_abilities(mensura, answers):
    done = mensura("calibrate", "answers.csv", "--model", "2pl", "--json")
    assert done.status == 0, done.err
    data = done.json
    assert [one["id"] for one in data["items"]] == [f"item{place}" for place in range(1, 7)]
    for one in data["items"]:
        assert one["se_a"] > 0
        assert one["se_b"] > 0
        assert one["c"] == 0
    assert len(data["abilities"]) == 150
    assert data["loglik"] < 0
    assert data["converged"] is True
    assert "Next: mensura calibrate" in done.err


def test_tables_are_read_by_people_and_the_report_holds_the_pictures(mensura, answers, tmp_path):
    done = mensura("calibrate", "answers.csv", "--model", "rasch", "--limit", "3", "--report", "c.html")
    assert done.status == 0, done.err
    assert "difficulty b" in done.out
    assert "Persons beside items" in done.out
    assert "The first 3 of 150; --json" in done.out
    assert "item4" not in done.out.split("Item curves")[0]
    page = (tmp_path / "c.html").read_text()
    assert page.count("<svg") >= 3


def test_a_bank_of_the_same_ids_gets_the_calibrations(mensura, answers, tmp_path):
    lines = [{"prompt": f"Is {place} prime?", "answer": True, "id": f"item{place}"} for place in range(1, 8)]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    done = mensura("calibrate", "answers.csv", "--bank", "./items.jsonl", "-o", "bank.jsonl")
    assert done.status == 0, done.err
    assert "6 items with a calibration" in done.err
    taken = mensura("take", "./bank.jsonl", "--adaptive", "--precision", "0.9", "--as", 'constant:"yes"', "--json")
    assert taken.status == 0, taken.err
    assert taken.json["scores"]["ability"]["low"] < taken.json["scores"]["ability"]["value"]
    assert taken.json["ability"]["norm"] == "150 persons of answers.csv"
    assert "--bank items.jsonl" in mensura("calibrate", "answers.csv", "-o", "x.jsonl").err


def test_a_bank_that_is_not_calibrated_is_told_how_to_be(mensura, tmp_path):
    (tmp_path / "items.jsonl").write_text(json.dumps({"prompt": "Is 7 prime?", "answer": True}))
    done = mensura("take", "./items.jsonl", "--adaptive", "--as", "chance")
    assert done.status == 1
    assert "mensura calibrate" in done.err
    assert "Traceback" not in done.err


def test_constant_columns_are_named_and_have_no_numbers(mensura, tmp_path):
    write(tmp_path / "a.csv", simulated(120, 5, seed=2).matrix, constant=True)
    done = mensura("calibrate", "a.csv", "--json")
    assert done.status == 0
    assert done.json["items"][0]["a"] is None
    assert done.json["items"][0]["reason"] == "constant: all 120 answers are right"
    assert "item1 (constant" in done.err


@pytest.mark.parametrize("text", ["a,b\n1,0\n0,1\n", "a,b,c\n" + "1,1,1\n" * 200])
def test_what_is_too_small_says_so(mensura, tmp_path, text):
    (tmp_path / "a.csv").write_text(text)
    done = mensura("calibrate", "a.csv", "--json")
    assert done.status == 1
    assert done.out == ""
    assert "Too small to calibrate" in done.err
