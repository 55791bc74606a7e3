"""Spaces: one declaration gives the check, the schema, the array form, the form fields and the random answer."""

import json
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.dialogue import (
    Action,
    Allocation,
    Call,
    Choice,
    Circle,
    Density,
    Distribution,
    File,
    Likert,
    Number,
    Point,
    Probability,
    Questions,
    Table,
    Text,
    Tool,
)
from mensura.dialogue.canonical import canonical
from mensura.errors import Invalid, MissingExtra

SPACES = [
    Choice(("red", "blue")),
    Action(("left", "right", "stay"), keys=("ArrowLeft", "ArrowRight", " ")),
    Number(),
    Number(low=-3),
    Number(high=3),
    Number(low=0, high=10, integer=True, unit="m"),
    Probability(),
    Likert(5),
    Distribution(("a", "b", "c")),
    Allocation(("x", "y"), total=20, unit="points"),
    Density(0, 100),
    Density(0, 100, bins=5),
    Text(longest=50),
    Point((0, 0), (10, 5)),
    Circle((0, 0), (10, 5), largest=3),
    Table({"name": Text(), "age": Number(low=0)}, least_rows=1),
    File(types=("text/plain",), most_bytes=100),
    Questions({"like": ("Do you like it?", Likert(5)), "why": ("Why?", Text(longest=50))}),
    Call(
        {"say": Tool("Speak.", {"words": Text()}), "wait": Tool("Wait."), "go": Tool("Go.", {"to": Point()}, ("to",))}
    ),
]
NAMES = [f"{space.kind}{number}" for number, space in enumerate(SPACES)]
every_space = pytest.mark.parametrize("space", SPACES, ids=NAMES)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@every_space
def test_a_random_answer_is_valid_and_already_canonical(space):
    rng = np.random.default_rng(1)
    for _ in range(50):
        answer = space.draw(rng)
        assert space.check(answer) == answer
        assert space.check(json.loads(canonical(answer))) == answer


@every_space
def test_a_random_answer_fits_the_schema(space):
    from jsonschema import Draft202012Validator

    Draft202012Validator.check_schema(space.schema())
    validator = Draft202012Validator(space.schema())
    rng = np.random.default_rng(2)
    for _ in range(20):
        answer = space.draw(rng)
        if space.kind == "action":
            answer = space.names[answer]
        validator.validate(answer)


@every_space
@given(answer=ANYTHING)
def test_any_answer_is_taken_canonically_or_refused_in_a_sentence(space, answer):
    checked, sentence = verdict(space, answer)
    if sentence:
        assert sentence[0].isupper() or space.kind in ("point", "circle", "call")
        assert sentence.endswith(".")
        assert len(sentence) < 1000
    else:
        assert space.check(checked) == checked
        json.dumps(checked, allow_nan=False)


def verdict(space, answer):
    """Give the checked answer, or the sentence that refuses it."""
    try:
        return space.check(answer), ""
    except Invalid as wrong:
        return None, str(wrong)


@every_space
def test_a_space_describes_itself_as_json_and_in_words(space):
    assert space.data()["kind"] == space.kind
    assert json.loads(space.fingerprint)["kind"] == space.kind
    assert space.hint().endswith((".", ")"))


@every_space
def test_the_array_form_gives_valid_answers(space):
    pytest.importorskip("gymnasium")
    if space.kind in ("table", "file", "call"):
        with pytest.raises(Invalid, match="array form"):
            space.gym()
        return
    array = space.gym()
    array.seed(1)
    for _ in range(20):
        # An agent may well give a number that is not whole; the check tells it so.
        _, sentence = verdict(space, space.from_gym(array.sample()))
        assert not sentence or "must be" in sentence


@every_space
@pytest.mark.parametrize("action", [-1, 1.9, 99, np.nan, "x", None, [], [-1.0, 2.0], [0.5] * 40], ids=repr)
def test_an_action_outside_the_array_form_is_no_valid_answer(space, action):
    pytest.importorskip("gymnasium")
    try:
        array = space.gym()
    except Invalid:
        return
    words = isinstance(action, str)
    given = np.asarray(action, dtype=float) if hasattr(array, "high") and not words else action
    # Words lie in no array of numbers, and some arrays cannot even be asked.
    if words != (space.kind == "text") or not array.contains(given):
        _, sentence = verdict(space, space.answer_by(action))
        assert sentence


@pytest.mark.parametrize(
    ("space", "typed", "answer"),
    [
        (Choice(("red", "blue")), "red", "red"),
        (Action(("left", "right")), "1", 1),
        (Action(("left", "right")), "right", 1),
        (Number(), "2,5", 2.5),
        (Probability(), "30 %", 0.3),
        (Probability(), "30", 0.3),
        (Likert(7), "4", 4),
        (Distribution(("a", "b")), "25 75 %", {"a": 0.25, "b": 0.75}),
        (Allocation(("a", "b")), "40; 60", {"a": 40.0, "b": 60.0}),
        (Density(0, 10, levels=(0.1, 0.5, 0.9)), "1 2 3", [1.0, 2.0, 3.0]),
        (Text(), "hello", "hello"),
        (Point((0, 0), (9, 9)), "3 4", [3.0, 4.0]),
        (Circle((0, 0), (9, 9)), "3 4 1", [3.0, 4.0, 1.0]),
        (Table({"n": Number()}), '[{"n": 1}]', [{"n": 1.0}]),
        (Call({"wait": Tool("Wait.")}), '{"call": "wait"}', {"call": "wait", "arguments": {}}),
    ],
)
def test_what_a_person_types_is_read(space, typed, answer):
    assert space.check(space.parse({"answer": typed})) == answer


@pytest.mark.parametrize(
    ("space", "fields", "answer"),
    [
        (Distribution(("a", "b")), {"answer.a": "25", "answer.b": "75"}, {"a": 0.25, "b": 0.75}),
        (Distribution(("a", "b")), {"answer.a": "100", "answer.b": ""}, {"a": 1.0, "b": 0.0}),
        (Density(0, 1, bins=2), {"answer.0": "50", "answer.1": "50"}, [0.5, 0.5]),
        (Point((0, 0), (9, 9)), {"answer.x": "3", "answer.y": "4"}, [3.0, 4.0]),
        (
            Table({"n": Number(), "t": Text()}),
            {"answer.0.n": "1", "answer.0.t": "x", "answer.1.n": "", "answer.1.t": ""},
            [{"n": 1.0, "t": "x"}],
        ),
        (
            File(),
            {"answer.name": "a", "answer.type": "b", "answer.content": "YQ=="},
            {"name": "a", "type": "b", "content": "YQ=="},
        ),
        (
            SPACES[-1],
            {"call": "go", "arguments.go.to.x": "0.5", "arguments.go.to.y": "1"},
            {"call": "go", "arguments": {"to": [0.5, 1.0]}},
        ),
        (SPACES[-1], {"call": "go", "arguments.go.to.x": ""}, {"call": "go", "arguments": {}}),
        (SPACES[-1], {"call": "say", "arguments.say.words": "hi"}, {"call": "say", "arguments": {"words": "hi"}}),
    ],
)
def test_the_fields_of_a_form_are_read(space, fields, answer):
    assert space.check(space.parse(fields)) == answer


@pytest.mark.parametrize(
    ("space", "answer", "words"),
    [
        (Choice(("red", "blue")), "gren", "Choose one of red, blue; got 'gren'."),
        (Action(("left",)), 1, "A move is a number from 0 to 0 or one of left; got 1."),
        (Action(("left",)), True, "A move is a number"),
        (Number(), "3", "must be a number; got '3'"),
        (Number(), True, "must be a number; got True"),
        (Number(), float("nan"), "must be finite"),
        (Number(low=1), 0, "at least 1; got 0"),
        (Number(high=1), 2, "at most 1; got 2"),
        (Number(low=0, high=1), 2, "between 0 and 1; got 2"),
        (Number(integer=True), 1.5, "whole number; got 1.5"),
        (Probability(), -0.1, "lies between 0 and 1; got -0.1"),
        (Likert(5), 6, "from 1 to 5; got 6"),
        (Distribution(("a", "b")), [0.5, 0.5], "one amount for each of a, b"),
        (Distribution(("a", "b")), {"a": 1, "c": 0}, "no alternative 'c'"),
        (Distribution(("a", "b")), {"a": 1}, "amount for b is missing"),
        (Distribution(("a", "b")), {"a": 2, "b": -1}, "amount for b is negative: -1"),
        (Allocation(("a", "b")), {"a": 2, "b": 1}, "must sum to 100; they sum to 3"),
        (Density(0, 1), [0.5], "Give 5 numbers, one for each quantile level"),
        (Density(0, 1, levels=(0.5,)), [2], "between 0 and 1; got 2"),
        (Density(0, 1, bins=2), [0.5, 0.6], "must sum to 1; they sum to 1.1"),
        (Density(0, 1, bins=2), [1.5, -0.5], "cannot be negative; got -0.5"),
        (Text(longest=3), "long", "has 4 characters; at most 3"),
        (Text(shortest=3), "x", "has 1 characters; at least 3"),
        (Text(), 3, "must be a text; got 3"),
        (Text(), "a\x00b", "NUL"),
        (Text(), "\ud800", "surrogate"),
        (Point(), [1], r"Give [x, y]; got [1]"),
        (Point(), [3, 0], "x must lie between 0 and 1; got 3"),
        (Circle(largest=1), [0, 0, 2], "radius must lie between 0 and 1; got 2"),
        (Table({"n": Number()}), "x", "list of rows"),
        (Table({"n": Number()}, least_rows=1), [], "Give 1 to 100 rows; got 0"),
        (Table({"n": Number()}), [{"m": 1}], "Row 1 must have the cells n"),
        (Table({"n": Number()}), [{"n": "x"}], "Row 1, n: The answer must be a number"),
        (File(), {"name": "x"}, "base64 content"),
        (File(), {"name": 1, "type": "", "content": ""}, "must be texts"),
        (File(types=("a/b",)), {"name": "", "type": "c/d", "content": ""}, "of type a/b; got 'c/d'"),
        (File(most_bytes=3), {"name": "", "type": "", "content": "A" * 100}, "larger than 3 bytes"),
        (File(most_bytes=3), {"name": "", "type": "", "content": "YWFhYQ=="}, "has 4 bytes; at most 3"),
        (File(), {"name": "", "type": "", "content": "?"}, "not base64"),
        (SPACES[-1], "say", '"call": name'),
        (SPACES[-1], {"call": "sai"}, "Did you mean say?"),
        (SPACES[-1], {"call": "say", "arguments": 3}, "must be an object; got 3"),
        (SPACES[-1], {"call": "say", "arguments": {"volume": 3}}, "no argument 'volume'; it takes words"),
        (SPACES[-1], {"call": "wait", "arguments": {"x": 3}}, "it takes no arguments"),
        (SPACES[-1], {"call": "say"}, "say needs words"),
        (SPACES[-1], {"call": "say", "arguments": {"words": 3}}, "words of say: The answer must be a text"),
    ],
)
def test_what_is_wrong_is_said(space, answer, words):
    with pytest.raises(Invalid) as wrong:
        space.check(answer)
    assert words in str(wrong.value)


@pytest.mark.parametrize(
    ("space", "fields", "words"),
    [
        (Number(), {}, "Nothing was answered."),
        (Number(), {"answer": "three"}, "must be a number; got 'three'"),
        (Action(("left",)), {"answer": "lefft"}, "Did you mean left?"),
        (Action(("left",)), {"answer": "²"}, "Moves are left."),
        (Table({"n": Number()}), {"answer.².n": "1"}, "Nothing was answered."),
        (Distribution(("a", "b")), {"answer": "1"}, "Give 2 numbers, for a, b; got 1"),
        (Point(), {"answer": "1"}, "Give x, y; got 1 numbers"),
        (Table({"n": Number()}), {"answer": "{"}, "JSON"),
        (SPACES[-1], {"answer": "{"}, "JSON"),
    ],
)
def test_what_cannot_be_read_is_said(space, fields, words):
    with pytest.raises(Invalid) as wrong:
        space.parse(fields)
    assert words in str(wrong.value)


def test_an_unknown_tool_in_a_form_is_left_to_the_check():
    assert SPACES[-1].parse({"call": "fly"}) == {"call": "fly", "arguments": {}}


def test_numpy_numbers_are_numbers():
    assert Action(("a", "b")).check(np.int64(1)) == 1
    assert type(Probability().check(np.float32(0.5))) is float
    assert Number(integer=True).check(np.int32(3)) == 3


def test_a_long_wrong_value_is_cut_in_the_sentence():
    with pytest.raises(Invalid) as wrong:
        Choice(("a",)).check("x" * 10_000)
    assert len(str(wrong.value)) < 200


def test_even_shares_stand_for_an_array_of_zeros():
    assert Distribution(("a", "b")).from_gym(np.zeros(2)) == {"a": 0.5, "b": 0.5}
    assert Density(0, 1, bins=2).from_gym(np.zeros(2)) == [0.5, 0.5]


def test_the_bins_of_a_density_have_edges():
    assert Density(0, 10, bins=4).edges() == [0.0, 2.5, 5.0, 7.5, 10.0]
    assert Density(0, 10).edges() == [0.0, 10.0]


def test_without_gymnasium_arrays_say_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(MissingExtra, match=r'pip install "mensura\[gym\]"'):
        Probability().gym()


@pytest.mark.parametrize(
    ("space", "answer", "taken"),
    [
        (Distribution(tuple("abcd")), {"a": 0.33, "b": 0.33, "c": 0.33, "d": 0}, [1 / 3, 1 / 3, 1 / 3, 0]),
        (Distribution(tuple("abc")), {"a": 0.34, "b": 0.34, "c": 0.34}, [1 / 3] * 3),
        (Distribution(tuple("ab")), {"a": 60, "b": 40}, [0.6, 0.4]),
        (Allocation(tuple("ab")), {"a": 0.6, "b": 0.4}, [60, 40]),
        (Allocation(tuple("abc")), {"a": 33, "b": 33, "c": 33}, [100 / 3] * 3),
        (Allocation(tuple("ab"), total=10, unit="points"), {"a": 5, "b": 5.1}, [5 / 1.01, 5.1 / 1.01]),
        (Density(0, 1, bins=3), [0.33, 0.33, 0.33], [1 / 3] * 3),
        (Density(0, 1, bins=2), [30, 70], [0.3, 0.7]),
    ],
)
def test_programs_may_round_in_every_space_of_shares(space, answer, taken):
    found = space.check(answer)
    values = list(found.values()) if isinstance(found, dict) else found
    assert values == pytest.approx(taken, abs=1e-12)
    assert sum(values) == pytest.approx(space.whole, abs=1e-9)
    assert space.check(found) == found


@pytest.mark.parametrize(
    ("space", "amounts"),
    [(Distribution(tuple("abcd")), None), (Allocation(tuple("abcd")), None), (Density(0, 1, bins=4), list)],
)
@pytest.mark.parametrize("amount", [1e308, float("nan"), float("inf"), 0.26, 0.24, 10**400])
def test_shares_that_are_no_shares_are_refused_in_a_sentence(space, amounts, amount):
    answer = [amount] * 4 if amounts is list else dict.fromkeys("abcd", amount)
    with pytest.raises(Invalid, match=r"must sum to 1(00)?; they sum to|must be finite|is too large"):
        space.check(answer)


def test_points_are_not_percents_of_them():
    with pytest.raises(Invalid, match="must sum to 10; they sum to 1"):
        Allocation(tuple("ab"), total=10, unit="points").check({"a": 0.5, "b": 0.5})
