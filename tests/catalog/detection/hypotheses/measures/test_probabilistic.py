"""Disjunctions are paired whole and scored by proper rules."""

from math import log

import numpy as np
import pytest

TEXT = """
types:
  Attack: {case: true, attributes: {target: {domain: string}, mode: {domain: string}}}
"""
TRUTH = [{"type": "Attack", "uid": "1", "target": "bridge", "mode": "bomb"}]


def disjunction(uid, *chances):
    return {
        "type": "Attack",
        "uid": uid,
        "mode": "bomb",
        "alternatives": [{"probability": chance, "target": target} for target, chance in chances],
    }


def test_a_disjunction_counts_by_its_expectation(score):
    found = score(TRUTH, [disjunction("a", ("bridge", 0.6), ("tower", 0.4))], TEXT).types["Attack"]
    assert found.hypotheses == 1
    assert found.counts.recall == pytest.approx(0.6 * 1 + 0.4 * 0.5)
    assert found.pairs.f[0] == pytest.approx(0.8)


def test_brier_and_logarithmic_loss_of_the_alternative_that_fits(score):
    found = score(TRUTH, [disjunction("a", ("bridge", 0.6), ("tower", 0.3))], TEXT).types["Attack"].probabilistic
    assert found.brier[0] == pytest.approx(0.4**2 + 0.3**2 + 0.1**2)
    assert found.logarithmic[0] == pytest.approx(-log(0.6))


def test_a_disjunction_without_a_partner_should_have_said_none_of_these(score):
    hypotheses = [{"type": "Attack", "uid": "a", "alternatives": [{"probability": 0.7, "target": "port"}]}]
    found = score(TRUTH, hypotheses, TEXT).types["Attack"].probabilistic
    assert found.brier[0] == pytest.approx(0.7**2 + 0.7**2)
    assert found.logarithmic[0] == pytest.approx(-log(0.3))


def test_certain_and_wrong_is_counted_apart(score):
    hypotheses = [disjunction("a", ("tower", 1.0), ("bridge", 0.0))]
    found = score(TRUTH, hypotheses, TEXT).types["Attack"].as_json()["probabilistic"]
    assert found["logarithmic"] is None
    assert found["certain_and_wrong"] == 1
    assert found["brier"] == pytest.approx(2.0)


def test_definite_hypotheses_are_not_scored_as_probabilities(score):
    found = score(TRUTH, [TRUTH[0] | {"uid": "a"}], TEXT).types["Attack"]
    assert found.as_json()["probabilistic"]["n"] == 0


@pytest.mark.parametrize("belief", [0.2, 0.5, 0.7])
def test_honest_probabilities_have_the_least_expected_loss(score, belief):
    """Whichever target is the true one, the expectation over the belief is least when the belief is said."""
    reports = np.linspace(0.05, 0.95, 19)
    expected = {"brier": [], "logarithmic": []}
    for report in reports:
        losses = {}
        for truth in ("bridge", "tower"):
            reference = [{"type": "Attack", "uid": "1", "target": truth, "mode": "bomb"}]
            hypothesis = [disjunction("a", ("bridge", float(report)), ("tower", float(1 - report)))]
            losses[truth] = score(reference, hypothesis, TEXT).types["Attack"].probabilistic
        for rule, values in expected.items():
            right, wrong = (float(getattr(losses[truth], rule)[0]) for truth in ("bridge", "tower"))
            values.append(belief * right + (1 - belief) * wrong)
    for values in expected.values():
        assert reports[int(np.argmin(values))] == pytest.approx(belief, abs=0.026)


def test_threshold_applies_to_the_expectation_of_the_whole_disjunction(score):
    hypotheses = [disjunction("a", ("bridge", 0.6), ("tower", 0.4))]
    assert len(score(TRUTH, hypotheses, TEXT, threshold=0.8).types["Attack"].pairs) == 1
    assert len(score(TRUTH, hypotheses, TEXT, threshold=0.81).types["Attack"].pairs) == 0


def test_disjunctions_and_definite_hypotheses_compete_for_one_reference(score):
    hypotheses = [disjunction("a", ("bridge", 0.6), ("tower", 0.4)), TRUTH[0] | {"uid": "b"}]
    found = score(TRUTH, hypotheses, TEXT).types["Attack"].as_json()
    assert [pair["hypothesis"] for pair in found["pairs"]] == ["b"]
    by_cost = score(TRUTH, hypotheses, TEXT, by="cost").types["Attack"].as_json()
    assert [pair["hypothesis"] for pair in by_cost["pairs"]] == ["b"]
