import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import intraclass_correlation

# Shrout and Fleiss (1979), table 2: four judges by six targets.
RATINGS = [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]


@pytest.mark.parametrize(
    ("kind", "averaged", "published"),
    [
        ("one-way", False, 0.17),
        ("agreement", False, 0.29),
        ("consistency", False, 0.71),
        ("one-way", True, 0.44),
        ("agreement", True, 0.62),
        ("consistency", True, 0.91),
    ],
)
def test_shrout_and_fleiss_published_values_are_met(kind, averaged, published):
    # Table 4 of Shrout and Fleiss (1979).
    found = intraclass_correlation(RATINGS, kind=kind, averaged=averaged)
    assert round(found.coefficient.value, 2) == published


@pytest.mark.parametrize(
    ("kind", "low", "high"), [("one-way", -0.13, 0.72), ("agreement", 0.02, 0.76), ("consistency", 0.34, 0.95)]
)
def test_intervals_are_those_r_prints_for_the_same_table(kind, low, high):
    # The table is the worked example of ICC in R's psych package, which prints these bounds.
    found = intraclass_correlation(RATINGS, kind=kind).coefficient
    assert (round(found.low, 2), round(found.high, 2)) == (low, high)


def test_items_not_rated_by_all_are_left_out():
    found = intraclass_correlation(np.column_stack([RATINGS, [1, 2, np.nan, 4]]))
    assert (found.items, found.dropped) == (6, 1)
    assert "1 item with too few ratings left out" in found.sentence
    assert "The intraclass correlation (agreement, single rater) is 0.29" in found.sentence


def test_perfect_agreement_is_one_without_looking_certain():
    for kind in ("one-way", "agreement", "consistency"):
        found = intraclass_correlation([[1, 2, 3], [1, 2, 3]], kind=kind)
        assert found.coefficient.value == 1
        assert found.coefficient.method == "none: the raters never differ"
        assert "no error estimate, as the raters never differ" in found.sentence


def test_a_strict_rater_may_agree_in_consistency_and_not_in_agreement():
    ratings = [[1, 2, 3, 5], [2, 3, 4, 6]]
    assert intraclass_correlation(ratings, kind="consistency").coefficient.value == 1
    assert intraclass_correlation(ratings, kind="agreement").coefficient.value < 0.9


@pytest.mark.parametrize(
    ("ratings", "kind", "message"),
    [
        ([[1, 2, 3]], "agreement", "two raters and two items"),
        ([[1, 1], [1, 1]], "agreement", "All ratings are the same"),
        (RATINGS, "loose", "got 'loose'"),
    ],
)
def test_what_cannot_be_computed_is_refused(ratings, kind, message):
    with pytest.raises(BadData, match=message):
        intraclass_correlation(ratings, kind=kind)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "raters", "items"),
    [
        ("one-way", 3, 15),
        ("consistency", 4, 10),
        ("agreement", 5, 20),
        ("agreement", 8, 40),
    ],
)
def test_interval_covers(kind, raters, items):
    rng = np.random.default_rng([1, raters, items])
    strictness = 0.0 if kind == "one-way" else 0.5
    # Consistency forgives strictness; agreement counts it as error.
    truth = 1 / (1 + 0.8**2 + (strictness**2 if kind == "agreement" else 0))
    covered = []
    for _ in range(1000):
        ratings = rng.normal(size=items) + strictness * rng.normal(size=(raters, 1))
        ratings = ratings + 0.8 * rng.normal(size=(raters, items))
        found = intraclass_correlation(ratings, kind=kind).coefficient
        covered.append(found.low <= truth <= found.high)
    assert 0.93 <= np.mean(covered) <= 0.97


@pytest.mark.parametrize("kind", ["one-way", "agreement", "consistency"])
def test_raters_who_rate_all_items_alike_show_no_agreement(kind):
    with pytest.raises(BadData, match="all items the same rating"):
        intraclass_correlation([[1, 1, 1], [3, 3, 3]], kind=kind)


def test_ratings_too_regular_for_a_correlation_are_refused_in_words():
    with pytest.raises(BadData, match="too few and too regular"):
        intraclass_correlation([[1, 2], [2, 1]])
