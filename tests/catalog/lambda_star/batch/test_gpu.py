"""The GPU form against the compiled batch form, on whatever device JAX has here."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.batch.administration import BatchPlan, play
from mensura.catalog.lambda_star.batch.environments import make_environments
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.settings import LearningValues

pytest.importorskip("jax", reason='the GPU form needs JAX: pip install "mensura[gpu]"')


def both(size, *, episodes, agents, rules, sessions=0):
    from mensura.catalog.lambda_star.batch import gpu

    torus = Torus.of(size)
    reach = Reach(2, 6) if rules == "paper" else None
    made = make_environments(torus, episodes=episodes, first=0, iterations=30, agents=agents, reach=reach, key=8)
    world = {"good": made.good, "evil": made.evil, "starts": made.starts, "original": rules == "original"}
    plan = BatchPlan(torus, episodes, 30, reach, sessions=sessions)
    if sessions:
        compiled = play("q-learning", plan, made, starts=made.starts, group=2)
        return compiled, gpu.q_learning(torus, **world, seed=1, values=LearningValues(sessions=sessions))
    return play("local-search", plan, made, starts=made.starts, group=2)[:, 0], gpu.local_search(torus, **world, seed=1)


def errors_from_zero(differences):
    return abs(differences.mean()) / (differences.std(ddof=1) / len(differences) ** 0.5)


@pytest.mark.parametrize("rules", ["paper", "original"])
@pytest.mark.parametrize("size", ["10", "5", "3x8"])
def test_local_search_scores_as_the_compiled_one(size, rules):
    compiled, device = both(size, episodes=2000, agents=4, rules=rules)
    assert device.shape == (2000,)
    assert errors_from_zero(compiled - device) < 3


@pytest.mark.parametrize("rules", ["paper", "original"])
def test_q_learning_scores_as_the_compiled_one_in_every_session(rules):
    compiled, device = both("5", episodes=300, agents=2, rules=rules, sessions=12)
    assert device.shape == (300, 13)
    for session in (0, 3, 8, 12):
        assert errors_from_zero(compiled[:, session] - device[:, session]) < 3.5


def test_another_seed_is_another_chance():
    from mensura.catalog.lambda_star.batch import gpu

    made = make_environments(Torus(5, 5), episodes=50, first=0, iterations=20, agents=2, reach=Reach(2, 6), key=8)
    world = {"good": made.good, "evil": made.evil, "starts": made.starts}
    one, same, other = (gpu.local_search(made.torus, **world, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)
