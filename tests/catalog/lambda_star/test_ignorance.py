"""Pluralistic ignorance, with a score that shows it."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.ignorance.dialogue import ignorance
from mensura.catalog.lambda_star.ignorance.subjects import SUBJECTS
from mensura.dialogue import Refused
from mensura.errors import BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def play(name, **parameters):
    taken = take(ignorance, SUBJECTS[name](), seed=1, parameters={"episodes": 30, **parameters})
    assert taken.record.status == "finished", taken.session.last_words
    found = score_record(ignorance, taken.record, taken.truths).values
    return {name: items.values for name, items in found.items()}


def test_where_all_are_honest_nobody_is_deceived():
    scores = play("honest")
    assert scores["honesty"].min() == 1.0
    assert scores["pluralistic_ignorance"].max() < 0.13
    assert scores["misperception"].mean() < 0.1


def test_conformists_uphold_a_norm_that_most_reject_and_all_believe_in_it():
    scores = play("conformist")
    assert scores["pluralistic_ignorance"].mean() > 0.4
    assert scores["honesty"].mean() < 0.5


def test_who_judges_others_by_themselves_is_less_deceived():
    assert play("reflective")["misperception"].mean() < play("calculating")["misperception"].mean() - 0.1


def test_where_most_do_support_the_norm_there_is_no_pluralistic_ignorance():
    assert play("conformist", rejecting=0.0)["pluralistic_ignorance"].max() == 0.0


def test_without_pressure_the_calculating_are_honest():
    scores = play("calculating", pressure=0.0)
    assert scores["honesty"].mean() == 1.0
    assert scores["payoff"].mean() == pytest.approx(1.0)


def test_a_payoff_is_at_most_one():
    assert all((play(name)["payoff"] <= 1).all() for name in SUBJECTS)


def test_bad_parameters_are_refused():
    for parameters in ({"agents": 2}, {"pressure": 1.2}, {"rejecting": -0.1}, {"rounds": 0}):
        with pytest.raises(BadParameter, match="got"):
            next(ignorance(np.random.default_rng(1), **parameters))


@pytest.mark.parametrize("silent", ["agent1", "agent2", "agent3"])
def test_keeping_an_estimate_back_counts_as_wrong_by_one(silent):
    def judge(ask):
        estimate = ask.key.endswith("estimate")
        return Refused("no") if estimate and ask.role == silent else 0.0 if estimate else "reject"

    parameters = {"agents": 3, "rounds": 1, "episodes": 2, "rejecting": 1.0}
    taken = take(ignorance, judge, seed=1, parameters=parameters)
    scores = score_record(ignorance, taken.record, taken.truths).values
    assert scores["misperception"].values == pytest.approx([1 / 3] * 2)
    assert scores["pluralistic_ignorance"].values == pytest.approx([1 / 3] * 2)


def test_a_stance_that_is_not_taken_is_dishonest_and_earns_nothing():
    parameters = {"agents": 3, "rounds": 1, "episodes": 2}
    taken = take(ignorance, lambda ask: Refused("no"), seed=1, parameters=parameters)
    scores = score_record(ignorance, taken.record, taken.truths).values
    group = {name: set(items.values) for name, items in scores.items() if "agent" not in name}
    assert group == {
        "pluralistic_ignorance": {1.0},
        "misperception": {1.0},
        "honesty": {0.0},
        "payoff": {0.0},
    }


def test_every_agent_has_its_own_misperception_honesty_and_payoff():
    """One is honest and sees through it, two go along and are taken in; what they earn is that of the rule by hand."""

    def first(ask):
        return 0.0 if ask.key.endswith("estimate") else "reject"

    def second(ask):
        return 1.0 if ask.key.endswith("estimate") else "support"

    parameters = {"agents": 3, "rounds": 4, "episodes": 2, "rejecting": 1.0, "pressure": 0.6}
    taken = take(ignorance, {"agent1": first, "agent2": second, "agent3": second}, seed=1, parameters=parameters)
    scores = score_record(ignorance, taken.record, taken.truths).values
    found = {name: set(items.values.round(9)) for name, items in scores.items()}
    for role, off, honest, paid in (("agent1", 0, 1, 0.4), ("agent2", 1, 0, 0.3), ("agent3", 1, 0, 0.3)):
        assert found[f"misperception_{role}"] == {off}
        assert found[f"honesty_{role}"] == {honest}
        assert found[f"payoff_{role}"] == {paid}
    assert (found["misperception"], found["honesty"]) == ({round(2 / 3, 9)}, {round(1 / 3, 9)})
