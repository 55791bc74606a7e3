"""What a judge says, corrected by people's labels: against the published package, the paper's formulas, and chance."""

import sys
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import beta, norm, t

from mensura.errors import BadData
from mensura.stats import Scale, judged_score, unit_estimate

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks.coverage.judged import judged_cells
from benchmarks.coverage.simulate import simulate

BINARY = Scale(binary=True)
RIGHT = ([1] * 30 + [0] * 20, [1] * 26 + [0] * 4 + [0] * 17 + [1] * 3, [1] * 300 + [0] * 150)
GRADED = (
    [i % 7 / 6 for i in range(40)],
    [((i % 7) + (i % 3) - 1) / 8 + 0.125 for i in range(40)],
    [(i * i % 11) / 10 for i in range(150)],
)


def score(labels, judged, others, **options):
    return judged_score(labels=labels, judged=judged, others=others, **options)


@pytest.mark.parametrize(
    ("data", "point", "low", "high"),
    [
        (RIGHT, 0.6594978936703461, 0.5594493440207717, 0.7595464433199204),
        (GRADED, 0.4135994308234052, 0.3525999495193074, 0.47459891212750305),
    ],
)
def test_the_point_is_that_of_the_authors_package_and_the_interval_no_narrower(data, point, low, high):
    # ppi-python 0.2.3: ppi_mean_pointestimate and ppi_mean_ci(alpha=0.05), which takes z.
    found = score(*data)
    assert found.estimate.value == pytest.approx(point, abs=1e-12)
    assert found.estimate.high - found.estimate.low > high - low


@pytest.mark.parametrize("data", [RIGHT, GRADED])
def test_the_interval_is_what_the_formulas_of_paper_and_notes_give(data):
    """Written again from the paper (its mean) and from the method of bounded scores, by scipy's quantiles."""
    labels, judged, others = (np.array(part, dtype=float) for part in data)
    n, rest = len(labels), len(others)
    power = np.cov(labels, judged, ddof=0)[0, 1] / ((1 + n / rest) * np.var(np.concatenate([judged, others]), ddof=1))
    mean = np.mean(power * others) + np.mean(labels - power * judged)
    variance = np.var(power * others, ddof=1) / rest + np.var(labels - power * judged, ddof=1) / n
    worth = mean * (1 - mean) / variance * (norm.ppf(0.975) / t.ppf(0.975, n - 1)) ** 2
    low, high = (
        beta.ppf(0.025, mean * worth, (1 - mean) * worth + 1),
        beta.ppf(0.975, mean * worth + 1, (1 - mean) * worth),
    )
    found = score(*data)
    assert found.weight == pytest.approx(power)
    assert (found.estimate.value, found.estimate.low, found.estimate.high) == pytest.approx((mean, low, high))


def test_with_fewer_than_five_disagreements_the_labelled_items_alone_count():
    labels = [1] * 30 + [0] * 20
    for wrong in range(4, 6):
        judged = [0] * wrong + labels[wrong:]
        found = score(labels, judged, [1] * 400, scale=BINARY)
        alone = unit_estimate(labels, unit="item", scale=BINARY)
        assert found.disagreements == wrong
        assert ((found.estimate.low, found.estimate.high) == (alone.low, alone.high)) == (wrong < 5)
        assert found.estimate.method.startswith("labelled items alone" if wrong < 5 else "PPI++")


def test_a_judge_that_nobody_checked_gives_no_number():
    found = score([], [], [1] * 90 + [0] * 10)
    assert np.isnan(found.estimate.value)
    assert not found.estimate.has_interval
    assert found.sentence == "100 items judged, not checked against people: no estimate"
    assert found.as_json()["estimate"]["value"] is None


def test_a_judge_that_says_the_same_of_everything_changes_nothing():
    labels = [1] * 12 + [0] * 18
    found = score(labels, [1] * 30, [1] * 500, scale=BINARY)
    assert found.weight == 0
    assert found.estimate.value == pytest.approx(0.4)
    assert score(labels, labels, [], scale=BINARY).estimate.value == pytest.approx(0.4)


def test_a_judge_who_is_nobodys_friend_is_corrected_to_what_people_say():
    """Raw, this judge says .9 where people would say .5."""
    rng = np.random.default_rng(5)
    true = rng.random(3000) < 0.5
    said = np.where(true, rng.random(3000) < 0.99, rng.random(3000) < 0.8) * 1.0
    found = score(true[:100] * 1.0, said[:100], said[100:], scale=BINARY)
    assert said.mean() > 0.85
    assert found.estimate.low < 0.5 < found.estimate.high < 0.7


def test_the_order_of_items_does_not_matter_and_the_estimate_stays_on_its_scale():
    rng = np.random.default_rng(1)
    for _ in range(50):
        labels, judged = rng.integers(0, 2, 12), rng.integers(0, 2, 12)
        others = rng.random(40) ** 8
        one = score(labels, judged, others)
        order = rng.permutation(12)
        assert score(labels[order], judged[order], others[::-1]).estimate.low == pytest.approx(one.estimate.low)
        assert 0 <= one.estimate.low <= one.estimate.value <= one.estimate.high <= 1


@pytest.mark.parametrize(
    ("labels", "judged", "others", "words"),
    [([1], [1, 0], [], "Every label"), ([1], [2], [], "between 0 and 1"), ([np.nan], [1], [], "must be known")],
)
def test_what_cannot_be_corrected_is_refused(labels, judged, others, words):
    with pytest.raises(BadData, match=words):
        score(labels, judged, others)


def covers(cell, repetitions):
    found = simulate(cell, repetitions=repetitions)
    return found.coverage >= 0.93 - 3 * sqrt(0.93 * 0.07 / found.repetitions)


def test_from_fifty_labels_on_it_covers_at_least_93_percent():
    """One cell, the hardest of the table; `make proofs` goes through all of them."""
    [cell] = [one for one in judged_cells() if one.name == "50 labelled of 2000, 0.5 right, judge 0.99 and 0.5"]
    assert covers(cell, 300)


@pytest.mark.proof
def test_every_cell_covers_at_least_93_percent():
    short = [cell.name for cell in judged_cells() if not covers(cell, 1000)]
    assert short == []
