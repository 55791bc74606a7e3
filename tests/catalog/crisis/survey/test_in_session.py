"""The survey at the end of a session: answered by simulated participants, scored beside the office, never confused."""

import numpy as np

from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.subjects.nothing import Nothing
from mensura.catalog.crisis.subjects.respondent import Respondent
from mensura.catalog.crisis.survey.survey import PREFIX, survey
from mensura.dialogue import Scores
from mensura.running.take import take
from mensura.stats import cronbach_alpha

PARAMETERS = {"condition": "cots", "package": "practice-1", "minutes": 2, "survey": True}


class Brief:
    """Does nothing in the office, then agrees with everything."""

    def __call__(self, ask):
        if ask.key.startswith(PREFIX):
            return 1 if ask.space.kind == "likert" else "More chairs."
        return {"call": "finish", "arguments": {}}


def test_answers_to_the_survey_stand_beside_the_score_of_the_office():
    taken = take(crisis, Brief(), seed=1, parameters=PARAMETERS)
    scores = crisis.score(taken.record, taken.truths)
    assert isinstance(scores, Scores)
    assert scores.values["survey_ease_of_use"].values.tolist() == [1, 1, 1]
    assert scores.values["survey_disorientation"].values.tolist() == [7] * 5
    assert scores.values["survey_assistant"] == 0
    assert scores.details["open_answers"] == {"suggestions": "More chairs."}
    without = take(crisis, Brief(), seed=1, parameters={**PARAMETERS, "survey": False})
    plain = crisis.score(without.record, without.truths)
    assert plain.values["final"] == scores.values["final"]
    assert "survey_flow" not in plain.values


def test_whoever_says_nothing_leaves_the_survey_unknown():
    taken = take(crisis, Nothing(), seed=1, parameters=PARAMETERS)
    assert taken.session.status == "finished"
    scores = crisis.score(taken.record, taken.truths)
    assert np.isnan(scores.values["survey_flow"].values).all()


def test_simulated_respondents_answer_a_categorys_items_alike():
    rows = []
    for seed in range(200):
        respondent = Respondent(np.random.default_rng(seed))
        given = {
            ask.key: respondent(ask) for ask in survey().ask(np.random.default_rng(0), {}, prefix=PREFIX) if ask.space
        }
        rows.append(survey().score(given, prefix=PREFIX).values["disorientation"].values)
    assert cronbach_alpha(np.array(rows)).alpha.low > 0.7
