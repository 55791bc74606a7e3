"""Answers recorded before."""

import json

import numpy as np
import pytest

from mensura.dialogue import Address, Ask, Choice, Distribution, Number, Probability, Refused, Text, test
from mensura.errors import BadFile
from mensura.running.run import run
from mensura.store import open_store
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


ITEMS = [{"id": name, "prompt": f"Is {name} first?", "answer": name == "a"} for name in "abc"]
EPOCHS = [(True, False, False), (True, True, False), (False, True, False)]
"""What is recorded of each item, epoch by epoch: 3, 2 and 1 of 3 right."""


def recorded_run(folder, rows, subject="recorded:{}", sessions=3):
    """Run a bank of three items by what was recorded, and return the number right in each session."""
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, ITEMS)))
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)))
    with open_store(folder / "lab.db") as store:
        name = subject.format(folder / "answers.jsonl")
        head = run(f"{folder}/items.jsonl", name, store=store, sessions=sessions, seed=1).head
        found = [0] * sessions
        for session, scores in store.results.of(head.id).items():
            right = scores.values["accuracy"].values
            found[int(session.rpartition("/")[2].split(".")[2])] += float(right[~np.isnan(right)].sum())
        return found


@pytest.mark.parametrize("subject", ["recorded:{}", "team:vote(recorded:{0},recorded:{0})"])
def test_each_epoch_of_an_item_has_its_own_answer(tmp_path, subject):
    rows = [{"key": key, "answer": said} for epoch in EPOCHS for key, said in zip("abc", epoch, strict=True)]
    assert recorded_run(tmp_path, rows, subject) == [3, 2, 1]


@pytest.mark.parametrize("column", ["epoch", "session"])
def test_rows_may_name_their_epoch_in_any_order(tmp_path, column):
    rows = [
        {"key": key, "answer": said, column: place + 1 if column == "epoch" else f"old-run/0.0.{place}.abc"}
        for place, epoch in reversed(list(enumerate(EPOCHS)))
        for key, said in zip("abc", epoch, strict=True)
    ]
    assert recorded_run(tmp_path, rows) == [3, 2, 1]


def test_an_epoch_that_was_not_recorded_is_refused_and_not_the_first_one_again(tmp_path):
    rows = [{"key": key, "answer": said} for key, said in zip("abc", EPOCHS[0], strict=True)]
    assert recorded_run(tmp_path, rows, sessions=2) == [3, 0]


def test_items_that_are_asked_one_by_one_need_keys(tmp_path):
    assert recorded_run(tmp_path, [{"answer": True}, {"answer": False}, {"answer": False}], sessions=1) == [0]


def test_sessions_of_an_export_are_replayed_each_as_it_was():
    rows = [{"session": f"coin-1/0.0.{n}", "key": "a", "answer": n / 10} for n in range(3)]
    subject = Recorded(rows)
    for n in (2, 0, 1):
        subject.begin(np.random.default_rng(1), address=Address(session=n))
        assert subject(heads("a")) == n / 10
        assert subject(heads("a")) == Refused("Nothing is recorded for a.")


@pytest.mark.parametrize(("row", "words"), [({"epoch": 0}, "got 0"), ({"epoch": "one"}, "got 'one'")])
def test_an_epoch_that_is_no_number_is_named(row, words):
    with pytest.raises(BadFile, match=f"`epoch` is a whole number from 1; {words}"):
        Recorded([{"key": "a", "answer": 1, **row}])


@pytest.mark.parametrize(
    ("space", "said", "read"),
    [
        (Choice(("yes", "no")), True, "yes"),
        (Choice(("no", "yes")), False, "no"),
        (Choice(("yes", "no")), "true", "yes"),
        (Choice(("54", "56")), 56, "56"),
        (Probability(), True, 1),
        (Probability(), False, 0),
    ],
)
def test_answers_may_have_the_form_that_a_bank_gives_them(space, said, read):
    assert space.check(Recorded([{"answer": said}])(Ask("?", space))) == read
