"""The corridor as arrays: it matches the plain form statistically."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency, ks_2samp

from mensura.catalog.corridor.batch import CorridorBatch, walk_batch
from mensura.catalog.corridor.dialogue import corridor
from mensura.catalog.corridor.world import see, views
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


@pytest.mark.parametrize("name", ["optimal", "random-walk"])
@pytest.mark.parametrize("given", [{}, {"length": 6, "slip": 0.3, "most_steps": 15, "step_cost": 0.1}])
def test_batch_matches_the_plain_form(name, given):
    parameters = corridor.fill({**given, "episodes": 1500})
    subject = corridor.subjects[name]()
    taken = take(corridor, subject, seed=11, parameters=parameters, trace="summary")
    plain = score_record(corridor, taken.record, taken.truths).values
    batch = walk_batch(np.random.default_rng(12), subject, **parameters).values
    assert set(plain) == set(batch)
    # Seeds are fixed, so this either holds for ever or never; one in a thousand would fail by chance.
    assert ks_2samp(plain["steps"].values, batch["steps"].values).pvalue > 0.001
    returns = [items["return"].values.round(9) for items in (plain, batch)]
    assert ks_2samp(*returns).pvalue > 0.001
    counts = [[items["reached"].values.sum() + 1, (1 - items["reached"].values).sum() + 1] for items in (plain, batch)]
    assert chi2_contingency(counts).pvalue > 0.001


def test_what_is_seen_is_what_the_plain_form_shows():
    batch = CorridorBatch(np.random.default_rng(1), episodes=50, length=7)
    seen = batch.start()
    for _ in range(4):
        cells = np.round(seen[:, 0] * 6).astype(int)
        goals = np.where(seen[:, 1] > 0.5, 6, 0)
        for row, cell, goal, done in zip(seen, cells, goals, batch.done, strict=True):
            if not done:
                assert row == pytest.approx(see(views(7, int(goal))[cell]))
        seen, _, _ = batch.step(np.ones(50, dtype=np.int64))


def test_walls_hold_and_rewards_stop_at_the_end():
    batch = CorridorBatch(np.random.default_rng(1), episodes=100, slip=0.0, most_steps=8)
    seen = batch.start()
    away = seen[:, 1] < 0.5
    total = np.zeros(100)
    for _ in range(8):
        seen, rewards, done = batch.step(away)
        total += rewards
    assert done.all()
    assert (batch.place == 0).all()
    assert total == pytest.approx(np.full(100, -0.08))
    batch.start()
    towards = batch.right.copy()
    total[:] = 0
    for _ in range(8):
        total += batch.step(towards)[1]
    assert total == pytest.approx(np.full(100, 0.95))


def test_subjects_without_a_batch_form_take_the_plain_one():
    assert walk_batch(np.random.default_rng(1), lambda ask: 0, **corridor.fill({"episodes": 5})) is None


def test_more_walks_than_fit_together_are_all_walked():
    parameters = corridor.fill({"episodes": 5000, "length": 3})
    scores = walk_batch(np.random.default_rng(1), corridor.subjects["optimal"](), **parameters)
    assert len(scores.values["return"].values) == 5000
    assert np.isfinite(scores.values["return"].values).all()
