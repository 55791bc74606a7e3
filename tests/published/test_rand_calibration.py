"""Brown and Shuford (1973), RAND R-1185, section III: calibration. The table and its errata were checked by hand."""

import numpy as np
import pytest

from mensura.scores import rule
from mensura.track_record.calibration.correction import correct
from mensura.track_record.calibration.loss import losses
from mensura.track_record.calibration.murphy import murphy
from mensura.track_record.calibration.realism import fit_realism
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.calibration.total.total import expected_total

LEVELS = [0.1, 0.3, 0.5, 0.7, 0.9]
CONFIRMED = [2, 6, 10, 12, 16]
DISCONFIRMED = [8, 14, 10, 8, 4]


@pytest.fixture
def table():
    return Sheet.from_levels(LEVELS, confirmed=CONFIRMED, disconfirmed=DISCONFIRMED)


def with_complements(sheet):
    """State both sides of every answer."""
    (block,) = sheet.blocks
    return Sheet.alternatives(block.probabilities, block.outcomes)


def test_page_16_realism_function_of_the_table(table):
    line = fit_realism(table)
    assert line.a == pytest.approx(107 / 140, abs=1e-12)
    assert line.b == pytest.approx(19 / 200, abs=1e-12)
    assert line.n == 90


def test_page_16_printed_estimators_give_the_same_line(table):
    u, v, r = map(np.array, (CONFIRMED, DISCONFIRMED, LEVELS))
    n = u + v
    under = (n * r**2).sum() * n.sum() - (n * r).sum() ** 2
    a = (n.sum() * (u * r).sum() - (n * r).sum() * u.sum()) / under
    b = (-(n * r).sum() * (u * r).sum() + (n * r**2).sum() * u.sum()) / under
    line = fit_realism(table)
    assert (line.a, line.b) == (pytest.approx(a), pytest.approx(b))


def test_with_complements_the_same_answers_give_another_line_through_the_middle(table):
    line = fit_realism(with_complements(table))
    assert (line.a, line.b) == (pytest.approx(0.75), pytest.approx(0.125))
    assert line.a + 2 * line.b == pytest.approx(1)


def test_page_21_scores_before_and_after_correction(table):
    corrected = correct(table, fit_realism(table)).sheet
    assert table.scores(rule("log")).sum() == pytest.approx(6.04697, abs=5e-6)
    assert corrected.scores(rule("log")).sum() == pytest.approx(7.69909, abs=5e-6)
    assert table.scores(rule("quadratic")).sum() == pytest.approx(3.2)
    assert corrected.scores(rule("quadratic")).sum() == pytest.approx(3.645714, abs=5e-7)


def test_page_21_labelling_loss_is_the_gain_of_correction(table):
    loss = losses(table, correct(table, fit_realism(table)).sheet)
    assert loss.labelling == pytest.approx((7.69909 - 6.04697) / 90, abs=1e-7)
    assert loss.sorting == pytest.approx(np.log(2) - 7.69909 / 90, abs=1e-7)
    assert loss.log_likelihood_ratio == pytest.approx(7.69909 - 6.04697, abs=1e-5)
    assert loss.actual_information < loss.perceived_information


def test_murphy_decomposition_of_the_table(table):
    parts = murphy(table.points())
    assert parts.reliability == pytest.approx(0.005556, abs=5e-7)
    assert parts.resolution == pytest.approx(0.040988, abs=5e-7)
    assert parts.uncertainty == pytest.approx(0.249877, abs=5e-7)
    assert parts.reliability - parts.resolution + parts.uncertainty == pytest.approx(parts.loss)


@pytest.mark.parametrize(("name", "mean", "variance"), [("log", 0.822829, 1.507619), ("quadratic", 0.4, 0.336)])
def test_page_20_expected_total_of_ten_answers_at_seven_tenths(name, mean, variance):
    total = expected_total(Sheet.binary([0.7] * 10, [1] * 5 + [0] * 5), rule(name))
    assert total.mean == pytest.approx(mean, abs=5e-7)
    assert total.variance == pytest.approx(variance, abs=5e-7)
    assert total.method == "exact"


def test_page_21_exact_tail_of_five_right_of_ten_is_far_from_the_normal_one():
    from scipy.stats import norm

    total = expected_total(Sheet.binary([0.7] * 10, [1] * 5 + [0] * 5), rule("log"))
    assert total.tail == pytest.approx(0.1503, abs=5e-5)
    assert norm.cdf((total.observed - total.mean) / total.variance**0.5) == pytest.approx(0.0838, abs=5e-5)


def test_erratum_correction_can_lower_the_logarithmic_score():
    sheet = Sheet.from_levels([0.1, 0.5, 0.9], confirmed=[1, 0, 3], disconfirmed=[1, 5, 0])
    line = fit_realism(sheet)
    assert (line.a, line.b) == (pytest.approx(40 / 49), pytest.approx(-2 / 49))
    corrected = correct(sheet, line).sheet
    n = len(sheet)
    assert sheet.scores(rule("log")).sum() - n * np.log(2) == pytest.approx(-6.18976, abs=5e-6)
    assert corrected.scores(rule("log")).sum() - n * np.log(2) == pytest.approx(-6.62589, abs=5e-6)
    assert corrected.scores(rule("quadratic")).sum() > sheet.scores(rule("quadratic")).sum()


def test_erratum_twenty_answers_leave_the_slope_uncertain():
    rng = np.random.default_rng(1185)
    slopes, outside = [], 0
    for _ in range(1500):
        p = rng.random(20)
        sheet = Sheet.binary(p, (rng.random(20) < p).astype(float))
        line = fit_realism(sheet)
        slopes.append(line.a)
        ends = line.line(np.array([p.min(), p.max()]))
        outside += bool(ends.min() < 0 or ends.max() > 1)
    assert np.std(slopes) == pytest.approx(0.27, abs=0.015)
    assert outside / 1500 == pytest.approx(0.59, abs=0.05)
