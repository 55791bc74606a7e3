"""The quiz after instruction."""

import numpy as np

from mensura.catalog.crisis.quiz.dialogue import questions, quiz, quiz_for
from mensura.catalog.crisis.quiz.scoring import score
from mensura.catalog.crisis.settings import CONDITIONS
from mensura.dialogue import Refused
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def test_each_condition_is_asked_about_its_own_tools():
    keys = {name: {each.key for each in quiz_for(has.tools)} for name, has in CONDITIONS.items()}
    assert "sheet" in keys["cots"]
    assert "sheet" not in keys["radar+l"]
    assert keys["radar+l"] == keys["radar-l"]
    assert {"proposals", "optimise"} <= keys["radar-l"] - keys["cots"]


def test_options_are_mixed_so_that_the_first_is_not_always_right():
    asks = [ask for ask in quiz.function(np.random.default_rng(1), condition="cots") if ask.space is not None]
    firsts = [ask.space.options[0] == ask.truth for ask in asks]
    assert 0 < sum(firsts) < len(firsts)


def test_a_right_and_a_wrong_answer_are_told_apart():
    right = {each.text: each.options[0] for each in questions()}
    taken = take(quiz, lambda ask: right[ask.prompt], seed=1, parameters={"condition": "cots"})
    scored = score(taken.record, taken.truths)["accuracy"]
    assert scored.values.tolist() == [1.0] * len(quiz_for(CONDITIONS["cots"].tools))
    wrong = {each.text: each.options[1] for each in questions()}
    taken = take(quiz, lambda ask: wrong[ask.prompt], seed=1, parameters={"condition": "cots"})
    assert np.nansum(score(taken.record, taken.truths)["accuracy"].values) == 0


def test_a_question_left_out_is_not_a_right_one():
    right = {each.text: each.options[0] for each in questions()}
    for answer, share in ((lambda ask: Refused("no"), 0), (lambda ask: right[ask.prompt], 1)):
        taken = take(quiz, answer, seed=1)
        values = score_record(quiz, taken.record, taken.truths).values["accuracy"].values
        assert values.tolist() == [share] * len(quiz_for(CONDITIONS["agent"].tools))


def test_no_quiz_is_no_score():
    taken = take(quiz, lambda ask: Refused("no"), seed=1)
    assert score(taken.record, {"world": {}}) == {}
