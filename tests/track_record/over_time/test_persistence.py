import numpy as np
import pytest

from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.over_time.persistence import persistence


def period(rng, slope, n=80, start=0):
    true = rng.uniform(0.15, 0.85, n)
    stated = np.clip(0.5 + (true - 0.5) / slope, 0, 1)
    return Sheet.binary(stated, (rng.random(n) < true).astype(float), question=np.arange(start, start + n))


def test_lasting_overvaluing_earns_a_suggestion_near_the_truth():
    rng = np.random.default_rng(1)
    found = persistence([period(rng, 0.55, start=100 * i) for i in range(5)])
    assert found.suggestion is not None
    assert abs(found.suggestion.a - 0.55) < 0.15
    assert "overvalues in each of 5 periods" in found.words


@pytest.mark.proof
def test_a_realist_rarely_earns_a_suggestion():
    rng = np.random.default_rng(2)
    suggested = [
        persistence([period(rng, 1.0, start=100 * i) for i in range(4)]).suggestion is not None for _ in range(200)
    ]
    assert np.mean(suggested) < 0.05


def test_a_bias_that_was_overcome_earns_none():
    rng = np.random.default_rng(3)
    found = persistence([period(rng, s, n=150, start=200 * i) for i, s in enumerate([0.5, 0.6, 1.0, 1.3, 1.3])])
    assert found.suggestion is None
    assert "No correction is suggested" in found.words


def test_two_periods_are_not_enough():
    rng = np.random.default_rng(4)
    found = persistence([period(rng, 0.5, start=100 * i) for i in range(2)])
    assert found.suggestion is None
    assert "2 periods" in found.words
    assert np.isnan(found.probability)


def test_who_says_the_opposite_in_each_period_is_not_called_overvaluing():
    rng = np.random.default_rng(5)
    found = persistence([period(rng, -0.9, start=100 * i) for i in range(3)])
    assert found.suggestion.a < 0
    assert "says the opposite of what happens in each of 3 periods" in found.words
    assert "overvalues" not in found.words


def test_who_has_no_relation_to_what_happens_is_not_called_overvaluing():
    rng = np.random.default_rng(6)
    outcomes = [rng.random(80) < 0.5 for _ in range(3)]
    sheets = [
        Sheet.binary(rng.uniform(0.02, 0.98, 80), one.astype(float), question=np.arange(100 * i, 100 * i + 80))
        for i, one in enumerate(outcomes)
    ]
    found = persistence(sheets)
    assert found.suggestion is not None
    assert "no relation to what happens is shown" in found.words
    assert "overvalues" not in found.words
