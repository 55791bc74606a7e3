"""A scoring that knows the error of its own score is believed for one session, and for no more."""

from math import nan

from mensura.dialogue import Score, Scores
from mensura.dialogue.record import BESIDE, ESTIMATES
from mensura.running.results.estimating import estimated
from mensura.running.scoring.scoring import merged_details
from mensura.stats import Estimate, without_interval

DECLARED = {"level": Score("level", better="more")}


def session(value, own, status="finished"):
    details = {ESTIMATES: {"level": own.as_json()}, BESIDE: {"level": ["a word"]}, "fact": 1}
    return Scores({"level": value}, details, status=status)


def test_the_only_session_has_the_estimate_of_its_own_scoring():
    own = Estimate(0.5, 0.4, 0.6, 20, "by its own scoring", "items")
    found = estimated({"run/0.0.0": session(0.5, own)}, DECLARED)["level"]
    assert found.estimate == own


def test_a_score_that_is_unknown_says_why():
    own = without_interval(nan, n=0, reason="nothing is calibrated")
    found = estimated({"run/0.0.0": session(nan, own)}, DECLARED)["level"]
    assert found.estimate.method == "none: nothing is calibrated"


def test_several_sessions_are_estimated_together():
    own = Estimate(0.5, 0.4, 0.6, 20, "by its own scoring", "items")
    results = {f"run/0.0.{place}": session(value, own) for place, value in enumerate((0.4, 0.5, 0.7))}
    found = estimated(results, DECLARED)["level"].estimate
    assert (found.n, found.population) == (3, "sessions")


def test_a_session_that_was_lost_has_no_estimate():
    own = Estimate(0.5, 0.4, 0.6, 20, "by its own scoring", "items")
    assert estimated({"run/0.0.0": session(0.5, own, "lost")}, DECLARED)["level"].estimate.method != own.method


def test_estimates_and_words_for_people_are_no_facts_of_the_run():
    own = Estimate(0.5, 0.4, 0.6, 20, "by its own scoring", "items")
    assert merged_details([session(0.5, own)]) == {"fact": 1}
