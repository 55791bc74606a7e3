"""The patrol: information costs, alerts and arrests in time prevent attacks."""

import numpy as np
import pytest

from mensura.catalog.detection.ledger import Plot, Prices, reckon
from mensura.catalog.detection.patrol import patrol
from mensura.catalog.detection.prompts import Reports
from mensura.running.checks import Trial, check_declines, check_replays_alike, check_truth_hidden
from mensura.running.scoring import score_record
from mensura.running.take import take

PLOT = Plot(10, 50, "T1", (("I1", "I9"), ("I2",), ("I3",), ("I4",)))
PRICES = Prices(damage=100, false_arrest=20, alert=3, information=1, alert_days=20)


def alert(target, level):
    return {"call": "alert", "arguments": {"target": target, "level": level}}


def arrest(name):
    return {"call": "arrest", "arguments": {"name": name}}


@pytest.mark.parametrize(
    ("acts", "damage", "total"),
    [
        ([], 100, 100),
        ([(40, alert("T1", "1"))], 50, 53),
        ([(40, alert("T1", "2"))], 0, 6),
        ([(20, alert("T1", "2"))], 100, 106),
        ([(51, alert("T1", "2"))], 100, 106),
        ([(40, alert("T2", "2"))], 100, 106),
        ([(40, arrest("I1"))], 0, 0),
        ([(40, arrest("I9"))], 0, 0),
        ([(40, arrest("I2"))], 100, 100),
        ([(40, arrest("I2")), (41, arrest("I3"))], 0, 0),
        ([(5, arrest("I1"))], 100, 120),
        ([(40, arrest("I77"))], 100, 120),
        ([(40, {"call": "inquire", "arguments": {"name": "I1"}})], 100, 101),
    ],
)
def test_acts_are_reckoned_up(acts, damage, total):
    ledger = reckon([PLOT], acts, prices=PRICES)
    assert ledger.damage() == [damage]
    assert ledger.total() == total
    assert ledger.saved() == pytest.approx(1 - total / 100)


def test_without_attacks_what_could_be_saved_is_unknown():
    assert np.isnan(reckon([], [], prices=PRICES).saved())


def scores(name, seed):
    taken = take(patrol, patrol.subjects[name](), seed=seed)
    assert taken.record.status == "finished", taken.record.last_words
    return score_record(patrol, taken.record, taken.truths)


def test_foresight_saves_all_idleness_nothing_and_watching_something():
    for seed in range(3):
        assert scores("oracle", seed).values["saved_score"] > 0.95
        assert scores("idle", seed).values["saved_score"] == 0
    assert np.mean([scores("watchman", seed).values["saved_score"] for seed in range(5)]) > 0.1


def test_information_that_was_paid_for_is_true_and_about_what_was_asked():
    seen = []

    def subject(ask):
        assert isinstance(ask.prompt, Reports)
        seen.append(ask.prompt)
        if len(seen) == 3:
            return {"call": "inquire", "arguments": {"name": "I5"}}
        if len(seen) == 4:
            return {"call": "watch", "arguments": {"target": "T2"}}
        if len(seen) == 5:
            return {"call": "inquire", "arguments": {"name": "nobody"}}
        return {"call": "go_on", "arguments": {}}

    taken = take(patrol, subject, seed=1)
    assert taken.record.status == "finished", taken.record.last_words
    assert all(row[7] == "T2" for row in seen[4].rows)
    assert seen[5].rows == []
    assert all(row[2] <= seen[3].today for row in seen[3].rows)
    assert score_record(patrol, taken.record, taken.truths).values["information_cost"] == 3


@pytest.mark.parametrize("check", [check_declines, check_replays_alike, check_truth_hidden])
def test_it_keeps_the_contract(check):
    parameters = patrol.fill({"individuals": 120, "days": 60, "step_days": 20, "exploitation_days_mean": 30.0})
    result = check(Trial(patrol, parameters))
    assert result.passed is not False, result
