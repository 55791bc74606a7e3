"""Lempel-Ziv complexity: the compiled count against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.lambda_star.environment.complexity import lempel_ziv
from tests.catalog.lambda_star.definition import lempel_ziv_by_definition


@given(st.integers(1, 5).flatmap(lambda symbols: st.lists(st.integers(1, symbols), max_size=40)))
def test_fast_count_equals_the_definition(sequence):
    assert lempel_ziv(sequence) == lempel_ziv_by_definition(sequence)


@given(st.lists(st.integers(0, 6), max_size=40), st.randoms(use_true_random=False))
def test_only_the_pattern_matters_not_the_labels(sequence, random):
    labels = list(range(100, 107))
    random.shuffle(labels)
    assert lempel_ziv([labels[symbol] for symbol in sequence]) == lempel_ziv(sequence)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_a_longer_sequence_is_never_simpler(sequence):
    counts = [lempel_ziv(sequence[:end]) for end in range(len(sequence) + 1)]
    assert counts == sorted(counts)


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20))
def test_a_repeated_cycle_has_at_most_one_component_more_than_cells(cycle):
    assert lempel_ziv(cycle * 3) <= len(cycle) + 1


@pytest.mark.parametrize(("sequence", "count"), [([], 0), ([4], 1), ([4, 4], 2), ([4] * 50, 2), (range(10), 10)])
def test_smallest_cases(sequence, count):
    assert lempel_ziv(np.array(sequence, dtype=int)) == count


def test_complexity_1_needs_a_single_symbol():
    assert all(lempel_ziv([a, b]) == 2 for a in range(3) for b in range(3))
