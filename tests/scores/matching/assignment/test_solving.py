"""Optimal pairing against brute force, against the greedy choice, and against a library."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment

from mensura.scores.matching.assignment import Candidates, greedy, optimal, solving, unique


def matrices(values, most=5):
    shapes = st.tuples(st.integers(1, most), st.integers(1, most))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=values))


def all_pairings(matrix):
    """Every one-to-one choice of positive entries, with its sum."""
    height, width = matrix.shape
    square = np.zeros((height, width + height))
    square[:, :width] = matrix
    found = {}
    for order in permutations(range(width + height), height):
        if all(column >= width or matrix[row, column] > 0 for row, column in enumerate(order)):
            pairs = tuple(column if column < width else -1 for column in order)
            found[pairs] = float(sum(square[row, column] for row, column in enumerate(order)))
    return found


QUARTERS = st.integers(0, 4).map(lambda value: value / 4)
SHARES = st.floats(0, 1, allow_nan=False).map(lambda value: round(value, 6))


@settings(deadline=None, max_examples=150)
@given(matrices(SHARES, most=4) | matrices(QUARTERS, most=4))
def test_optimum_equals_brute_force_and_is_unique_exactly_when_no_other_pairing_reaches_it(matrix):
    candidates = Candidates.full(matrix)
    best = optimal(candidates)
    sums = all_pairings(matrix)
    most = max(sums.values())
    assert best.total == pytest.approx(most, abs=1e-9)
    assert unique(candidates, best) == (sum(value > most - 1e-9 for value in sums.values()) == 1)


@settings(deadline=None, max_examples=200)
@given(matrices(SHARES, most=12) | matrices(QUARTERS, most=12))
def test_optimal_is_never_below_greedy(matrix):
    candidates = Candidates.full(matrix)
    assert optimal(candidates).total >= greedy(candidates).total - 1e-9


@settings(deadline=None, max_examples=200)
@given(matrices(SHARES, most=12) | matrices(QUARTERS, most=12))
def test_prices_cover_every_entry_and_meet_the_pairs_taken(matrix):
    best = optimal(Candidates.full(matrix))
    prices = best.row_price[:, None] + best.column_price[None, :]
    assert np.all(prices >= matrix - 1e-9)
    assert best.row_price.sum() + best.column_price.sum() == pytest.approx(best.total, abs=1e-9)


@settings(deadline=None, max_examples=100)
@given(matrices(SHARES, most=10) | matrices(QUARTERS, most=10))
def test_greedy_takes_the_largest_entries_first(matrix):
    free = matrix.copy()
    total = 0.0
    while free.max() > 0:
        row, column = np.unravel_index(np.argmax(free), free.shape)
        total += free[row, column]
        free[row] = 0
        free[:, column] = 0
    found = greedy(Candidates.full(matrix))
    assert found.total == pytest.approx(total)
    assert greedy(Candidates.full(matrix).sparse()).total == pytest.approx(total)


@pytest.mark.parametrize("shape", [(60, 60), (40, 90), (90, 40)])
@pytest.mark.parametrize("kind", ["random", "ties", "near"])
def test_large_matrices_solved_by_prices_agree_with_scipy(monkeypatch, shape, kind):
    monkeypatch.setattr(solving, "DIRECT", 0)
    monkeypatch.setattr(solving, "_KEEP", 3)
    monkeypatch.setattr(solving, "_MORE", 2)
    rng = np.random.default_rng(3)
    matrix = {
        "random": rng.random(shape),
        "ties": rng.integers(0, 5, shape) / 4,
        "near": np.maximum(0, 1 - np.abs(rng.random((shape[0], 1)) - rng.random((1, shape[1])))),
    }[kind]
    candidates = Candidates.full(matrix)
    best = optimal(candidates)
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    assert best.total == pytest.approx(matrix[rows, columns].sum(), abs=1e-8)
    assert np.all(best.row_price[:, None] + best.column_price[None, :] >= matrix - 1e-8)
    assert unique(candidates, best) == unique(candidates.sparse(), optimal(candidates.sparse()))


def test_sparse_and_full_candidates_give_the_same_optimum():
    rng = np.random.default_rng(4)
    matrix = rng.random((200, 180)) * (rng.random((200, 180)) < 0.03)
    full, sparse = Candidates.full(matrix), Candidates.full(matrix).sparse()
    assert optimal(full).total == pytest.approx(optimal(sparse).total)
    assert full.count == sparse.count


def test_whoever_gains_nothing_stays_alone():
    best = optimal(Candidates.full(np.array([[0.5, 0.0], [0.4, 0.0]])))
    assert best.partner.tolist() == [0, -1]
    assert optimal(Candidates.full(np.zeros((2, 0)))).partner.tolist() == [-1, -1]
