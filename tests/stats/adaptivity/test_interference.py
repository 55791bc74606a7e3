import numpy as np
import pytest
from scipy import stats

from mensura.errors import BadData
from mensura.stats import forgetting
from mensura.stats.adaptivity import interference, retention


def test_each_pair_has_its_loss_and_the_diagonal_none():
    rng = np.random.default_rng(1)
    before = 0.8 + rng.normal(0, 0.02, (10, 3))
    after = before[:, :, np.newaxis] + rng.normal(0, 0.02, (10, 3, 3))
    after[:, 0, 2] -= 0.3
    found = interference(before=before, after=after, tasks=("a", "b", "c"))
    assert found.losses[0][2].value == pytest.approx((before[:, 0] - after[:, 0, 2]).mean())
    assert found.losses[1][1] is None
    assert found.sentence == "c harms a, of 6 ordered pairs, after Holm."


@pytest.mark.slow
def test_tasks_that_do_not_interfere_are_rarely_said_to():
    claims = 0
    for study in range(300):
        rng = np.random.default_rng([2, study])
        before = rng.normal(0.8, 0.1, (8, 3))
        after = before[:, :, np.newaxis] + rng.normal(0, 0.05, (8, 3, 3))
        claims += "No interference is shown" not in interference(before=before, after=after).sentence
    assert claims / 300 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)


def test_pairs_that_nobody_measured_are_left_out_and_each_pair_may_have_its_own_before():
    rng = np.random.default_rng(3)
    before, after = rng.normal(0.8, 0.05, (9, 3, 3)), rng.normal(0.5, 0.05, (9, 3, 3))
    after[:, 1, 0] = before[:, 2, 1] = np.nan
    after[0, 0, 1] = np.nan
    found = interference(before=before, after=after, tasks=("a", "b", "c"))
    assert [[loss is not None for loss in row] for row in found.losses] == [
        [False, True, True],
        [False, False, True],
        [True, False, False],
    ]
    drop = before[1:, 0, 1] - after[1:, 0, 1]
    assert found.losses[0][1].value == pytest.approx(drop.mean())
    half = stats.t.ppf(0.975, 7) * drop.std(ddof=1) / np.sqrt(8)
    assert found.losses[0][1].low == pytest.approx(drop.mean() - half)
    assert "of 4 ordered pairs" in found.sentence
    with pytest.raises(BadData, match="No pair of tasks"):
        interference(before=before, after=np.full((9, 3, 3), np.nan))


def test_groups_that_were_probed_once_each_are_compared_by_welch_and_keep_no_share():
    before, after = np.array([0.9, 0.8, 0.7, 0.9]), np.array([0.5, 0.6, 0.3])
    found = retention(before=before, after={60.0: after}, baseline=[0.1] * 4, paired=False)[60.0]
    parts = before.var(ddof=1) / 4, after.var(ddof=1) / 3
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / 3 + parts[1] ** 2 / 2)
    half = stats.t.ppf(0.975, freedom) * np.sqrt(sum(parts))
    assert found.loss.value == pytest.approx(before.mean() - after.mean())
    assert (found.loss.low, found.loss.high) == pytest.approx((found.loss.value - half, found.loss.value + half))
    assert found.kept is None


def test_tables_that_do_not_match_are_refused():
    with pytest.raises(BadData, match="courses by tasks by tasks"):
        interference(before=[[0.1, 0.2]], after=[[0.1, 0.2]])


def test_retention_is_forgetting_over_pauses_the_shortest_first():
    before, week, day = [0.9, 0.8, 0.9], [0.6, 0.4, 0.7], [0.8, 0.8, 0.7]
    found = retention(before=before, after={7: week, 1: day}, baseline=[0.1, 0.2, 0.1])
    assert list(found) == [1, 7]
    assert found[7] == forgetting(before=before, after=week, baseline=[0.1, 0.2, 0.1])
