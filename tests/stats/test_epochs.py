"""Epochs: one number of several answers, against brute force, and intervals that cover."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.errors import BadData, BadParameter, UnknownName
from mensura.stats import Observations, Scale, estimate_score, pass_at_k, read_reducer

RIGHT_OR_WRONG = st.lists(st.integers(0, 1), min_size=1, max_size=7)


@pytest.mark.parametrize("n", range(1, 8))
def test_pass_at_k_is_the_share_of_all_choices_that_hold_a_right_answer(n):
    for k in range(1, n + 1):
        for values in product((0, 1), repeat=n):
            chosen = [max(some) for some in combinations(values, k)]
            assert pass_at_k(sum(values), n=n, k=k) == pytest.approx(np.mean(chosen))
            assert read_reducer(f"pass@{k}")(values) == pytest.approx(np.mean(chosen))


@pytest.mark.parametrize(("k", "p"), [(1, 0.3), (2, 0.3), (3, 0.05), (5, 0.5)])
def test_pass_at_k_is_unbiased(k, p):
    """Its expectation over all outcomes of n answers is the chance that one of k is right."""
    n = 7
    expected = sum(
        p ** sum(values) * (1 - p) ** (n - sum(values)) * read_reducer(f"pass@{k}")(values)
        for values in product((0, 1), repeat=n)
    )
    assert expected == pytest.approx(1 - (1 - p) ** k)


@given(RIGHT_OR_WRONG, st.randoms(use_true_random=False))
def test_pass_at_k_grows_with_k_and_with_right_answers_and_ignores_order(values, random):
    found = [read_reducer(f"pass@{k}")(values) for k in range(1, len(values) + 1)]
    assert found == sorted(found)
    assert found[0] == pytest.approx(np.mean(values))
    better = [1, *values[1:]]
    assert read_reducer("pass@1")(better) >= found[0]
    shuffled = random.sample(values, len(values))
    assert [read_reducer(f"pass@{k}")(shuffled) for k in range(1, len(values) + 1)] == found


@given(RIGHT_OR_WRONG)
def test_at_least_k_counts(values):
    for k in range(1, len(values) + 1):
        assert read_reducer(f"at-least@{k}")(values) == float(sum(values) >= k)


@pytest.mark.parametrize(
    ("answers", "values", "expected"),
    [
        (["a", "a", "b"], [1, 1, 0], 1),
        (["a", "b", "b"], [1, 0, 0], 0),
        (["a", "b"], [1, 0], 0.5),
        (["a", "b", "c", "c", "b"], [1, 0, 0.5, 0.5, 0], 0.25),
        # What was not answered is one answer among others.
        (["a", "", ""], [1, 0, 0], 0),
        # Wrong answers that differ do not add up.
        (["a", "a", "b", "c", "d"], [1, 1, 0, 0, 0], 1),
    ],
)
def test_the_answer_given_most_often_is_graded_and_ties_are_averaged(answers, values, expected):
    assert read_reducer("majority")(values, answers=answers) == expected


def test_the_mean_is_the_mean():
    assert read_reducer("mean")([1, 0, 0.5]) == 0.5


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("median", UnknownName, "no reducer called 'median'.*mean"),
        ("pass", BadParameter, "lacks the number of answers"),
        ("pass@0", BadParameter, "lacks the number of answers"),
        ("pass@-1", BadParameter, "lacks the number of answers"),
        ("at-least@two", BadParameter, "lacks the number of answers"),
    ],
)
def test_a_name_that_is_none_is_told_so(name, kind, words):
    with pytest.raises(kind, match=words):
        read_reducer(name)


def test_too_few_answers_and_other_scores_are_refused():
    with pytest.raises(BadData, match="pass@3 needs 3 answers to an item; got 2"):
        read_reducer("pass@3")([1, 0])
    with pytest.raises(BadData, match="right or wrong"):
        read_reducer("pass@1")([0.5])
    with pytest.raises(BadData, match="what was answered each time"):
        read_reducer("majority")([1, 0])
    with pytest.raises(BadData, match="k from 1 to n"):
        pass_at_k(1, n=2, k=3)


@pytest.mark.parametrize(("name", "truth"), [("pass@2", 1 - 1.5 * 2.5 / (2.0 * 3.0)), ("mean", 0.25)])
def test_intervals_over_reduced_items_cover(name, truth):
    """Items of Beta(0.5, 1.5) difficulty, five answers each: E p = .25, E(1 - p)^2 = 1.5 * 2.5 / (2 * 3)."""
    rng = np.random.default_rng(20)
    reducer, studies, covered = read_reducer(name), 300, 0
    for _ in range(studies):
        chances = rng.beta(0.5, 1.5, size=40)
        values = [reducer((rng.random(5) < p).astype(int)) for p in chances]
        seen = Observations(values, items=[str(i) for i in range(40)])
        covered += not estimate_score(seen, population="items", scale=Scale(0, 1)).excludes(truth)
    # 95 % of 300 studies, less three standard errors.
    assert covered / studies >= 0.912
