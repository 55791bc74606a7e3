"""Every test of the catalog declares the scores that it gives: which way is good, bounds, who may see them."""

import csv
import re
from dataclasses import replace
from math import log

import pytest

from mensura.catalog.find import find_test, list_tests
from mensura.catalog.questionnaire.dialogue import survey_test
from mensura.dialogue import Refused, Scores, session_mean
from mensura.running.check import CheckOptions, make_trial
from mensura.running.checks.declared import check_scores_declared
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

WORLD = {"individuals": 60, "days": 90}
LAMBDA = {"size": "5", "agents": 3, "episodes": 2, "iterations": 6}
SMALL = {
    "analogy-hidden-v1": {"queries": 3, "among": 4},
    "analogy-translation-v1": {"texts": 3},
    "arcade-v1": {"null_starts": 1, "cap_frames": 40},
    "corridor-v1": {"length": 5, "episodes": 3},
    "crisis-v2": {"package": "practice-1", "minutes": 5},
    "detection-patrol-v2": {**WORLD, "step_days": 10},
    "detection-v2": WORLD,
    "forecasting-v1": {"count": 6},
    "inbox-v1": {"messages": 4, "phase_ticks": 60, "patience": 20},
    "lambda-star-commons-v1": {"seasons": 5},
    "lambda-star-ignorance-v1": {"agents": 3, "rounds": 2, "episodes": 2},
    "lambda-star-landscape-v1": {**LAMBDA, "hills": 3},
    "lambda-star-social-v2": LAMBDA,
    "lambda-star-v1": {**LAMBDA, "agents": 1},
    "puzzles-v1": {"kinds": "number-series,mental-rotation", "count": 6},
    "sensemaking-v1": {"trials": 1, "breaks": False},
    "task-understanding-v1": {"questions": 1, "goals": 1, "runs": 2},
}
FURTHER = [
    ("corridor-v1", {"step_cost": 0.0, "most_steps": 1}),
    ("corridor-v1", {"step_cost": -0.5, "most_steps": 4}),
    ("crisis-v2", {"package": "practice-1", "minutes": 5, "survey": True}),
    ("detection-patrol-v2", {**WORLD, "step_days": 10, "information": 0.0, "alert": 0.0}),
    ("dilemma-v1", {"temptation": 0.0, "reward": -1.0, "punishment": -2.0, "sucker": -3.0, "noise": 0.2}),
    ("forecasting-v1", {"count": 6, "alternatives": 8}),
    ("forecasting-v1", {"count": 6, "questions": "almanac", "alternatives": 3}),
    ("forecasting-v1", {"count": 6, "questions": "quantities"}),
    ("forecasting-v1", {"count": 6, "questions": "quantities", "bins": 3}),
    ("lambda-star-landscape-v1", {**LAMBDA, "agents": 1, "hills": 3, "change": 2}),
    ("lambda-star-social-v2", {**LAMBDA, "needed": 1, "tastes": "3,-2", "reaction": "both"}),
    ("lambda-star-v1", {**LAMBDA, "rules": "original"}),
    ("task-environments-v1", {"physics": "paper", "episodes": 2}),
    ("task-environments-v1", {"task": "two-agents", "told": "neither", "signals": True}),
]
LOSSES = {
    "tragedy": "lambda-star-commons-v1",
    "waste": "lambda-star-commons-v1",
    "inequality": "lambda-star-commons-v1",
    "regret": "lambda-star-landscape-v1",
    "misperception": "lambda-star-ignorance-v1",
    "pluralistic_ignorance": "lambda-star-ignorance-v1",
    "alert_cost": "detection-patrol-v2",
    "information_cost": "detection-patrol-v2",
}
NEITHER = {"steps": "corridor-v1", "perceived_information": "forecasting-v1", "outside_chart": "phrase-readings-v1"}


def trial_of(id, parameters):
    return make_trial(id, options=CheckOptions(sessions=2), **parameters)


def declared_by(id, **parameters):
    test = find_test(id)
    return test.declared_scores(test.fill(parameters))


def scored(id, subject, *, seed=1, **parameters):
    """Let someone take a test and give its scores as every result has them."""
    test = find_test(id)
    taken = take(test, subject, seed=seed, parameters=parameters)
    return score_record(test, taken.record, taken.truths).values


@pytest.mark.parametrize("id", list_tests())
def test_a_test_declares_exactly_the_scores_that_it_gives(id):
    test, given = find_test(id), set()

    def listening(record, truths):
        found = test.score(record, truths)
        given.update(found.values if isinstance(found, Scores) else found)
        return found

    heard = test if test.score is None else replace(test, score=listening)
    found = check_scores_declared(trial_of(heard, SMALL.get(id, {})))
    assert found.passed is not False, found.words
    if test.pooled is not None:
        # What only many sessions give together.
        given.update(test.pooled({}))
    assert set(declared_by(id, **SMALL.get(id, {}))) == given


@pytest.mark.parametrize(("id", "parameters"), FURTHER)
def test_declarations_hold_whatever_the_parameters(id, parameters):
    found = check_scores_declared(trial_of(id, parameters))
    assert found.passed, found.words


@pytest.mark.parametrize(("name", "id"), LOSSES.items())
def test_a_loss_is_better_when_small_whatever_its_name(name, id):
    score = declared_by(id)[name]
    assert score.better == "less"
    assert score.direction == "smaller is better"


@pytest.mark.parametrize(("name", "id"), NEITHER.items())
def test_what_has_no_direction_is_given_none(name, id):
    assert declared_by(id)[name].direction == "neither more nor less is better"


def test_realism_is_best_on_the_diagonal():
    scores = declared_by("forecasting-v1")
    assert scores["realism_slope"].direction == "best at 1"
    assert scores["realism_intercept"].direction == "best at 0"
    assert declared_by("forecasting-v1", questions="quantities")["outside_band"].direction == "best at 0.02"


@pytest.mark.parametrize(("id", "name"), [("forecasting-v1", "logarithmic_score"), ("inbox-v1", "accuracy")])
def test_a_score_says_what_an_unanswered_item_counts(id, name):
    assert declared_by(id)[name].if_unanswered == {"forecasting-v1": 0.0, "inbox-v1": None}[id]


@pytest.mark.parametrize("alternatives", [2, 3, 8])
def test_certainty_reaches_both_bounds_of_forecasts(alternatives):
    parameters = {"questions": "almanac", "alternatives": alternatives, "count": 30, "fixed": True}
    test = find_test("forecasting")

    def certain(ask):
        first = ask.space.options[0]
        return {option: float(option == first) for option in ask.space.options}

    values = scored("forecasting", certain, **parameters)
    for name in ("logarithmic_score", "quadratic_score"):
        score = test.declared_scores(test.fill(parameters))[name]
        assert values[name].values.min() == pytest.approx(score.low, abs=1e-5)
        assert values[name].values.max() == pytest.approx(score.high, abs=1e-5)


def test_certainty_reaches_both_bounds_of_bins():
    test = find_test("forecasting")
    parameters = {"questions": "quantities", "bins": 3, "count": 60, "fixed": True}
    values = scored("forecasting", lambda ask: [1.0, 0.0, 0.0], **parameters)
    for name in ("logarithmic_score", "quadratic_score"):
        score = test.declared_scores(test.fill(parameters))[name]
        assert values[name].values.min() == pytest.approx(score.low)
        assert values[name].values.max() == pytest.approx(score.high)


@pytest.mark.parametrize("off", [-9e-7, 9e-7])
@pytest.mark.parametrize("alternatives", [2, 3])
def test_shares_that_sum_to_one_as_nearly_as_is_asked_stay_within_bounds(off, alternatives):
    parameters = {"questions": "almanac", "alternatives": alternatives, "count": 20, "fixed": True}

    def even(ask):
        return dict.fromkeys(ask.space.options, (1 + off) / alternatives)

    def sure(ask):
        return {option: (1 + off) * (place == 0) for place, option in enumerate(ask.space.options)}

    for answer in (even, sure):
        scored("forecasting", answer, **parameters)


def test_questions_of_ones_own_with_many_alternatives_stay_within_bounds(tmp_path):
    file = tmp_path / "own.csv"
    options = [f"o{number}" for number in range(60)]
    with file.open("w", newline="") as lines:
        rows = [
            ("question", "options", "answer"),
            ("Which?", "|".join(options), "o1"),
            ("Which?", "|".join(options[:50]), "o0"),
            ("Yes?", "yes|no", "no"),
        ]
        csv.writer(lines).writerows(rows)
    parameters = {"questions": str(file), "count": 3, "fixed": True}

    def first(ask):
        return {option: float(place == 0) for place, option in enumerate(ask.space.options)}

    values = scored("forecasting", first, **parameters)
    score = declared_by("forecasting", **parameters)["logarithmic_score"]
    assert sorted(values["logarithmic_score"].values) == pytest.approx([score.low, log(60 * 0.01), score.high])


def test_a_question_left_out_counts_as_ignorance():
    values = scored("forecasting", lambda ask: Refused("no"), count=4, fixed=True)
    assert values["quadratic_score"].values.tolist() == [0.0] * 4


def test_taking_all_or_nothing_reaches_the_bounds_of_the_commons():
    bounds = declared_by("lambda-star-commons")

    def means(subject):
        return {name: session_mean(value) for name, value in scored("lambda-star-commons", subject).items()}

    greed, sloth = means(lambda ask: ask.space.high), means(lambda ask: 0.0)
    assert greed["welfare"] == pytest.approx(bounds["welfare"].low)
    assert greed["tragedy"] == pytest.approx(1)
    assert sloth["waste"] == pytest.approx(1)
    assert sloth["stock"] == pytest.approx(1)
    one = means({"agent1": lambda ask: 1.0, **{f"agent{number}": lambda ask: 0.0 for number in range(2, 6)}})
    assert one["inequality"] == pytest.approx(bounds["inequality"].high)
    assert one["harvest_agent1"] == pytest.approx(5 * one["harvest"])
    best = means(lambda ask: max(0.0, ask.prompt[1].values[0] - 50) / 5)
    assert best["welfare"] == pytest.approx(1)


def test_the_shortest_and_the_longest_walk_reach_the_bounds_of_the_corridor():
    parameters = {"length": 3, "slip": 0.0, "step_cost": 0.1, "most_steps": 5, "episodes": 20}
    bounds = declared_by("corridor", **parameters)
    seen = scored("corridor", lambda ask: 0 if ask.prompt.cells[0][0] == "G" else 1, **parameters)
    assert set(seen["return"].values.round(9)) == {bounds["return"].high}
    still = scored("corridor", lambda ask: Refused("no"), **parameters)
    assert set(still["return"].values) == {bounds["return"].low}
    assert set(still["steps"].values) == {bounds["steps"].high}


def test_payoffs_of_the_dilemma_lie_between_sucker_and_temptation():
    moves = {"first": lambda ask: "defect", "second": lambda ask: "cooperate"}
    values = scored("dilemma", moves, temptation=7.0, reward=4.0, sucker=-1.0)
    bounds = declared_by("dilemma", temptation=7.0, reward=4.0, sucker=-1.0)
    assert set(values["first_payoff"].values) == {bounds["first_payoff"].high}
    assert set(values["second_payoff"].values) == {bounds["second_payoff"].low}


def test_all_wrong_about_others_reaches_the_bounds_of_shared_ignorance():
    def certain(ask):
        return 1.0 if ask.key.endswith("estimate") else "reject"

    values = scored("lambda-star-ignorance", certain, rejecting=1.0, episodes=1)
    means = {name: session_mean(value) for name, value in values.items()}
    assert len(means) == 4 + 3 * 9
    assert {name: value for name, value in means.items() if "agent" not in name} == {
        "pluralistic_ignorance": 1.0,
        "misperception": 1.0,
        "honesty": 1.0,
        "payoff": pytest.approx(1, abs=0.1),
    }


def test_whoever_watches_and_alerts_all_day_pays_the_most_there_is_to_pay():
    parameters = {**WORLD, "step_days": 10, "most_acts": 3}
    bounds = declared_by("detection-patrol", **parameters)

    def watch(ask):
        return {"call": "watch", "arguments": {"target": "T0"}}

    def alert(ask):
        return {"call": "alert", "arguments": {"target": "T0", "level": "2"}}

    assert scored("detection-patrol", watch, **parameters)["information_cost"] == bounds["information_cost"].high
    assert scored("detection-patrol", alert, **parameters)["alert_cost"] == bounds["alert_cost"].high


def test_a_message_filed_at_the_last_moment_waits_no_longer_than_patience():
    def late(ask):
        now, due = int(re.search(r"It is (\d+)", ask.prompt.title)[1]), re.findall(r"(m\d+) at (\d+)", ask.prompt.title)
        urgent = [name for name, tick in due if int(tick) - now <= 3]
        if not urgent:
            return {"call": "wait", "arguments": {}}
        return {"call": "file", "arguments": {"message": urgent[0], "folder": "keep"}}

    delays = scored("inbox", late, phases=1, messages=3, phase_ticks=90, patience=20)["delay"].values
    assert 17 <= delays.min() <= delays.max() < declared_by("inbox", patience=20)["delay"].high == 20


def test_answers_of_the_survey_after_a_crisis_are_for_the_laboratory():
    asked = {name: score for name, score in declared_by("crisis", survey=True).items() if name.startswith("survey_")}
    assert asked
    assert {score.shown_to for score in asked.values()} == {"laboratory"}
    assert {score.better for score in asked.values()} == {None}
    assert not any(name.startswith("survey_") for name in declared_by("crisis"))
    assert {score.shown_to for score in declared_by("crisis").values()} == {"everyone"}


def test_opinions_have_the_bounds_of_their_scale_and_no_direction():
    made = survey_test(
        [
            {"key": "calm", "text": "I was calm.", "category": "mood", "reverse": True},
            {"key": "glad", "text": "I was glad.", "category": "mood"},
            {"key": "age", "text": "How old are you?", "scale": {"from": 0, "to": 120}},
            {"key": "words", "text": "Anything else?", "open": True},
        ],
        name="mood",
        scale=5,
        differences={"lift": ["glad", "calm"]},
    )
    declared = made.declared_scores({})
    assert {name: (score.low, score.high, score.better) for name, score in declared.items()} == {
        "mood": (1, 5, None),
        "lift": (-4, 4, None),
        "age": (0, 120, None),
    }
    assert check_scores_declared(make_trial(made, options=CheckOptions(sessions=2))).passed


def test_ratings_have_the_bounds_of_their_rubric():
    rubric = {
        "items": [
            {"key": "clear", "text": "Is it clear?", "scale": 7},
            {"key": "points", "text": "Pick points.", "scale": {"from": 0, "to": 4}, "pick": 2},
        ]
    }
    declared = declared_by("rating", rubric=rubric)
    assert {name: (score.low, score.high) for name, score in declared.items()} == {
        "clear": (1, 7),
        "points": (0, 1),
        "score": (0, 1),
    }
    assert check_scores_declared(trial_of("rating-v1", {"rubric": rubric})).passed


def test_environments_declare_a_return_without_bounds():
    pytest.importorskip("gymnasium")
    found = check_scores_declared(trial_of("gym:CartPole-v1", {"most_steps": 30}))
    assert found.passed, found.words
    declared = declared_by("gym:CartPole-v1", most_steps=30)
    assert (declared["return"].better, declared["return"].low, declared["return"].high) == ("more", None, None)
    assert (declared["steps"].better, declared["steps"].high) == (None, 30)
