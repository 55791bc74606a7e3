"""Answers are right, wrong or missing; what cannot be calibrated is named."""

import numpy as np
import pytest

from mensura.errors import BadData, MensuraError
from mensura.stats.response.responses import calibratable, left_out_words, read_model, response_matrix


def some(persons=40, items=4, seed=1):
    return (np.random.default_rng(seed).random((persons, items)) < 0.5).astype(float)


def test_other_numbers_than_0_and_1_are_refused():
    with pytest.raises(BadData, match="1 \\(right\\), 0 \\(wrong\\) or missing; got 2"):
        response_matrix([[0, 2]])


def test_names_must_match_and_differ():
    with pytest.raises(BadData, match="named twice"):
        response_matrix([[0, 1]], items=["a", "a"])
    with pytest.raises(BadData, match="1 persons and 1 items are named"):
        response_matrix([[0, 1]], items=["a"])


def test_constant_items_are_left_out_by_name():
    right = some()
    right[:, 1], right[:, 2] = 1, np.nan
    found = calibratable(response_matrix(right), model="rasch")
    assert found.left_out == {
        "item2": "constant: all 40 answers are right",
        "item3": "constant: nobody answered it",
    }
    assert found.matrix.items == ("item1", "item4")
    assert "item2 (constant: all 40 answers are right)" in found.remarks[0]


def test_items_with_few_answers_are_left_out_by_name():
    right = some()
    right[5:, 0] = np.nan
    assert calibratable(response_matrix(right), model="rasch").left_out["item1"].startswith("only 5 answers")


def test_persons_who_have_all_alike_stay_and_are_said():
    right = some()
    right[0] = 1
    found = calibratable(response_matrix(right), model="rasch")
    assert len(found.matrix.persons) == 40
    assert "answered all items alike" in found.remarks[0]


def test_persons_without_an_answer_do_not_count():
    right = some()
    right[:3] = np.nan
    assert len(calibratable(response_matrix(right), model="rasch").matrix.persons) == 37


@pytest.mark.parametrize(
    ("right", "model"),
    [(some(20), "rasch"), (some(99), "2pl"), (some(199), "3pl"), (some(200, 2), "2pl"), (np.ones((200, 5)), "rasch")],
)
def test_too_small_a_matrix_is_refused_in_a_sentence(right, model):
    with pytest.raises(BadData, match="Too small to calibrate"):
        calibratable(response_matrix(right), model=model)


def test_few_persons_for_three_parameters_are_warned_of():
    assert "below 1000" in calibratable(response_matrix(some(300)), model="3pl").remarks[-1]


def test_many_left_out_items_are_counted():
    assert left_out_words({f"q{i}": "why" for i in range(11)}).endswith("q7 and 3 others (why)")


def test_a_model_is_known_by_its_name():
    assert read_model("2PL") == "2pl"
    with pytest.raises(MensuraError, match="Models are rasch, 2pl, 3pl"):
        read_model("graded")


def test_persons_are_counted_where_no_item_is_left():
    few = response_matrix([[1, 0], [0, 1], [1, 1], [0, 0], [1, 0]])
    with pytest.raises(BadData, match="there are 5 persons and 0 such items"):
        calibratable(few, model="rasch")


def test_rows_that_are_all_constant_are_refused_in_a_sentence():
    right = np.repeat([[1.0, 1, 1, np.nan], [0, 0, 0, 0]], 100, axis=0)
    with pytest.raises(BadData, match="all 200 persons answered all of their items alike"):
        calibratable(response_matrix(right), model="2pl")
