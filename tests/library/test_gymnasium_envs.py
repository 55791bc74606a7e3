"""`gymnasium.make` finds the tests of the catalog by their ids."""

import subprocess
import sys

import numpy as np
import pytest

from mensura.errors import BadParameter

gymnasium = pytest.importorskip("gymnasium")


def test_a_test_is_made_by_its_id_with_its_parameters():
    env = gymnasium.make("mensura/corridor-v1", slip=0.0)
    seen, _ = env.reset(seed=1)
    assert seen in env.observation_space
    rewards = [env.step(1)[1] for _ in range(3)]
    np.testing.assert_allclose(rewards, -0.01)


def test_one_without_arrays_says_what_it_lacks():
    with pytest.raises(BadParameter, match="sees=Sees"):
        gymnasium.make("mensura/coin-v1")


@pytest.mark.parametrize("order", ["mensura, gymnasium", "gymnasium, mensura"])
def test_the_order_of_imports_does_not_matter(order):
    code = f"import {order}; print(gymnasium.make('mensura/corridor-v1').reset(seed=1)[0].shape)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "(2,)", done.stderr
