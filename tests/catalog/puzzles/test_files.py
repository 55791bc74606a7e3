"""The one format of files: what is written is read again, and what is wrong is named with its line."""

import json

import pytest

from mensura.catalog.bank.dialogue import bank
from mensura.catalog.puzzles.files.line import read_line, read_lines, write_lines
from mensura.catalog.puzzles.norm import read_norm
from mensura.catalog.puzzles.posing import PuzzleRequest, pose
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt
from mensura.dialogue import generator
from mensura.errors import BadFile

LINE = {"id": "one", "kind": "matrix", "prompt": "What follows?", "options": ["3", "4"], "answer": "4"}


@pytest.mark.parametrize("form", ["choice", "construct"])
def test_what_is_written_is_read_again(tiny, tmp_path, form):
    lines = pose(PuzzleRequest(count=6, presentation="mixed", answer=form), generator(3))
    assert write_lines(lines, tmp_path / "items.jsonl") == 6
    again = read_lines(tmp_path / "items.jsonl")
    assert [line.as_json() for line in again] == [json.loads(json.dumps(line.as_json())) for line in lines]


def test_a_line_of_our_own_needs_little():
    line = read_line(LINE)
    assert (line.chance, line.load, line.proof) == (0.5, {}, {})
    assert line.prompt == PuzzlePrompt("matrix", "What follows?", ())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"answer": "5"}, "The answer lies outside the space: Choose one of 3, 4; got '5'"),
        ({"kind": "matrices"}, "There is no kind of puzzle called 'matrices'. Did you mean matrix?"),
        ({"prompt": None}, "It has no `prompt`"),
        ({"prompt": {"cells": []}}, "`prompt` is a text, or an object with `question`"),
        ({"prompt": {"question": "?", "cells": [{"type": "text"}]}}, "is a list of objects with `type` and `words`"),
        ({"prompt": {"question": "?", "cells": 5}}, "`cells` of the prompt is a list of objects with `type`"),
        ({"derivation": 7}, "`derivation` is a list of rules, [operation, [constants], what it acts on]; got 7"),
        ({"proof": 7}, "`proof` has numbers for complexity, checked, alternatives; got 7"),
        ({"tags": 7}, "`tags` is a list; got 7"),
        ({"answers": [7]}, "`answers` is a list of [answer, weight]; got [7]"),
        ({"options": ["4", "4"]}, "`options` are two or more different texts"),
        ({"options": None}, "It needs `options`, or a `space`"),
        ({"load": {"rulez": 3}}, "`load` has numbers for rules, types"),
        ({"optoins": []}, "There is no part of a puzzle called 'optoins'. Did you mean options?"),
    ],
)
def test_a_line_that_is_wrong_is_named_with_what_is_wrong(tmp_path, change, words):
    file = tmp_path / "items.jsonl"
    file.write_text(f"{json.dumps(LINE)}\n\n{json.dumps({**LINE, 'id': 'two', **change})}\n")
    with pytest.raises(BadFile) as caught:
        read_lines(file)
    assert str(caught.value).startswith(f"{file}:3: ")
    assert words in str(caught.value)


def test_no_two_lines_have_one_id_and_no_file_is_empty(tmp_path):
    file = tmp_path / "items.jsonl"
    file.write_text(f"{json.dumps(LINE)}\n{json.dumps(LINE)}\n")
    with pytest.raises(BadFile, match="is also that of line 1"):
        read_lines(file)
    file.write_text("{\n")
    with pytest.raises(BadFile, match="this is not JSON"):
        read_lines(file)
    file.write_text("\n")
    with pytest.raises(BadFile, match="mensura generate puzzles"):
        read_lines(file)


def test_a_bank_takes_prompts_that_are_more_than_text_and_reads_past_what_describes_them(tiny, tmp_path):
    file = tmp_path / "items.jsonl"
    write_lines(pose(PuzzleRequest(count=4), generator(3)), file)
    items = list(bank(str(file)).bank)
    assert all(isinstance(item.prompt, PuzzlePrompt) for item in items)
    assert {tag for item in items for tag in item.tags} >= {"number-series", "rules-1"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"prompt": {"kind": "nothing-such"}}, "an object of an installed kind of prompt"),
        ({"prompt": {"kind": "puzzle"}}, "The prompt of kind 'puzzle' cannot be made"),
        ({"loda": {}}, "There is no part of an item called 'loda'. Did you mean load"),
    ],
)
def test_a_bank_says_what_is_wrong_with_such_a_line(tiny, tmp_path, change, words):
    [line] = pose(PuzzleRequest(count=1), generator(3))
    file = tmp_path / "items.jsonl"
    file.write_text(json.dumps({**line.as_json(), **change}) + "\n")
    with pytest.raises(BadFile, match=words):
        bank(str(file))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind,right\nmatrix,3\n", "a norm is a CSV with the columns"),
        ("kind,right,asked\nmatrices,3,4\n", "Did you mean matrix"),
        ("kind,right,asked\nmatrix,5,4\n", "of 4 answers 5 cannot have been right"),
        ("kind,right,asked\nmatrix,many,4\n", "right and asked are numbers"),
    ],
)
def test_a_norm_that_is_wrong_is_named_with_its_row(tmp_path, text, words):
    file = tmp_path / "norm.csv"
    file.write_text(text)
    with pytest.raises(BadFile, match=words):
        read_norm(str(file))
