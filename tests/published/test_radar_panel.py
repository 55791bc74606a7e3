"""RADAR Test (Steinfeld et al. 2006, CMU-CS-06-125): how its panel (§4.3) and its survey (§3.4) are scored."""

import numpy as np
import pytest

from mensura.catalog.rating.dialogue import rating
from mensura.catalog.survey.dialogue import survey_test
from mensura.running.take import take


def test_section_4_3_four_bullets_are_summed_and_divided_by_sixteen():
    rubric = {"items": [{"key": "briefing", "text": "Rate.", "pick": 4, "scale": {"from": 0, "to": 4}}]}
    answers = iter(["one", 4, "two", 3, "three", 2, "four", 1])
    parameters = {"rubric": rubric, "artefacts": [{"code": "K", "text": "A made-up briefing of four bullets."}]}
    taken = take(rating, lambda ask: next(answers), seed=1, parameters=parameters)
    assert rating.score(taken.record, {})["score"].values.tolist() == [(4 + 3 + 2 + 1) / 16]


def test_section_3_4_items_of_a_category_are_flipped_to_one_direction_and_averaged():
    collaboration = [
        {"key": str(number), "text": f"Statement {number}.", "category": "collaboration", "reverse": number in (10, 13)}
        for number in range(10, 18)
    ]
    survey = survey_test(
        collaboration,
        name="radar",
        scale={"points": 7, "low": "strongly agree", "high": "strongly disagree"},
        differences={"assistant": ["16", "17"]},
    )
    answers = iter([7, 1, 2, 6, 1, 3, 2, 5])
    scores = survey.score(take(survey, lambda ask: next(answers), seed=1).record, {}).values
    assert np.mean(scores["collaboration"].values) == pytest.approx(np.mean([1, 1, 2, 2, 1, 3, 2, 5]))
    assert scores["assistant"] == 2 - 5
