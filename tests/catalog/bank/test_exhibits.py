"""Exhibits of banks: positions of the right option, and calibration of probabilities."""

import numpy as np
import pytest

import mensura
from mensura.dialogue import Noted, Refused
from mensura.running.results.exhibits import exhibits_of_runs

COUNT = 24
ITEMS = mensura.bank(
    [{"prompt": f"Item {i}", "options": ["a", "b", "c"], "answer": "abc"[i % 3]} for i in range(COUNT)], name="letters"
)
TITLE = "Accuracy by the position of the right option"


def shown(tmp_path, subject, *, sessions=1, **parameters):
    with mensura.open_store(tmp_path / "x.db") as store:
        runs = mensura.run(ITEMS, subject, store=store, seed=1, sessions=sessions, parameters=parameters)
        heads = [one.head for one in runs.results]
        return {exhibit.title: exhibit for exhibit in exhibits_of_runs(heads, store=store, test=ITEMS)}


def first(ask):
    """Always choose the first option."""
    return ask.space.options[0]


def fixed(ask):
    """Choose by content, whatever the position."""
    return "a" if int(ask.prompt.split()[-1]) % 2 else "b"


def test_a_liking_for_the_first_position_is_seen(tmp_path):
    exhibit = shown(tmp_path, first, shuffle=True)[TITLE]
    assert [row[1] for row in exhibit.rows] == [1, 2, 3]
    assert [row[3].value for row in exhibit.rows] == [1, 0, 0]
    assert [(row[4], row[5]) for row in exhibit.rows] == [(COUNT, 1), (0, 0), (0, 0)]
    assert sum(row[2] for row in exhibit.rows) == COUNT
    assert all(row[3].n == row[2] for row in exhibit.rows)
    (note,) = exhibit.notes
    assert note.startswith("first, positions chosen: The counts do not fit what was expected")


def test_a_choice_by_content_shows_no_liking(tmp_path):
    exhibit = shown(tmp_path, fixed, shuffle=True, sessions=3)[TITLE]
    assert sum(row[4] for row in exhibit.rows) == 3 * COUNT
    assert "may well be as expected" in exhibit.notes[0]
    # Asked three times, an item stands at most once in the n of a position.
    assert all(row[3].n <= COUNT and row[3].n < row[2] for row in exhibit.rows)


def test_what_was_not_answered_is_wrong_where_it_stood_and_chooses_nothing(tmp_path):
    def answers_one(ask):
        # Item 0 is answered, and wrongly: its right option is "a".
        return "b" if ask.prompt == "Item 0" else Refused("")

    exhibit = shown(tmp_path, answers_one, shuffle=True)[TITLE]
    assert [row[3].value for row in exhibit.rows] == [0, 0, 0]
    assert sum(row[4] for row in exhibit.rows) == 1


def test_who_declined_everything_is_not_shown(tmp_path):
    assert shown(tmp_path, lambda ask: Refused(""), shuffle=True) == {}


def test_several_subjects_stand_in_one_table_and_none_where_nothing_was_permuted(tmp_path):
    assert {row[0] for row in shown(tmp_path, [first, fixed], shuffle=True)[TITLE].rows} == {"first", "fixed"}
    assert shown(tmp_path, first) == {}


def knows_half(ask):
    """Know the items with even numbers, and say so; have no idea of the others."""
    number = int(ask.prompt.split()[-1])
    likely = dict.fromkeys("abc", 1 / 3) if number % 2 else {o: 0.8 if o == "abc"[number % 3] else 0.1 for o in "abc"}
    return {option: likely[option] for option in ask.space.options}


def test_probabilities_of_choices_have_calibration_curves_as_people_have(tmp_path):
    found = shown(tmp_path, knows_half, elicit="probabilities", shuffle=True, sessions=2)
    assert "Who scores how much" in found
    (row,) = found["Who scores how much"].rows
    assert row[:2] == ("knows_half", COUNT)
    assert row[2].value == pytest.approx((np.log(0.8) + np.log(3)) / 2)
    assert any("External validity" in str(figure.chart().to_dict()) for figure in found["knows_half"].figures)
    positions = found[TITLE]
    # Where all are alike likely, each is chosen a third of the time.
    assert sum(row[4] for row in positions.rows) == pytest.approx(2 * COUNT)
    assert positions.notes == []


def test_a_cached_answer_is_no_second_forecast(tmp_path):
    asked = []

    def cached(ask):
        asked.append(ask.key)
        return Noted(knows_half(ask), {"cached": asked.count(ask.key) > 1})

    once = shown(tmp_path, knows_half, elicit="probabilities")
    again = shown(tmp_path, cached, elicit="probabilities", sessions=3)
    rows = [row for found in (once, again) for row in found["Who scores how much"].rows]
    ends = [(row[2].low, row[2].high, row[3].low, row[3].high) for row in rows]
    assert ends[0] == pytest.approx(ends[1])
