"""RADAR Test (Steinfeld et al. 2006, CMU-CS-06-125): how its panel (§4.3) and its survey (§3.4) are scored."""

import numpy as np
import pytest

from mensura.catalog.crisis.survey.survey import MACROS, survey
from mensura.catalog.rating.dialogue import rating
from mensura.running.take import take


def test_section_4_3_four_bullets_are_summed_and_divided_by_sixteen():
    rubric = {"items": [{"key": "briefing", "text": "Rate.", "pick": 4, "scale": {"from": 0, "to": 4}}]}
    answers = iter(["one", 4, "two", 3, "three", 2, "four", 1])
    parameters = {"rubric": rubric, "artefacts": [{"code": "K", "text": "A made-up briefing of four bullets."}]}
    taken = take(rating, lambda ask: next(answers), seed=1, parameters=parameters)
    assert rating.score(taken.record, {})["score"].values.tolist() == [(4 + 3 + 2 + 1) / 16]


def test_section_3_4_items_of_a_category_are_flipped_to_one_direction_and_averaged():
    # Items 10 to 17 are the category Collaboration. 10, 13 and 17 speak against the software.
    answers = dict(zip(range(10, 18), [7, 1, 2, 6, 1, 3, 2, 5], strict=True))
    scores = survey().score({f"q{number}": answer for number, answer in answers.items()}).values
    assert np.mean(scores["collaboration"].values) == pytest.approx(np.mean([1, 1, 2, 2, 1, 3, 2, 3]))
    assert scores["assistant"] == 2 - 5


def test_section_3_4_has_28_items_in_six_categories_of_which_one_is_not_averaged():
    rated = [item for item in survey().items if item.scale is not None]
    assert [int(item.key) for item in rated] == list(range(1, 29))
    assert [sum(item.category == name for item in rated) for name in ("", *MACROS)] == [3, 3, 3, 8, 5, 6]
    assert {(item.scale.low, item.scale.high) for item in rated} == {(1, 7)}
