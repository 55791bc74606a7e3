"""What a JSON text holds, or one sentence on why it cannot be read, whatever a stranger wrote."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.errors import BadFile
from mensura.json_file import loads, parse_json, read_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='[]{}"\\a,é'),
    lambda one: st.lists(one) | st.dictionaries(st.text(), one),
)


def test_what_a_file_holds_is_read(tmp_path):
    path = tmp_path / "a.json"
    path.write_text('\ufeff{"name": "Zoë"}', encoding="utf-8")
    assert read_json(path) == {"name": "Zoë"}


@settings(max_examples=25, deadline=None)
@given(VALUES)
def test_whatever_python_writes_is_read_again(value):
    assert loads(json.dumps(value)) == loads(json.dumps(value).encode("utf-16")) == value


@pytest.mark.parametrize(
    ("opening", "closing", "levels"), [("[", "]", 100), ('{"a":', "}", 100), ('[{"]": ', "}]", 50), ("[[],", "]", 99)]
)
def test_depth_is_bounded_whatever_stands_between_the_brackets(opening, closing, levels):
    assert loads(opening * levels + "1" + closing * levels)
    for many in (levels + 1, 50_000):
        with pytest.raises(json.JSONDecodeError, match="nested more than 100 levels deep"):
            loads(opening * many + "1" + closing * many)


def test_brackets_in_texts_and_beside_one_another_are_not_depth():
    beside = [["[" * 500, '"' + "{" * 500, "\\"]] * 500
    assert loads(json.dumps(beside)) == beside


def test_an_unfinished_text_of_many_quotes_is_refused_at_once():
    with pytest.raises(json.JSONDecodeError):
        loads("[" * 101 + '"\\' * 500_000)


def test_a_text_that_is_too_long_is_refused(monkeypatch):
    monkeypatch.setattr("mensura.json_file.LARGEST", 100)
    with pytest.raises(json.JSONDecodeError, match="too large, more than 100 characters"):
        loads("1" * 101)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"a":\n[}', r"a\.json:2: this is not JSON: Expecting value"),
        (b"", r"a\.json:1: this is not JSON"),
        (b"9" * 5000, r"a\.json:1: this is not JSON: a whole number has thousands of digits"),
        (b"[" * 100_000, r"a\.json:1: this is not JSON: it is nested more than 100 levels deep"),
        (b'{"a": "\xff"}', r"a\.json cannot be read: it is not UTF-8 text"),
        (b"\0", r"a\.json:1: this is not JSON"),
    ],
)
def test_what_is_not_json_is_said_with_the_files_name(tmp_path, content, words):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=words):
        read_json(path)
    with pytest.raises(json.JSONDecodeError):
        loads(content)


def test_a_text_in_a_file_is_named_by_that_file():
    with pytest.raises(BadFile, match=r"^b\.jsonl:1: this is not JSON"):
        parse_json("x", "b.jsonl")
