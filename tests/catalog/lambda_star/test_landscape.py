"""Landscapes: many local optima, one global; what is measured of exploration and exploitation."""

from functools import cache

import numpy as np
import pytest

from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.landscape.dialogue import landscape
from mensura.catalog.lambda_star.landscape.subjects import SUBJECTS, Explorer
from mensura.catalog.lambda_star.landscape.terrain import make_terrain
from mensura.errors import BadParameter
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take

EPISODES = 25


@cache
def scores(name, *, rate=None, **parameters):
    """Play once for all tests that ask for it."""
    taken = take(
        landscape,
        SUBJECTS[name]() if rate is None else Explorer(rate),
        seed=1,
        parameters={"episodes": EPISODES, "size": "12", "hills": 8, "iterations": 60, **parameters},
        trace="summary",
    )
    assert taken.record.status == "finished", taken.session.last_words
    return {name: items.values for name, items in score_record(landscape, taken.record, taken.truths).values.items()}


@pytest.mark.parametrize("change", [0, 5])
def test_terrains_have_many_local_optima_and_one_global_at_all_times(change):
    torus = Torus(20, 20)
    counts = []
    for key in range(20):
        terrain = make_terrain(torus, hills=12, change=change, iterations=30, key=key)
        assert np.abs(terrain.fitness).max() <= 1 + 1e-12
        np.testing.assert_allclose(terrain.fitness.mean(axis=1), 0, atol=1e-12)
        for iteration in (0, 30):
            highest = np.sort(terrain.fitness[iteration])
            assert highest[-1] > highest[-2]
            assert terrain.best(iteration) in terrain.optima(torus, iteration=iteration)
        counts.append(len(terrain.optima(torus)))
    assert np.mean(counts) > 6


def test_static_terrain_stays_and_changing_terrain_moves():
    static = make_terrain(Torus(20, 20), hills=12, change=0, iterations=20, key=1).fitness
    moving = make_terrain(Torus(20, 20), hills=12, change=5, iterations=20, key=1).fitness
    assert (static == static[0]).all()
    assert (moving[:5] == moving[0]).all()
    assert not (moving[5] == moving[0]).all()


def test_wandering_pays_nothing_and_climbing_pays():
    wandering = scores("random")["payoff"]
    assert abs(wandering.mean()) < 3 * wandering.std(ddof=1) / EPISODES**0.5
    assert scores("local-search")["payoff"].mean() > 0.4


def test_the_surveyor_is_the_ceiling():
    surveyor = scores("surveyor", agents=2, episodes=10)
    assert surveyor["found"].mean() == 1.0
    for name in ("local-search", "explorer", "annealer", "stigmergy", "wisdom-of-crowd", "bidding"):
        assert scores(name, agents=2, episodes=10)["payoff"].mean() < surveyor["payoff"].mean()


def test_who_explores_more_exploits_less_and_finds_the_summit_more_often():
    found = {rate: scores("explorer", rate=rate, iterations=100) for rate in (0.0, 0.3, 1.0)}
    assert found[0.0]["exploration"].mean() < found[0.3]["exploration"].mean() < found[1.0]["exploration"].mean()
    assert found[0.0]["exploitation"].mean() == 1.0
    assert found[0.0]["exploitation"].mean() > found[0.3]["exploitation"].mean() > found[1.0]["exploitation"].mean()
    assert found[0.3]["found"].mean() > found[0.0]["found"].mean()


def test_every_agent_has_its_own_payoff():
    found = scores("local-search", agents=2, episodes=3)
    np.testing.assert_allclose((found["payoff_agent1"] + found["payoff_agent2"]) / 2, found["payoff"], atol=1e-12)


def test_regret_is_what_the_summit_pays_less_payoff():
    static = scores("local-search")
    np.testing.assert_allclose(static["regret"], 1 - static["payoff"], atol=1e-9)


def test_talking_helps_to_find_the_summit():
    alone = scores("local-search", agents=4)["payoff"]
    together = scores("bidding", agents=4)["payoff"]
    difference = together - alone
    assert difference.mean() > 3 * difference.std(ddof=1) / EPISODES**0.5


def test_bad_parameters_are_refused():
    for parameters in ({"hills": 1}, {"change": -1}, {"agents": 0}, {"iterations": 0}):
        with pytest.raises(BadParameter, match="at least"):
            next(landscape(np.random.default_rng(1), **parameters))
