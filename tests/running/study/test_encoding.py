"""Encoding: what two coders make of the same material."""

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli
from mensura.errors import BadData, BadFile
from mensura.running.study.encoding import Decision, compare_codings, read_coding, read_decisions, settle


def test_two_coders_are_brought_together(tmp_path):
    first = {"E1": "A 3", "E2": "B 4", "E3": "C 1"}
    second = {"E1": "A 3", "E2": "B 5"}
    assert [one.item for one in compare_codings(first, second)] == ["E2", "E3"]
    decisions = {
        "E2": Decision("E2", "B 5", "Eve", "the second cell is crossed out"),
        "E3": Decision("E3", "", "Eve", "no"),
    }
    made = settle(first, second, decisions)
    assert made.values == {"E1": "A 3", "E2": "B 5"}
    assert made.agreement == pytest.approx(1 / 3)
    with pytest.raises(BadData, match="1 differences are not settled; the first is 'E3'"):
        settle(first, second, {"E2": decisions["E2"]})
    with pytest.raises(BadData, match="The coders agree on 'E1'"):
        settle(first, second, {**decisions, "E1": Decision("E1", "x", "Eve", "y")})
    with pytest.raises(BadData, match="does not say why"):
        settle(first, second, {**decisions, "E3": Decision("E3", "", "Eve", " ")})
    with pytest.raises(BadData, match="does not say who"):
        settle(first, second, {**decisions, "E3": Decision("E3", "", "", "no")})


def test_of_two_copies_in_a_sheet_the_first_counts(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,value\nE1,A 3\nE1,B 9\n")
    assert read_coding(path) == {"E1": "A 3"}
    path.write_text("thing,value\n")
    with pytest.raises(BadFile, match=r"a.csv:1: the column 'item' is missing"):
        read_coding(path)
    path.write_text("item,value,who,why\nE1,a,x,y\nE1,b,x,y\n")
    with pytest.raises(BadFile, match=r"a.csv:3: 'E1' is decided twice"):
        read_decisions(path)


def test_one_coding_is_not_two(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("item,value\nE1,A 3\n")
    with pytest.raises(BadFile, match="given for both coders"):
        CliRunner().invoke(
            cli, ["study", "encode", "--first", str(path), "--second", str(path)], catch_exceptions=False
        )
