"""Calls: several calls in one answer, as rows or with names."""

import numpy as np
import pytest

from mensura.dialogue import Anything, Calls, Number, Text, Tool
from mensura.dialogue.spaces.described import read_space
from mensura.errors import Invalid

SPACE = Calls(
    {
        "send": Tool(
            "Send.", {"to": Text(longest=5), "data": Anything(), "after": Number(low=0, integer=True)}, ("after",)
        ),
        "wait": Tool("Wait."),
    }
)


def test_rows_and_names_come_to_the_same():
    named = [{"call": "send", "arguments": {"to": "x1", "data": [1, None]}}, {"call": "wait", "arguments": {}}]
    rows = [["send", "x1", [1, None], None], ("wait",)]
    assert SPACE.check(named) == SPACE.check(rows) == [("send", "x1", [1, None], None), ("wait",)]
    assert SPACE.check(SPACE.check(named)) == SPACE.check(named)
    assert SPACE.check([]) == []


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("send", "Give a list of calls, empty for none; got 'send'."),
        ([["sned", "x1", 1, None]], "There is no tool called 'sned'. Did you mean send?"),
        ([["send", "x12345", 1, None]], "to of send: The text has 6 characters; at most 5 are allowed."),
        ([["send", "x1", 1, -1]], "after of send: The answer must be at least 0; got -1."),
        ([["send", ["x1"], 1, None]], "to of send: The answer must be a text; got ['x1']."),
        ([["send", "x1", {1, 2}, None]], "data of send: Give something that JSON can hold; got {1, 2}."),
        ([["send", "x1"]], "send has no argument 0; it takes to, data, after."),
        ([[]], 'Give {"call": name, "arguments": {...}}'),
        ([{"call": "send", "arguments": {"to": "x1"}}], "send needs data."),
        ([7], 'Give {"call": name, "arguments": {...}}; got 7.'),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(answer, words):
    with pytest.raises(Invalid) as wrong:
        SPACE.check(answer)
    assert words in str(wrong.value)


def test_a_text_that_passed_once_does_not_let_another_pass():
    SPACE.check([["send", "x1", 1, None]])
    with pytest.raises(Invalid):
        SPACE.check([["send", "x1xxxx", 1, None]])


def test_it_is_read_again_from_its_description_and_logged_by_its_names():
    again = read_space(SPACE.described())
    assert again.check([["send", "x1", 2, 3]]) == [("send", "x1", 2, 3)]
    assert SPACE.data() == {"kind": "calls", "tools": ["send", "wait"]}
    assert SPACE.schema()["items"] == SPACE.single.schema()


def test_people_write_json_or_fill_in_the_form_of_one_call():
    assert SPACE.parse({"answer": '[["wait"]]'}) == [["wait"]]
    filled = {"call": "send", "arguments.send.to": "x1", "arguments.send.data": "[1, 2]"}
    assert SPACE.check(SPACE.parse(filled)) == [("send", "x1", [1, 2], None)]
    with pytest.raises(Invalid, match="a list of calls"):
        SPACE.parse({"answer": "nothing of that"})


def test_random_answers_are_valid():
    rng = np.random.default_rng(1)
    for _ in range(50):
        drawn = SPACE.draw(rng)
        assert SPACE.check(drawn) == drawn


def test_anything_is_what_json_can_hold():
    assert Anything().check((1, "a", None)) == (1, "a", None)
    assert Anything().parse({"answer": "red"}) == "red"
    assert Anything().schema() == {}
