"""Counts, costs, curves, tracking summaries and empty sides."""

from math import isnan

import numpy as np
import pytest

from mensura.catalog.detection.hypotheses.measures.curves import Curve, precision_recall, roc_area
from mensura.scores.matching.arrays import f_values
from mensura.scores.matching.likeness import ScoredPairs

TARGETS = """
types:
  Attack:
    case: true
    costs: {false_positive: 1, false_negative: 10}
    attributes: {target: {domain: string}, mode: {domain: string}}
"""


def attack(uid, target, mode=None, **more):
    return {"type": "Attack", "uid": uid, "target": target, "mode": mode, **more}


def test_no_hypotheses_is_recall_0_precision_unknown_and_nacc_0(score):
    found = score([attack("1", "bridge")], [], TARGETS).types["Attack"].as_json()
    assert found["recall"] == 0
    assert found["precision"] is None
    assert found["f"] is None
    assert found["nacc"] == 0
    assert found["pairs"] == []
    assert any("precision unknown" in note for note in found["notes"])


def test_no_references_is_nac_unknown_and_precision_0(score):
    found = score([], [attack("1", "bridge")], TARGETS).types["Attack"].as_json()
    assert found["precision"] == 0
    assert found["recall"] is None
    assert found["nac"] is None
    assert found["nacc"] is None


def test_nothing_on_both_sides_is_no_error(score):
    assert score([], [], TARGETS).types["Attack"].as_json()["f"] is None


def test_cost_counts_what_is_said_too_much_and_too_little(score):
    # Pair 1: P 1/2, R 1: 0.5 of the false positive. Reference 2 is missed: 10. Hypothesis c is false: 1.
    found = score(
        [attack("1", "bridge"), attack("2", "tower", "bomb")],
        [attack("a", "bridge", "bomb"), attack("c", "port", "spill")],
        TARGETS,
    ).types["Attack"]
    assert len(found.pairs) == 1
    assert found.cost.assessed == pytest.approx(0.5 + 10 + 1)
    assert found.cost.nac == pytest.approx(11.5 / 20)
    assert found.cost.nacc == pytest.approx(1 - 11.5 / 20)


def test_the_answer_key_may_price_single_cases_and_a_hypothesis_sets_no_price_of_its_own(score):
    reference = [attack("1", "bridge", costs={"false_negative": 100}), attack("2", "tower")]
    for price in (0, 7):
        hypotheses = [attack("c", "port", costs={"false_positive": price})]
        found = score(reference, hypotheses, TARGETS).types["Attack"]
        assert found.cost.assessed == pytest.approx(100 + 10 + 1)
        assert found.cost.nac == pytest.approx(111 / 110)
        assert "1 hypotheses state costs" in " ".join(found.notes)


def test_pairing_by_cost_minimises_the_assessed_cost(score):
    reference = [attack("1", "bridge", "bomb", costs={"false_negative": 1}), attack("2", "bridge", "spill")]
    hypotheses = [attack("a", "bridge", "bomb")]
    by_f = score(reference, hypotheses, TARGETS).types["Attack"]
    by_cost = score(reference, hypotheses, TARGETS, by="cost").types["Attack"]
    assert [pair["reference"] for pair in by_f.as_json()["pairs"]] == ["1"]
    assert [pair["reference"] for pair in by_cost.as_json()["pairs"]] == ["2"]
    assert by_cost.cost.assessed < by_f.cost.assessed


def test_pairing_by_recall_prefers_the_fuller_answer(score):
    reference = [attack("1", "bridge", "bomb")]
    hypotheses = [attack("a", "bridge"), attack("b", "bridge", "bomb")]
    found = score(reference, hypotheses, TARGETS, by="recall").types["Attack"]
    assert [pair["hypothesis"] for pair in found.as_json()["pairs"]] == ["b"]


def test_many_to_one_does_not_punish_competing_hypotheses(score):
    reference = [attack("1", "bridge", "bomb")]
    hypotheses = [attack("a", "bridge", "bomb"), attack("b", "bridge", "bomb")]
    single = score(reference, hypotheses, TARGETS).types["Attack"]
    many = score(reference, hypotheses, TARGETS, pairs="many-to-one").types["Attack"]
    assert single.counts.precision == pytest.approx(0.5)
    assert many.counts.precision == many.counts.recall == pytest.approx(1.0)
    assert len(many.pairs) == 2


def test_many_to_many_takes_every_candidate(score):
    reference = [attack("1", "bridge", "bomb"), attack("2", "bridge", "spill")]
    hypotheses = [attack("a", "bridge", "bomb"), attack("b", "bridge", "spill")]
    found = score(reference, hypotheses, TARGETS, pairs="many-to-many").types["Attack"]
    assert len(found.pairs) == 4
    assert found.counts.recall == pytest.approx(1.0)


def test_purity_and_the_like_come_from_the_whole_matrix(score):
    reference = [attack("1", "bridge", "bomb"), attack("2", "tower", "spill")]
    hypotheses = [attack("a", "bridge"), attack("b", "bridge", "spill"), attack("c", "port")]
    tracking = score(reference, hypotheses, TARGETS).types["Attack"].tracking
    assert tracking.purity == pytest.approx((1 + 0.5 + 0) / 3)
    assert tracking.completeness == pytest.approx((0.5 + 0.5) / 2)
    assert tracking.detected == 1.0
    assert tracking.spurious == pytest.approx(1 / 3)
    assert tracking.fragmentation == pytest.approx((2 + 1) / 2)
    assert tracking.merging == pytest.approx((1 + 2) / 2)


def test_greedy_pairing_is_an_option_and_its_gap_is_reported(score):
    reference = [attack("1", "bridge", "bomb"), attack("2", "bridge", "spill")]
    hypotheses = [attack("a", "bridge", "bomb"), attack("b", "port", "bomb")]
    best = score(reference, hypotheses, TARGETS).types["Attack"]
    greedy = score(reference, hypotheses, TARGETS, pairs="greedy").types["Attack"]
    assert best.mean_pair_f - greedy.mean_pair_f == pytest.approx(best.pairing.greedy_gap)


def test_curve_takes_hypotheses_by_confidence_and_ties_together(score):
    reference = [attack(str(number), f"t{number}") for number in range(4)]
    hypotheses = [
        attack("a", "t0", confidence=0.9),
        attack("b", "none", confidence=0.8),
        attack("c", "t1", confidence=0.8),
        attack("d", "nowhere", confidence=0.1),
    ]
    found = score(reference, hypotheses, TARGETS).types["Attack"]
    assert found.curve.confidence.tolist() == [0.9, 0.8, 0.1]
    assert found.curve.recall.tolist() == [0.25, 0.5, 0.5]
    assert found.curve.precision == pytest.approx([1, 2 / 3, 1 / 2])
    assert found.as_json()["auc"] == pytest.approx(0.25 * 1 + 0.25 * 2 / 3)


def test_without_confidence_there_is_no_curve_and_it_is_said_so(score):
    found = score([attack("1", "t")], [attack("a", "t", confidence=0.5), attack("b", "u")], TARGETS).types["Attack"]
    assert found.as_json()["auc"] is None
    assert any("no confidence" in note for note in found.notes)


def test_perfect_ranking_of_perfect_hypotheses_has_area_one():
    pairs = ScoredPairs(np.arange(3), np.arange(3), *(np.ones(3) for _ in range(3)))
    for area in ("step", "trapezoid"):
        assert precision_recall(pairs, confidence=[3, 2, 1], references=3, area=area).area == pytest.approx(1.0)


def test_bad_hypotheses_first_drag_the_whole_curve_down():
    pairs = ScoredPairs(np.array([0]), np.array([1]), *(np.ones(1) for _ in range(3)))
    good = precision_recall(pairs, confidence=[1, 2], references=1)
    bad = precision_recall(pairs, confidence=[2, 1], references=1)
    assert (good.area, bad.area) == (1.0, 0.5)


def test_roc_variant_takes_one_minus_precision_as_false_positive_rate():
    curve = Curve(np.array([2.0, 1.0]), np.array([0.5, 1.0]), np.array([1.0, 0.5]), 0.75)
    assert roc_area(curve) == pytest.approx(0.5 * 0.5 + 0.5 * 1.0)


def test_f_is_the_harmonic_mean_and_zero_where_both_are_zero():
    assert f_values(np.array([0.0, 1.0]), np.array([0.0, 0.5])).tolist() == pytest.approx([0, 2 / 3])


def test_dataset_f_is_harmonic_and_mean_pair_f_counts_null_pairs(score):
    found = score([attack("1", "t"), attack("2", "u")], [attack("a", "t"), attack("b", "v"), attack("c", "w")], TARGETS)
    attacks = found.types["Attack"]
    assert attacks.counts.f == pytest.approx(2 * (1 / 3) * (1 / 2) / (1 / 3 + 1 / 2))
    assert attacks.mean_pair_f == pytest.approx(1 / 3)
    assert attacks.traditional.recall == pytest.approx(1 / 2)
    assert not isnan(attacks.pairing.greedy_gap)
