"""Vector: several numbers, each between bounds of its own."""

import json
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.dialogue import Vector
from mensura.errors import Invalid

BOUND = Vector((-1.0, 0.0), (1.0, 5.0))
WHOLE = Vector((0, 2), (3, 9), integer=True)
FREE = Vector((-inf, 0.0, -inf), (inf, inf, 4.0))


@pytest.mark.parametrize("space", [BOUND, WHOLE, FREE])
def test_what_is_drawn_is_valid_and_stays_itself(space):
    rng = np.random.default_rng(1)
    for _ in range(100):
        answer = space.draw(rng)
        assert space.check(answer) == answer
        assert space.check(json.loads(json.dumps(answer))) == answer


@pytest.mark.parametrize(
    ("space", "answer", "sentence"),
    [
        (BOUND, 3, "Give 2 numbers"),
        (BOUND, [1], "Give 2 numbers"),
        (BOUND, [0, 6], "Number 2 must lie between 0 and 5; got 6."),
        (BOUND, ["a", 0], "Number 1 must be a number"),
        (BOUND, [True, 0], "Number 1 must be a number"),
        (BOUND, [float("nan"), 0], "Number 1 must be finite"),
        (FREE, [float("inf"), 0, 0], "Number 1 must be finite"),
        (WHOLE, [0.5, 3], "Number 1 must be whole; got 0.5."),
    ],
)
def test_wrong_answers_are_refused_with_a_sentence(space, answer, sentence):
    with pytest.raises(Invalid, match=sentence):
        space.check(answer)


def test_people_type_numbers_in_a_line_or_in_fields():
    assert BOUND.check(BOUND.parse({"answer": "0.5 3"})) == [0.5, 3]
    assert BOUND.check(BOUND.parse({"answer": "[0.5, 3]"})) == [0.5, 3]
    assert BOUND.check(BOUND.parse({"answer.0": "0,5", "answer.1": "3"})) == [0.5, 3]
    with pytest.raises(Invalid, match="2 numbers"):
        BOUND.parse({"answer": "[0.5, "})
    with pytest.raises(Invalid, match="Number 2 must be a number"):
        BOUND.parse({"answer.0": "0.5"})


def test_bounds_that_do_not_bind_are_null_in_json():
    data = json.loads(FREE.fingerprint)
    assert data == {"kind": "vector", "low": [None, 0.0, None], "high": [None, None, 4.0], "integer": False}
    assert FREE.schema()["prefixItems"] == [
        {"type": "number"},
        {"type": "number", "minimum": 0.0},
        {"type": "number", "maximum": 4.0},
    ]
    assert "2 whole numbers" in WHOLE.hint()


@pytest.mark.parametrize("space", [BOUND, WHOLE, FREE])
def test_agents_answer_with_arrays(space):
    pytest.importorskip("gymnasium")
    actions = space.gym()
    actions.seed(1)
    for _ in range(50):
        answer = space.from_gym(actions.sample())
        assert space.check(answer) == answer


@given(st.lists(st.floats(allow_nan=True, allow_infinity=True) | st.text() | st.none(), max_size=4))
def test_anything_is_either_valid_or_refused_with_a_sentence(answer):
    sentence, checked = "", []
    try:
        checked = BOUND.check(answer)
    except Invalid as wrong:
        sentence = str(wrong)
    inside = len(checked) == 2 and all(a <= x <= b for a, x, b in zip(BOUND.low, checked, BOUND.high, strict=True))
    assert sentence.endswith(".") or inside
