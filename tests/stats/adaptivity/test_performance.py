import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats.adaptivity import performance, performance_parts

TASK = {"chance": 0.2, "oracle": 1.0, "worst": 0.0}


@pytest.mark.parametrize(("score", "level"), [(0.2, 0.0), (1.0, 1.0), (0.0, -1.0), (0.6, 0.5), (0.1, -0.5)])
def test_chance_is_zero_the_oracle_one_and_the_worst_minus_one(score, level):
    assert performance(score=[score], **TASK).value == pytest.approx(level)


def test_less_may_be_better():
    time = {"chance": 50.0, "oracle": 10.0, "worst": 60.0}
    assert performance(score=[20.0, 40.0], **time).value == pytest.approx(0.5)
    assert performance(score=[55.0], **time).value == pytest.approx(-0.5)


def test_oracle_and_chance_alike_are_refused():
    with pytest.raises(BadData, match=r"Oracle and chance both score 0\.5"):
        performance(score=[0.4, 0.6], chance=[0.4, 0.6], oracle=0.5)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"worst": 0.5}, "The worst score lies beyond chance"),
        ({"oracle": [1.0, 1.0, 1.0]}, "Give one oracle, or one for each of 2 courses; got 3"),
        ({"score": [float("nan")] * 2}, "at least one scored course"),
        ({"chance": [0.1, 0.2, 0.3], "paired": True}, "as many as the subject's; got 3 and 2"),
        ({"score": ["high", "low"]}, "must be numbers"),
    ],
)
def test_what_cannot_be_measured_is_refused(wrong, words):
    with pytest.raises(BadData, match=words):
        performance(**{"score": [0.4, 0.6], **TASK, **wrong})


def test_one_course_has_no_interval_and_says_so():
    found = performance(score=[0.6], **TASK)
    assert not found.has_interval
    assert found.method == "none: one course"
    assert found.note.startswith("One course:")
    assert performance(score=[0.5, 0.6], chance=[0.2], oracle=1).method == "none: one course of chance"


def test_chances_own_error_widens_the_interval():
    score = [0.5, 0.6, 0.7, 0.6, 0.5, 0.7]
    known = performance(score=score, chance=0.2, oracle=1)
    sampled = performance(score=score, chance=[0.0, 0.4, 0.1, 0.3, 0.2, 0.2], oracle=1)
    assert sampled.value == pytest.approx(known.value)
    assert sampled.high - sampled.low > known.high - known.low
    assert known.population == "courses"


def test_with_chance_known_the_interval_is_that_of_the_mean_score_mapped():
    """By other means: with chance, oracle and worst exact P is a broken line in the mean."""
    from scipy.stats import t

    score = np.array([0.25, 0.15, 0.3, 0.1])
    half = t.ppf(0.975, 3) * score.std(ddof=1) / 2
    low, high = score.mean() - half, score.mean() + half
    found = performance(score=score, **TASK)
    assert found.low == pytest.approx((low - 0.2) / 0.2)
    assert found.high == pytest.approx((high - 0.2) / 0.8)


def test_paired_chance_takes_out_what_seeds_share():
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 0.2, 12)
    score, chance = 0.6 + luck + rng.normal(0, 0.02, 12), 0.2 + luck + rng.normal(0, 0.02, 12)
    paired = performance(score=score, chance=chance, oracle=1.2 + luck, paired=True)
    apart = performance(score=score, chance=chance, oracle=1.2 + luck)
    assert paired.high - paired.low < (apart.high - apart.low) / 2


def test_a_score_beyond_the_oracle_is_held_at_one_and_told():
    found = performance(score=[1.2, 1.3], chance=0.2, oracle=1)
    assert found.value == 1
    assert "better than the oracle's" in found.note
    assert performance(score=[1.2, 1.21, 1.2], chance=0.2, oracle=1).method == "none: the scores lie beyond the scale"


def test_without_a_worst_score_the_scale_goes_on_below_chance():
    found = performance(score=[0.1, 0.12], chance=0.2, oracle=1)
    assert found.value == pytest.approx(-0.09 / 0.8)
    assert "No worst score was given" in found.note


def test_parts_are_given_apart_and_in_the_stated_combination():
    accuracy = {"score": [0.6, 0.7, 0.5], **TASK}
    time = {"score": [20.0, 30.0, 25.0], "chance": 50.0, "oracle": 10.0, "worst": 60.0}
    found = performance_parts({"accuracy": accuracy, "time": time}, weights={"accuracy": 3, "time": 1})
    assert found.parts["time"] == performance(**time)
    assert found.combined.value == pytest.approx(0.75 * 0.5 + 0.25 * 0.625)
    assert "combined as 0.75 accuracy + 0.25 time" in found.sentence


def test_a_linear_combination_has_the_interval_of_t():
    """By other means: above chance, with chance known, the combination is a mean of one number per course."""
    from mensura.stats import t_estimate

    accuracy = {"score": [0.6, 0.7, 0.5, 0.65], **TASK}
    time = {"score": [20.0, 30.0, 25.0, 12.0], "chance": 50.0, "oracle": 10.0, "worst": 60.0}
    each = [((a - 0.2) / 0.8 + (b - 50) / -40) / 2 for a, b in zip(accuracy["score"], time["score"], strict=True)]
    found, plain = performance_parts({"accuracy": accuracy, "time": time}).combined, t_estimate(each)
    assert (found.value, found.low, found.high) == pytest.approx((plain.value, plain.low, plain.high))


def test_parts_of_other_courses_or_without_weights_are_refused():
    part = {"score": [0.6, 0.7, 0.5], **TASK}
    with pytest.raises(BadData, match="Give every part a weight"):
        performance_parts({"a": part}, weights={"b": 1})
    with pytest.raises(BadData, match="Give every part a weight"):
        performance_parts({})
    with pytest.raises(BadData, match="of the same courses"):
        performance_parts({"a": part, "b": {**part, "score": [0.5, 0.6]}})


def test_a_part_without_interval_leaves_the_combination_without():
    part = {"score": [0.6, 0.7, 0.5], **TASK}
    found = performance_parts({"a": part, "b": {**part, "score": [0.5] * 3}}).combined
    assert found.method == "none: a part has none"


def test_chance_that_scores_the_worst_there_is_leaves_nothing_below_it():
    found = performance(score=[60, 50, 40, 55], chance=[60, 60, 60, 60], oracle=10, worst=60, paired=True)
    assert found.value == pytest.approx((60 - 51.25) / 50)
    assert found.low == 0
    assert found.value < found.high < 1
