"""Answers recorded before."""

import numpy as np
import pytest

from mensura.dialogue import Ask, Choice, Distribution, Number, Probability, Refused, Text, test
from mensura.errors import BadFile
from mensura.subjects import SubjectSpec
from mensura.subjects.recorded import Recorded, read_rows


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield Ask("Heads?", Probability())


def heads(key="", role="subject"):
    return Ask("Heads?", Probability(), key=key, role=role)


def test_answers_are_found_by_key_whatever_their_order():
    subject = Recorded([{"key": "b", "answer": 0.2}, {"key": "a", "answer": 0.1}, {"key": "a", "answer": 0.3}])
    assert [subject(heads("a")), subject(heads("b")), subject(heads("a"))] == [0.1, 0.2, 0.3]
    assert subject(heads("a")) == Refused("Nothing is recorded for a.")
    subject.begin(np.random.default_rng(1))
    assert subject(heads("a")) == 0.1


def test_answers_without_keys_are_given_in_order():
    subject = Recorded([{"value": 0.2}, {"value": 0.1}])
    assert [subject(heads("x")), subject(heads("y"))] == [0.2, 0.1]
    assert isinstance(subject(heads("z")), Refused)


def test_roles_have_their_own_answers():
    rows = [{"key": "a", "role": role, "answer": value} for role, value in [("buyer", 0.1), ("seller", 0.2)]]
    subject = Recorded(rows)
    assert subject(heads("a", role="seller")) == 0.2
    assert subject(heads("a", role="buyer")) == 0.1
    assert isinstance(subject(heads("a", role="judge")), Refused)


def test_a_table_of_texts_is_read_as_each_space_wants_it(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text(
        '\ufeffkey,answer\nnumber,3\nchoice,3\nshares,"{""a"": 0.25, ""b"": 0.75}"\npercent,30%\ntext,true\nwrong,red\n'
    )
    subject = Recorded.read(path)
    assert subject(Ask("?", Number(), key="number")) == 3.0
    assert subject(Ask("?", Choice(("3", "4")), key="choice")) == "3"
    assert subject(Ask("?", Distribution(("a", "b")), key="shares")) == {"a": 0.25, "b": 0.75}
    assert subject(heads("percent")) == 0.3
    assert subject(Ask("?", Text(), key="text")) == "true"
    assert subject(heads("wrong")) == "red"


def test_lines_of_json_are_read_and_named(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"key": "a", "answer": 0.1}\n\n{"key": "b", "answer": null}\n')
    subject = SubjectSpec("recorded:answers.jsonl", folder=str(tmp_path)).make(even)
    assert subject.name == "recorded:answers.jsonl"
    assert subject(heads("a")) == 0.1
    assert subject(heads("b")) is None


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.jsonl", b'{"answer": 1}\nwhat?\n', "line 2: each line is a JSON object"),
        ("a.jsonl", b"[1]\n", "line 1: each line is a JSON object"),
        ("a.jsonl", b'{"key": "a", "reply": 1}\n', "line 1: `answer` is missing; got key, reply"),
        ("a.jsonl", b"\n", "holds no answers"),
        ("a.csv", b"key,reply\na,1\n", "line 2: `answer` is missing"),
        ("a.csv", b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_damaged_file_is_said_with_its_line(tmp_path, name, content, words):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadFile, match=words):
        read_rows(tmp_path / name)


def test_a_missing_file_is_said(tmp_path):
    with pytest.raises(BadFile, match="No such file"):
        SubjectSpec("recorded:none.jsonl", folder=str(tmp_path)).find(even)
