"""Honest tests of many shapes are suspected no more often than chance says."""

import numpy as np
import pytest

from mensura.dialogue import test
from mensura.running.check import CheckOptions, make_trial
from mensura.running.checks.leak.deciding import telling_places
from mensura.running.checks.leak.occurrence import occurrences
from mensura.running.checks.leak.permutation import worst
from mensura.running.checks.leak.sitting import all_shown
from mensura.running.checks.leak.telling import telling
from tests.running.checks.honest import HONEST, quiz


def least(function, seed):
    """Give the corrected p-value of the worst that is found in a test, for each way to look at it."""
    parameters = {"bank": seed} if function is quiz else {}
    trial = make_trial(test("honest-v1")(function), options=CheckOptions(), **parameters)
    trial.seed = 1_000_003 * seed
    shown, rng = all_shown(trial), np.random.default_rng(seed)
    ways = telling(shown, rng), occurrences(shown, rng), telling_places(shown)
    found = (worst(suspicions, level=2.0) for suspicions in ways)
    return [1.0 if one is None else one.p for one in found]


@pytest.mark.cells(4)
@pytest.mark.parametrize("function", HONEST)
def test_honest_tests_are_not_suspected(function):
    values = np.array([least(function, seed) for seed in range(3)])
    assert values.min() > 1e-3


@pytest.mark.proof
def test_p_values_of_honest_tests_keep_their_level():
    values = np.array([least(function, seed) for function in HONEST for seed in range(100, 104)])
    n = len(values)
    for level in (0.05, 0.01):
        # Four standard errors above the level, over all shapes together.
        assert ((values < level).mean(axis=0) < level + 4 * np.sqrt(level / n)).all()
    assert values.min() > 1e-4
