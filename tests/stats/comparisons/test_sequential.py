"""Boundaries of sequential tests: published values, and the false alarms that they allow."""

import numpy as np
import pytest

from mensura.errors import BadParameter, UnknownName
from mensura.stats import spending_boundaries

FIVE = [0.2, 0.4, 0.6, 0.8, 1.0]
# Reboussin, DeMets, Kim and Lan (2000), Controlled Clinical Trials 21, 190-207: program ld98, two-sided, alpha .05.
PUBLISHED = {
    "obrien-fleming": [4.8769, 3.3569, 2.6803, 2.2898, 2.0310],
    "pocock": [2.4380, 2.4268, 2.4101, 2.3966, 2.3859],
}


@pytest.mark.parametrize("method", PUBLISHED)
def test_the_boundaries_are_the_published_ones(method):
    found = spending_boundaries(FIVE, method=method)
    assert found.z == pytest.approx(PUBLISHED[method], abs=2e-4)
    assert found.levels[0] == pytest.approx({"obrien-fleming": 1.08e-6, "pocock": 0.0148}[method], rel=0.01)


def test_a_single_look_is_the_ordinary_test():
    assert spending_boundaries([1.0], method="pocock").levels == pytest.approx([0.05])


@pytest.mark.parametrize("method", PUBLISHED)
@pytest.mark.parametrize("looks", [[0.5, 1.0], [0.1, 0.15, 0.9, 1.0]])
def test_all_looks_together_raise_as_many_false_alarms_as_one(method, looks):
    found = spending_boundaries(looks, method=method)
    steps = np.sqrt(np.diff(looks, prepend=0.0)) * np.random.default_rng(1).standard_normal((100_000, len(looks)))
    paths = steps.cumsum(axis=1) / np.sqrt(looks)
    assert (np.abs(paths) >= found.z).any(axis=1).mean() == pytest.approx(0.05, abs=0.0022)


def test_next_to_nothing_is_spent_very_early():
    assert spending_boundaries([0.001, 1.0], method="obrien-fleming").levels[0] < 1e-250


def test_looks_that_mean_nothing_are_refused():
    for looks in ([], [0.5], [0.5, 0.5, 1.0], [0.0, 1.0]):
        with pytest.raises(BadParameter, match="Looks rise"):
            spending_boundaries(looks, method="pocock")
    with pytest.raises(UnknownName, match="sequential method"):
        spending_boundaries([1.0], method="peeking")
