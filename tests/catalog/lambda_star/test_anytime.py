"""Scores that may be stopped at any time."""

import numpy as np
import pytest

from mensura.catalog.lambda_star.anytime import AnytimeScore, anytime_scores, width
from mensura.catalog.lambda_star.batch.administration import BatchPlan, administer
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.team import Member

PLAN = BatchPlan(Torus(5, 5), 2000, 50, Reach(2, 20), key=1)


def test_the_last_anytime_score_is_the_score():
    *_, last = anytime_scores(PLAN, [Member("local-search", 1)])
    score = administer(PLAN, [Member("local-search", 1)]).score
    assert last.n == 2000
    assert last.value == pytest.approx(score.mean())


def test_intervals_shrink_and_hold_the_final_score():
    estimates = list(anytime_scores(PLAN, [Member("local-search", 1)]))
    assert width(estimates[-1]) < width(estimates[0])
    assert all(estimate.low <= estimates[-1].value <= estimate.high for estimate in estimates)


def test_adding_in_pieces_is_adding_at_once():
    values = np.random.default_rng(1).normal(size=500)
    whole, pieces = AnytimeScore(), AnytimeScore()
    whole.add(values)
    for piece in np.split(values, [3, 100, 101]):
        pieces.add(piece)
    assert str(whole.estimate()) == str(pieces.estimate())
    assert whole.estimate().high == pytest.approx(pieces.estimate().high)


def test_with_few_episodes_the_error_is_unknown():
    score = AnytimeScore()
    assert np.isnan(score.estimate().value)
    score.add([0.5, np.nan])
    assert score.estimate().n == 1
    assert np.isnan(score.estimate().low)


@pytest.mark.slow
def test_the_interval_holds_at_all_times_at_once_in_95_of_100_administrations():
    """Episodes are drawn from real ones, whose mean is the truth; 1000 administrations, each looked at 40 times."""
    scores = administer(BatchPlan(Torus(10, 10), 4000, 50, Reach(2, 23), key=2), [Member("local-search", 1)]).score
    rng = np.random.default_rng(7)
    looks = np.unique(np.geomspace(50, 3000, 40).astype(int))
    missed = 0
    for _ in range(1000):
        sample = rng.choice(scores, size=3000)
        score, done, held = AnytimeScore(), 0, True
        for look in looks:
            score.add(sample[done:look])
            done = look
            estimate = score.estimate()
            held &= estimate.low <= scores.mean() <= estimate.high
        missed += not held
    assert missed / 1000 < 0.05
