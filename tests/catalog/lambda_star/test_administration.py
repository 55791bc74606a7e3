"""The batch form: balance, bounds, and results that depend on nothing but the key."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.agents import BUILT_IN
from mensura.catalog.lambda_star.batch import alone
from mensura.catalog.lambda_star.batch.administration import CHUNK, BatchPlan, administer
from mensura.catalog.lambda_star.batch.environments import make_environments
from mensura.catalog.lambda_star.batch.ground import Game, ground_of
from mensura.catalog.lambda_star.batch.near_search import near_search
from mensura.catalog.lambda_star.batch.situations import situations_of
from mensura.catalog.lambda_star.environment.pattern import Reach, wanted_range
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.settings import LearningValues
from mensura.catalog.lambda_star.team import LEARNERS, Member


def plan_for(size, *, episodes=500, rules="paper", reach=None, **more):
    torus = Torus.of(size)
    if rules == "paper" and reach is None:
        reach = wanted_range(torus, iterations=50, lowest=None, highest=None)
    return BatchPlan(torus, episodes, 50, reach if rules == "paper" else None, **more)


def trained(name, count, *, sessions):
    return Member(name, count, LearningValues(sessions=sessions) if name in LEARNERS else None)


def errors_from(values, expected):
    gap = abs(values.mean() - expected)
    return gap and gap / (values.std(ddof=1) / len(values) ** 0.5)


@pytest.mark.cells(6)
@pytest.mark.parametrize("rules", ["paper", "original"])
@pytest.mark.parametrize("agents", [1, 7])
@pytest.mark.parametrize("size", ["3", "5", "10", "8x12", "20"])
def test_random_scores_zero_for_every_size_and_number_of_agents(size, agents, rules):
    score = administer(plan_for(size, episodes=2000, rules=rules), [Member("random", agents)]).score
    assert errors_from(score, 0.0) < 3.5


@pytest.mark.cells(3)
@pytest.mark.parametrize("complexity", [2, 3, 5, 8, 12, 18, 23, 26])
def test_random_scores_zero_for_every_complexity(complexity):
    plan = plan_for("10", episodes=2000, reach=Reach(complexity, complexity))
    assert errors_from(administer(plan, [Member("random", 3)]).score, 0.0) < 3.5


@pytest.mark.cells(7)
@pytest.mark.parametrize("rules", ["paper", "original"])
@pytest.mark.parametrize("name", BUILT_IN)
def test_every_agent_stays_between_the_bounds(name, rules):
    plan = plan_for("10", episodes=250, rules=rules)
    played = administer(plan, [trained(name, 3, sessions=10)])
    assert np.abs(played.score).max() <= 1.0
    error = np.hypot(played.score.std(), played.oracle.std()) / 250**0.5
    assert played.random.mean() - 4 * error < played.score.mean() < played.oracle.mean() + 4 * error


@pytest.mark.parametrize("name", BUILT_IN)
def test_threads_do_not_change_a_score(name):
    plan = plan_for("5", episodes=CHUNK + 10, key=9)
    one, three = (administer(plan, [trained(name, 2, sessions=3)], threads=threads) for threads in (1, 3))
    assert np.array_equal(one.score, three.score)
    assert np.array_equal(one.sessions, three.sessions)


def test_another_key_is_another_administration():
    one, other = (administer(plan_for("5", key=key), [Member("local-search", 1)]) for key in (1, 2))
    assert not np.array_equal(one.score, other.score)
    assert not np.array_equal(one.complexity, other.complexity)


@pytest.mark.cells(6)
@pytest.mark.parametrize("rules", ["paper", "original"])
@pytest.mark.parametrize("size", ["10", "6", "5", "4", "3", "2x7", "1x3", "1x2"])
def test_the_quick_local_search_is_the_plain_one(size, rules):
    torus = Torus.of(size)
    reach = Reach(2, 4) if rules == "paper" else None
    made = make_environments(torus, episodes=1500, first=0, iterations=50, agents=3, reach=reach, key=5)
    world = (ground_of(torus, 1), made.good, made.evil, made.starts, rules == "original", np.uint64(1), 0)
    plain, quick = np.zeros((1500, 1, 3)), np.zeros((1500, 1, 3))
    alone.local_search(Game(*world, 2), plain)
    near_search(situations_of(torus), Game(*world, 3), quick)
    assert errors_from((plain - quick).mean(axis=(1, 2)) / 50, 0.0) < 3.5


@pytest.mark.parametrize("name", ["stigmergy", "bidding", "dictatorship", "binary-tree"])
def test_a_collective_of_one_searches_alone(name):
    plan = plan_for("10", episodes=1500)
    together = administer(plan, [Member(name, 1)]).score
    alone_ = administer(plan, [Member("local-search", 1)]).score
    assert errors_from(together - alone_, 0.0) < 3.5


def test_a_mixture_scores_the_mean_of_its_members():
    plan = plan_for("10", episodes=1500)
    mixed = administer(plan, [Member("oracle", 1), Member("random", 3)]).score
    assert errors_from(mixed - (administer(plan, [Member("oracle", 1)]).score / 4), 0.0) < 3.5


def test_learners_improve_over_their_sessions():
    sessions = administer(plan_for("5", episodes=300), [Member("q-learning", 1)]).sessions.mean(axis=0)
    assert sessions.shape == (101,)
    assert abs(sessions[0]) < 0.05
    assert sessions[-1] > sessions[50] > sessions[5] > sessions[0]


def test_without_training_a_learner_is_random():
    score = administer(plan_for("10", episodes=1500), [trained("q-learning", 1, sessions=0)]).score
    assert errors_from(score, 0.0) < 3.5


def test_who_sees_further_searches_better():
    scores = [administer(plan_for("10", episodes=2000, sight=s), [Member("local-search", 1)]).score for s in (1, 2, 4)]
    assert scores[0].mean() < scores[1].mean() < scores[2].mean()


def test_an_oracle_that_cuts_off_catches_what_a_follower_never_would():
    """Good runs right for ever; the oracle starts two cells behind and must turn round to meet it."""
    good = np.array([[i % 10 for i in range(2, 53)]], dtype=np.int32)
    evil = np.full_like(good, 55)
    starts = np.zeros((1, 1), dtype=np.int32)
    ground = ground_of(Torus(10, 10), 1)
    followed, cut_off = np.zeros((1, 1, 1)), np.zeros((1, 1, 1))
    alone.oracle(Game(ground, good, evil, starts, True, np.uint64(0), 0, 2), followed)
    alone.oracle(Game(ground, good, evil, starts, False, np.uint64(0), 0, 2), cut_off)
    assert followed.sum() == 0.0
    assert cut_off.sum() > 0.9 * 50
