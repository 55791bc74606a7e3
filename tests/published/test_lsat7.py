"""LSAT-7, the five items that every program for item-response models is tried on.

Bock and Lieberman (1970), Psychometrika 35, 179-197; parameters, standard errors and log likelihood as mirt 1.2.0 on
PyPI, a program of another make, gives them with 61 nodes.
"""

from pathlib import Path

import numpy as np
import pytest

from mensura.stats.response.calibration import calibrate
from mensura.stats.response.responses import response_matrix

PATTERNS = Path(__file__).parents[1] / "data" / "lsat7" / "patterns.csv"
A = [0.988, 1.081, 1.707, 0.765, 0.736]
B = [-1.879, -0.748, -1.057, -0.635, -2.521]
SE_A = [0.177, 0.169, 0.321, 0.134, 0.151]
SE_B = [0.264, 0.109, 0.115, 0.130, 0.446]


def answers():
    rows = np.loadtxt(PATTERNS, delimiter=",", skiprows=1).astype(int)
    return np.repeat(rows[:, :5], rows[:, 5], axis=0)


def test_two_parameters_of_lsat_7():
    found = calibrate(response_matrix(answers()), model="2pl")
    assert found.converged
    assert found.loglik == pytest.approx(-2658.81, abs=0.01)
    assert [one.a for one in found.items.values()] == pytest.approx(A, abs=0.01)
    assert [one.b for one in found.items.values()] == pytest.approx(B, abs=0.01)
    assert [one.se_a for one in found.items.values()] == pytest.approx(SE_A, abs=0.002)
    assert [one.se_b for one in found.items.values()] == pytest.approx(SE_B, abs=0.002)


def test_one_slope_for_all_items_of_lsat_7():
    """With the slope held at 1 the log likelihood is -2664.916; the best common slope is near 1 and a little better."""
    found = calibrate(response_matrix(answers()), model="rasch")
    assert -2664.916 < found.loglik < -2664.88
    slopes = {one.a for one in found.items.values()}
    assert len(slopes) == 1
    assert slopes.pop() == pytest.approx(1, abs=0.03)


def test_other_programs_give_the_same():
    mirt = pytest.importorskip("mirt", reason="mirt on PyPI is not installed")
    theirs = mirt.fit_mirt(answers(), model="2PL", n_quadpts=61, tol=1e-8, max_iter=5000)
    ours = calibrate(response_matrix(answers()), model="2pl")
    assert ours.loglik == pytest.approx(theirs.log_likelihood, abs=0.01)
    slopes = np.ravel(theirs.model.parameters["discrimination"])
    assert [one.a for one in ours.items.values()] == pytest.approx(slopes.tolist(), abs=0.02)
