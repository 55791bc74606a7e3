"""What kinds have in common: known overlaps, and where theory and answers disagree."""

import numpy as np
import pytest

from mensura.catalog.puzzles.grammar.derivation import Grammar, Use
from mensura.catalog.puzzles.theory import (
    OverlapComparison,
    Overlaps,
    compare_overlaps,
    overlap,
    simulated_scores,
    theory,
)


def test_an_overlap_counts_shared_operations_and_background():
    one = Grammar("one", {"same": Use(), "add": Use(), "reverse": Use(background=("alphabet",))})
    other = Grammar("other", {"same": Use(), "add": Use(), "swap": Use(background=("alphabet",))})
    # Shared are add and the alphabet, of add, reverse, swap and the alphabet.
    assert overlap(one, other) == pytest.approx(2 / 4)
    assert overlap(one, one) == 1
    assert overlap(one, Grammar("third", {"same": Use(), "union": Use()})) == 0


def test_overlaps_are_symmetric_and_the_map_keeps_distances_in_two_dimensions():
    found = theory(["number-series", "letter-series", "letter-string"])
    assert np.allclose(found.matrix, found.matrix.T)
    assert np.allclose(np.diag(found.matrix), 1)
    apart = np.linalg.norm(found.places[:, None] - found.places[None], axis=-1)
    assert np.allclose(apart, 1 - found.matrix, atol=1e-6)


def test_pairs_that_rank_otherwise_by_answers_are_named():
    kinds = ("a", "b", "c", "d")
    by_theory = np.eye(4)
    by_answers = np.eye(4)
    for value, (x, y) in enumerate([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], start=1):
        by_theory[x, y] = by_theory[y, x] = value / 10
        by_answers[x, y] = by_answers[y, x] = value / 10
    by_answers[0, 1] = by_answers[1, 0] = 0.95
    found = OverlapComparison(Overlaps(kinds, by_theory), Overlaps(kinds, by_answers), "people", {"words": ""})
    assert [one["kinds"] for one in found.disagree] == [["a", "b"]]
    assert found.disagree[0]["more"] == "answers"
    same = OverlapComparison(Overlaps(kinds, by_theory), Overlaps(kinds, by_theory), "people", {"words": ""})
    assert (same.disagree, same.agreement) == ([], pytest.approx(1))


def test_simulated_people_are_labelled_and_factored():
    found = compare_overlaps(kinds=["number-series", "letter-series", "letter-string", "mental-rotation"]).as_json()
    assert found["factors"]["who"] == "simulated people"
    assert found["factors"]["persons"] == 300
    assert set(found) >= {"theory", "factors", "disagree", "weights"}


def test_people_whose_kinds_share_families_have_scores_that_go_together():
    kinds = ["number-series", "letter-string", "verbal-analogy"]
    scores = simulated_scores(kinds, np.random.default_rng(1), people=2000)
    assert scores.min() >= 0
    assert scores.max() <= 1
    assert np.corrcoef(scores.T)[0, 2] > 0.1


def test_too_few_people_give_a_reason_and_no_factors():
    kinds = ["number-series", "letter-series", "letter-string"]
    found = compare_overlaps(np.random.default_rng(1).random((5, 3)), kinds=kinds, who="five")
    assert found.answers is None
    assert "30 persons" in found.factors["words"]
