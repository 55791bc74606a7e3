"""The columnar form of records."""

import numpy as np

from mensura.dialogue import Columns, Record, columns_of
from mensura.dialogue.record import Answer


def test_records_become_columns_and_a_session_comes_back():
    one = Record("coin-v1", {}, session="a", answers=[Answer(1, "", "x", "probability", 0.25, "answered", tick=3)])
    other = Record("coin-v1", {}, session="b", answers=[Answer(1, "", "y", "probability"), Answer(2, "", "x", "", 1.0)])
    other.answers[1].status = "answered"
    columns = columns_of([one, other])
    assert columns.sessions == ["a", "b"]
    assert columns.key.tolist() == [0, 1, 0]
    assert columns.value[[0, 2]].tolist() == [0.25, 1.0]
    assert np.isnan(columns.value[1])
    back = columns.record(0).answers[0]
    assert (back.key, back.value, back.tick, back.status) == ("x", 0.25, 3, "answered")
    assert columns.record(1).answers[0].status == "missing"


def test_an_answer_of_several_numbers_is_a_row():
    answers = [Answer(1, "", "x", "distribution", [0.2, 0.8], "answered"), Answer(2, "", "y", "distribution")]
    columns = columns_of([Record("urn-v1", {}, answers=answers)])
    assert columns.value[0].tolist() == [0.2, 0.8]
    assert np.isnan(columns.value[1]).all()


def test_chosen_rows_are_taken_without_touching_the_names():
    columns = columns_of(
        [Record("coin-v1", {}, session=name, answers=[Answer(1, "", "x", "", 1.0, "answered")]) for name in "abc"]
    )
    chosen = columns.take(columns.session != 1)
    assert len(chosen) == 2
    assert chosen.sessions == columns.sessions
    assert isinstance(chosen, Columns)
    assert len(columns_of([])) == 0
