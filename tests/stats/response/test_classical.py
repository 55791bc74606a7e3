"""Items described without a model."""

import numpy as np
import pytest

from mensura.stats.response.classical import classical_items
from mensura.stats.response.responses import response_matrix
from tests.stats.response.simulated import simulated


def test_statistics_are_those_of_complete_data():
    data = simulated(200, 6, seed=1)
    right = data.matrix.right
    found = classical_items(data.matrix)
    for place, one in enumerate(found.items):
        rest = np.delete(right, place, axis=1).sum(axis=1)
        assert one.right.value == pytest.approx(right[:, place].mean())
        assert one.with_rest == pytest.approx(np.corrcoef(right[:, place], rest)[0, 1])
    k = right.shape[1]
    alpha = k / (k - 1) * (1 - right.var(axis=0, ddof=1).sum() / right.sum(axis=1).var(ddof=1))
    assert found.alpha.value == pytest.approx(alpha)
    assert found.alpha.has_interval


def test_missing_and_constant_answers_leave_unknown_what_they_must():
    found = classical_items(response_matrix([[1, 0, None], [1, 1, None], [1, None, None]]))
    assert np.isnan(found.items[0].with_rest)
    assert found.items[2].right.n == 0
    assert np.isnan(found.alpha.value)
