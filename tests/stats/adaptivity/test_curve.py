import numpy as np
import pytest

from mensura.errors import BadData
from mensura.stats import (
    branched_transfer,
    forgetting,
    learning_curve,
    mean_estimate,
    paired_difference,
    ratio_estimate,
    transfer,
    two_sample_difference,
)
from tests.proofs import proofs

STUDIES = 2000


def test_points_are_means_over_subjects_of_their_block_means():
    curve = learning_curve([[0.1, 0.3, 0.5, 0.9], [0.2, np.nan, 0.7, 0.7], [0.4, 0.4, 0.2, 0.4]], block=2)
    assert [point.value for point in curve.points] == pytest.approx([0.8 / 3, 1.7 / 3])
    assert curve.points[0] == mean_estimate([0.2, 0.2, 0.4])
    assert (curve.subjects, curve.block) == (3, 2)


def test_area_first_and_last_level_are_those_of_the_curve():
    curve = learning_curve([[0.1, 0.3, 0.5], [0.2, 0.4, 0.9], [0.3, 0.3, np.nan]])
    assert (curve.first, curve.last) == (curve.points[0], curve.points[-1])
    assert curve.area == mean_estimate([0.3, 0.5]), "only of subjects scored all along"


def test_a_subject_who_left_early_counts_where_it_was_scored():
    curve = learning_curve([[0.1, 0.5, 0.9], [0.2, 0.4], [0.3, 0.6, 0.8]])
    assert [point.n for point in curve.points] == [3, 3, 2]
    assert curve.gain.n == 2


def test_a_block_that_is_not_full_is_left_out():
    assert len(learning_curve([[1, 2, 3, 4, 5]] * 3, block=2).points) == 2


def test_rise_fall_and_neither_are_said_in_words():
    up = [[0.1, 0.5], [0.2, 0.7], [0.3, 0.7]]
    assert learning_curve(up).sentence.startswith("The mean score rises by 0.43 [0.29, 0.58] from block 1 to block 2")
    down = [[-value for value in subject] for subject in up]
    assert learning_curve(down).sentence.startswith("The mean score falls by 0.43 [0.29, 0.58]")
    assert learning_curve([[0.1, 0.5], [0.9, 0.2], [0.4, 0.6]]).sentence.startswith("The data do not show learning:")


def test_one_subject_has_no_error_estimate():
    words = learning_curve([[0.1, 0.5, 0.9]]).sentence
    assert words == (
        "The mean score changes by 0.8 from block 1 to block 3 (blocks of 1 session), with no error estimate: "
        "one value (1 subject)."
    )


@pytest.mark.parametrize(("scores", "block"), [([], 1), ([[1, 2]], 3), ([[1, 2]], 0)])
def test_a_curve_needs_a_whole_block(scores, block):
    with pytest.raises(BadData, match="at least one whole block"):
        learning_curve(scores, block=block)


def test_transfer_compares_other_subjects():
    trained, untrained = [0.7, 0.8, 0.9, 0.8], [0.4, 0.5, 0.6, 0.5]
    found = transfer(trained=trained, untrained=untrained)
    assert found.effect == two_sample_difference(first=trained, second=untrained).difference
    assert found.sentence.startswith("Earlier training helps:")
    assert transfer(trained=untrained, untrained=trained).sentence.startswith("Earlier training harms:")


def test_transfer_in_branches_compares_the_same_subjects():
    trained, untrained = {"a": 0.7, "b": 0.8, "c": 0.4}, {"a": 0.5, "b": 0.9, "c": 0.5}
    found = branched_transfer(trained=trained, untrained=untrained)
    assert found.effect == paired_difference(first=trained, second=untrained).difference
    assert found.sentence.startswith("The data do not show that training carries over:")


def test_transfer_of_one_subject_cannot_be_told():
    assert branched_transfer(trained=[1.5], untrained=[0.2]).sentence.startswith(
        "Whether training carries over cannot be told: one value"
    )


def test_forgetting_is_what_each_subject_loses():
    before, after = [0.9, 0.8, 0.9, 0.7], [0.6, 0.5, 0.7, 0.5]
    found = forgetting(before=before, after=after)
    assert found.loss == paired_difference(first=before, second=after).difference
    assert found.kept is None
    assert found.sentence.startswith("The score drops by 0.250 [0.158, 0.342] (before 0.825, after 0.575, 4 subjects).")
    assert forgetting(before=after, after=before).sentence.startswith("The score rises by 0.250 [0.158, 0.342]")


def test_forgetting_not_shown_or_not_known_is_said():
    assert forgetting(before=[0.9, 0.5, 0.7], after=[0.8, 0.7, 0.7]).sentence.startswith(
        "The data do not show forgetting"
    )
    words = forgetting(before=[0.9], after=[0.4]).sentence
    assert words.startswith("The score drops by 0.5, with no error estimate: one value")


def test_the_share_kept_is_of_what_had_been_learned():
    before, after, baseline = [0.9, 0.8, 0.9], [0.6, 0.5, 0.7], [0.3, 0.2, 0.3]
    found = forgetting(before=before, after=after, baseline=baseline)
    expected = ratio_estimate(numerator=[0.3, 0.3, 0.4], denominator=[0.6, 0.6, 0.6])
    assert (found.kept.value, found.kept.low) == pytest.approx((expected.value, expected.low))
    assert "Of what had been learned, a share of 0.56" in found.sentence
    by_name = forgetting(
        before=dict(zip("abc", before, strict=True)),
        after=dict(zip("abc", after, strict=True)),
        baseline=dict(zip("abcd", [*baseline, 0.1], strict=True)),
    )
    assert by_name.kept.value == pytest.approx(found.kept.value)


def test_a_baseline_of_other_subjects_is_refused():
    with pytest.raises(BadData, match="got 3 and 2"):
        forgetting(before=[0.9, 0.8, 0.9], after=[0.6, 0.5, 0.7], baseline=[0.3, 0.2])


@pytest.mark.slow
@pytest.mark.parametrize(("subjects", "kind"), [(12, "exponential"), *proofs((5, "normal"), (30, "exponential"))])
@pytest.mark.proof
def test_intervals_of_points_and_gain_cover(subjects, kind):
    rng = np.random.default_rng([1, subjects])
    points, gains = [], []
    for _ in range(STUDIES):
        talent = rng.normal(1, 1, (subjects, 1)) if kind == "normal" else rng.exponential(size=(subjects, 1))
        scores = talent + np.array([0.0, 0.2, 0.6]) + rng.normal(0, 0.5, size=(subjects, 3))
        curve = learning_curve(scores)
        points.append(curve.points[2].low <= 1.6 <= curve.points[2].high)
        gains.append(curve.gain.low <= 0.6 <= curve.gain.high)
    assert 0.93 <= np.mean(points) <= 0.97
    assert 0.93 <= np.mean(gains) <= 0.97


@pytest.mark.slow
def test_interval_of_the_share_kept_covers():
    rng = np.random.default_rng(2)
    covered = []
    for _ in range(STUDIES):
        start = rng.normal(0.2, 0.1, size=10)
        before = start + rng.normal(0.5, 0.1, size=10)
        after = start + 0.6 * 0.5 + rng.normal(0, 0.1, size=10)
        kept = forgetting(before=before, after=after, baseline=start).kept
        covered.append(kept.low <= 0.6 <= kept.high)
    assert 0.93 <= np.mean(covered) <= 0.97
