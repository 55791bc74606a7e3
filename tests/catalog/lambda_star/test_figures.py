"""Pictures and studies of Λ*."""

from pathlib import Path
from runpy import run_path

import pytest

from mensura.exhibit.look import as_svg
from mensura.running.study import read_study
from mensura.stats import Estimate

EXAMPLES = Path(__file__).parents[3] / "examples"
FACTORS = run_path(str(EXAMPLES / "lambda_star_factors.py"))


def test_scores_are_drawn_with_their_intervals():
    estimates = {("oracle", n): Estimate(0.9, 0.88, 0.92, 100, "t") for n in (1, 5)}
    svg = as_svg(FACTORS["score_figure"](estimates, factor="number of agents"))
    assert "number of agents" in svg
    assert "oracle" in svg


def test_learning_is_drawn_by_session():
    curve = [{"value": v, "low": v - 0.1, "high": v + 0.1} for v in (0.0, 0.2, 0.3)]
    assert "training session" in as_svg(FACTORS["learning_figure"]({"q-learning": curve}))


@pytest.mark.parametrize("name", ["uncertainty", "complexity", "protocol", "time", "crowd", "ability"])
def test_every_factor_has_a_study_of_its_own(name):
    study = read_study(EXAMPLES / f"lambda_star_{name}.yaml")
    assert study.tests == ("lambda-star",)
    assert len(study.cells()) >= 9


def test_the_joint_study_crosses_six_factors():
    study = read_study(EXAMPLES / "lambda_star_factors.py")
    assert len(study.factors) == 5
    assert len(study.cells()) == 2**5 * 4
