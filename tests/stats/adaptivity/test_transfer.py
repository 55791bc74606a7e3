import numpy as np
import pytest
from scipy import stats

from mensura.errors import BadData
from mensura.stats import branched_transfer, t_estimate, transfer
from mensura.stats.adaptivity import curve_transfer, transfer_forms, transfer_points

NEVER = float("nan")
NOBODY = [NEVER] * 3
ARMS = {
    "x": {"on_x": [0.9, 0.8, 0.7], "on_y": [0.5, 0.5, 0.2]},
    "y": {"on_y": [0.6, 0.7, 0.5], "time": [40, 30, NEVER], "knowledge": [90, 80, 95]},
    "x_then_y": {"on_y": [0.8, 0.8, 0.7], "time": [20, 15, 45], "knowledge": [50, 40, 60], "time_on_x": 20},
    "split": {"on_y": [0.5, 0.7, 0.6]},
}


def test_every_form_of_the_paper_by_hand():
    found = transfer_forms(ARMS, horizon=50)
    assert found.raw.value == pytest.approx(0.4)
    assert found.loss.value == pytest.approx((0.4 + 0.3 + 0.5) / 3)
    assert found.gain_extra.value == pytest.approx((0.2 + 0.1 + 0.2) / 3)
    assert found.gain_fixed.value == pytest.approx((-0.1 + 0.0 + 0.1) / 3)
    assert found.knowledge.value == pytest.approx(50)
    assert found.knowledge_saved.value == pytest.approx((40 + 40 + 35) / 3)
    assert found.training_time.value == pytest.approx((20 + 15 + 5) / 3), "who never reached it counts as 50"
    assert found.composite_time.value == pytest.approx((40 + 35 + 65) / 3)
    assert found.detour.value == pytest.approx((0 - 5 - 15) / 3), "Y alone minus the composite"


def test_intervals_are_t_over_pairs_of_courses():
    found, plain = transfer_forms(ARMS, horizon=50).gain_extra, t_estimate([0.2, 0.1, 0.2])
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high))
    assert found.population == "courses"


def test_seeds_pair_courses_in_any_order():
    shuffled = {
        "y": {"on_y": {"7": 0.6, "8": 0.7, "9": 0.5}},
        "split": {"on_y": {"9": 0.6, "7": 0.5, "8": 0.7}},
    }
    assert transfer_forms(shuffled).gain_fixed.value == pytest.approx(0.0)
    assert transfer_forms(shuffled).gain_fixed.n == 3


def test_groups_that_share_no_seeds_are_compared_as_groups():
    arms = {"y": {"on_y": [0.6, 0.7, 0.5, 0.6]}, "x_then_y": {"on_y": [0.8, 0.8, 0.7]}}
    found = transfer_forms(arms, paired=False)
    assert found.gain_extra == branch_population(
        transfer(trained=[0.8, 0.8, 0.7], untrained=[0.6, 0.7, 0.5, 0.6]).effect
    )
    assert "groups of different courses" in found.sentence


def test_the_loss_of_groups_that_took_one_probe_each_is_between_them():
    arms = {"x": {"on_x": [0.9, 0.8, NEVER, NEVER], "on_y": [NEVER, NEVER, 0.5, 0.3]}}
    loss = transfer_forms(arms, paired=False).loss
    # By hand: standard error √(.005/2 + .02/2) with 25/17 degrees of freedom.
    assert loss.value == pytest.approx(0.45)
    assert loss.high - loss.value == pytest.approx(stats.t.ppf(0.975, 25 / 17) * np.sqrt(0.0125))
    both = {"x": {"on_x": [0.9, 0.8, 0.7], "on_y": [0.5, 0.5, 0.2]}}
    assert transfer_forms(both, paired=False).loss == transfer_forms(both).loss


def branch_population(estimate):
    from dataclasses import replace

    return replace(estimate, population="courses")


def test_a_form_without_its_arm_is_missing():
    found = transfer_forms({"x": {"on_y": [0.5, 0.6]}})
    assert found.raw is not None
    assert found.loss is found.gain_extra is found.detour is None


def test_one_course_is_told_in_words():
    arms = {"y": {"on_y": [0.6]}, "x_then_y": {"on_y": [0.8]}}
    assert "0.2, with no error estimate (one course)" in transfer_forms(arms).sentence


def test_levels_of_zero_and_one_are_compared_as_branches_are():
    solved, alone = [1, 1, 1, 0, 1, 1], [0, 1, 0, 0, 1, 0]
    found = transfer_forms({"y": {"on_y": alone}, "x_then_y": {"on_y": solved}}).gain_extra
    assert found.method == "Agresti-Min"
    assert found == branch_population(branched_transfer(trained=solved, untrained=alone).effect)


@pytest.mark.parametrize(
    ("arms", "words"),
    [
        ({"z": {"on_y": [1]}}, "Arms are x, y, x_then_y, split"),
        ({"x": [0.5]}, "each with what was measured"),
        ({"x": {"on_z": [0.5]}}, "holds on_x, on_y, knowledge; got 'on_z'"),
        ({"y": {"time": [3, NEVER]}}, "say up to where they were watched"),
        ({"y": {"time": [-3]}}, "from 0 up"),
        ({"y": {"on_y": [1, 2, 3]}, "split": {"on_y": [1, 2]}}, "equally long; got 2 and 3"),
        ({"y": {"on_y": ["good"]}}, "must be numbers"),
        ({"y": {"on_y": {"1": 0.5}}, "split": {"on_y": [0.5]}}, "equally long; got 1 and by seed"),
        ({"y": {"on_y": None}}, "has no numbers for 'on_y'"),
        ({}, "at least one arm"),
    ],
)
def test_bad_arms_are_refused(arms, words):
    with pytest.raises(BadData, match=words):
        transfer_forms(arms)


def test_transfer_as_a_function_of_training_level_and_knowledge():
    points = [
        {"training": 40, "arms": {"x": {"on_x": [0.8, 0.9], "on_y": [0.5, 0.6], "knowledge": [300, 320]}}},
        {"training": 10, "arms": {"x": {"on_x": [0.4, 0.5], "on_y": [0.3, 0.3]}}},
    ]
    first, second = transfer_points(points)
    assert (first["training"], second["training"]) == (10, 40)
    assert first["knowledge"] is None
    assert second["knowledge"].value == 310
    assert [point["level"].value for point in (first, second)] == pytest.approx([0.45, 0.85])
    assert [point["forms"].raw.value for point in (first, second)] == pytest.approx([0.3, 0.55])


def test_taylor_and_stones_measures_by_hand():
    after, alone = (
        [[0.4, 0.6, 0.8], [0.5, 0.6, 0.8], [0.3, 0.7, 0.9]],
        [[0.1, 0.5, 0.8], [0.2, 0.4, 0.7], [0.1, 0.5, 0.8]],
    )
    found = curve_transfer(after=after, alone=alone)
    assert found.jumpstart.value == pytest.approx(0.8 / 3)
    assert found.asymptote.value == pytest.approx(0.2 / 3)
    assert found.total_reward.value == pytest.approx((5.6 - 4.1) / 3)
    assert found.transfer_ratio.value == pytest.approx(5.6 / 4.1 - 1)
    assert curve_transfer(after=after, alone=alone, ends=2).asymptote.value == pytest.approx((4.4 - 3.7) / 6)
    assert "jumpstart a gain of" in found.sentence


def test_curves_of_other_courses_are_refused():
    with pytest.raises(BadData, match="the same courses and sessions"):
        curve_transfer(after=[[0.1, 0.2]], alone=[[0.1]])


@pytest.mark.slow
def test_identical_tasks_show_no_loss_and_unrelated_ones_no_gain_at_the_stated_rate():
    """A small cell of the table in docs/adaptivity.md: 600 studies of 8 courses, three standard errors about 5 %."""
    studies, claims = 600, np.zeros(3)
    for study in range(studies):
        rng = np.random.default_rng([21, study])
        talent = rng.normal(0.6, 0.1, 8)
        on_x, on_y, alone, then = (talent + rng.normal(0, 0.05, 8) for _ in range(4))
        times = {"y": rng.exponential(40, 8), "x_then_y": rng.exponential(40, 8)}
        arms = {
            "x": {"on_x": on_x, "on_y": on_y},
            "y": {"on_y": alone, "time": times["y"]},
            "x_then_y": {"on_y": then, "time": times["x_then_y"]},
        }
        found = transfer_forms(arms, horizon=50)
        claims += [form.excludes(0) for form in (found.loss, found.gain_extra, found.training_time)]
        assert found.loss.excludes(0) == ("From X to Y after X: no loss or gain shown" not in found.sentence)
    assert (np.abs(claims / studies - 0.05) <= 3 * np.sqrt(0.05 * 0.95 / studies)).all(), claims


def test_a_level_that_nobody_reached_gives_a_sentence_and_no_detour():
    found = transfer_forms({"y": {"time": NOBODY}, "x_then_y": {"time": NOBODY, "time_on_x": 4}}, horizon=4)
    assert found.training_time is found.composite_time is found.detour is None
    assert "No course reached the level on Y within 4" in found.sentence
    assert "unknown whether the detour pays" in found.sentence
    assert "detour over X: " not in found.sentence


def test_times_beyond_the_horizon_reached_nothing():
    found = transfer_forms({"y": {"time": [9, 8]}, "x_then_y": {"time": [7, 6], "time_on_x": 4}}, horizon=5)
    assert found.detour is None


def test_where_only_one_arm_reached_the_level_the_detour_is_known_and_the_other_named():
    found = transfer_forms({"y": {"time": NOBODY}, "x_then_y": {"time": [1, 2, 3], "time_on_x": 1}}, horizon=10)
    assert found.detour.value == pytest.approx(7)
    assert "No course reached the level on Y alone within 10" in found.sentence
    found = transfer_forms({"y": {"time": [1, 2, 3]}, "x_then_y": {"time": NOBODY, "time_on_x": 1}}, horizon=10)
    assert found.composite_time is None
    assert found.detour.value == pytest.approx(2 - 11)
    assert "No course reached the level on Y after X within 10" in found.sentence
