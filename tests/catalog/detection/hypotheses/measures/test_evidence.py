"""Scores split by what evidence already said rightly."""

import pytest

from mensura.catalog.detection.hypotheses.measures.evidence import split_by_evidence

TEXT = """
types:
  Attack:
    case: true
    attributes:
      target: {domain: string, weight: 5}
      mode: {domain: string, weight: 4}
      date: {domain: date, weight: 2, nominal_distance: 10}
      actors: {domain: Person, weight: 1, cardinality: many}
  Person: {}
"""
TRUTH = [{"type": "Attack", "uid": "1", "target": "bridge", "mode": "bomb", "date": 50, "actors": ["a", "b", "c", "d"]}]


def test_recall_is_split_by_the_state_of_the_evidence(score):
    # Evidence: target right, mode wrong, date near, actor a right, one wrong actor in place of b, c or d.
    evidence = [{"type": "Attack", "uid": "e", "target": "bridge", "mode": "spill", "date": 55, "actors": ["a", "z"]}]
    # The detector repeats the target, mends the mode, and adds actor b.
    hypotheses = [{"type": "Attack", "uid": "h", "target": "bridge", "mode": "bomb", "date": 55, "actors": ["a", "b"]}]
    parts = split_by_evidence(score(TRUTH, hypotheses, TEXT), evidence=score(TRUTH, evidence, TEXT))["Attack"]
    assert parts["correct"].weight == pytest.approx(5 + 1)
    assert parts["correct"].recall == pytest.approx(1.0)
    assert parts["corrupted"].weight == pytest.approx(4 + 2 + 3 * (1 / 3))
    assert parts["corrupted"].recalled == pytest.approx(4 + 2 * 0.5 + 1 / 3)
    assert parts["omitted"].weight == pytest.approx(3 * (2 / 3))
    assert parts["omitted"].recalled == pytest.approx(2 / 3)


def test_an_echo_of_the_evidence_recalls_all_that_is_correct_and_nothing_that_is_omitted(score):
    evidence = [{"type": "Attack", "uid": "e", "target": "bridge", "actors": ["a"]}]
    found = score(TRUTH, evidence, TEXT)
    parts = split_by_evidence(found, evidence=found)["Attack"]
    assert parts["correct"].recall == 1.0
    assert parts["omitted"].recall == 0.0
    assert parts["corrupted"].weight == 0
    assert parts["corrupted"].as_json()["recall"] is None


def test_without_evidence_everything_is_omitted(score):
    parts = split_by_evidence(score(TRUTH, TRUTH, TEXT), evidence=score(TRUTH, [], TEXT))["Attack"]
    assert parts["omitted"].weight == 5 + 4 + 2 + 4
    assert parts["omitted"].recall == 1.0
