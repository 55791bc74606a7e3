import numpy as np
import pytest

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


def test_tables_that_do_not_match_are_refused():
    with pytest.raises(BadData, match="courses by tasks by tasks"):
        interference(before=[[0.1, 0.2]], after=[[0.1, 0.2]])


def test_retention_is_forgetting_over_pauses_the_shortest_first():
    before, week, day = [0.9, 0.8, 0.9], [0.6, 0.4, 0.7], [0.8, 0.8, 0.7]
    found = retention(before=before, after={7: week, 1: day}, baseline=[0.1, 0.2, 0.1])
    assert list(found) == [1, 7]
    assert found[7] == forgetting(before=before, after=week, baseline=[0.1, 0.2, 0.1])
