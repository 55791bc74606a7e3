"""Presentations: a problem that one look makes harder is found, and a look that makes all harder is no such problem."""

import numpy as np
import pytest

from mensura.stats.response.measurement import measure
from mensura.stats.response.presentations import ItemLook
from mensura.stats.response.responses import response_matrix

PROBLEMS = 8
LOOKS = [ItemLook(f"s{n}", look) for look in ("form=drawn", "form=pixels") for n in range(PROBLEMS)]


@pytest.fixture(scope="module")
def found():
    """Simulate 250 persons: in pixels all is half a logit harder, and the third problem two more."""
    rng = np.random.default_rng(4)
    ability, easy = rng.normal(size=(250, 1)), np.tile(np.linspace(1, -1, PROBLEMS), 2)
    easy[PROBLEMS:] -= 0.5
    easy[PROBLEMS + 2] -= 2
    right = (rng.random((250, 2 * PROBLEMS)) < 1 / (1 + np.exp(-1.2 * ability - easy))).astype(float)
    return measure(response_matrix(right), model="rasch", looks=LOOKS)


def test_the_problem_is_found_that_one_presentation_makes_harder(found):
    [(name, one)] = found.presentations.items()
    assert name == "form=pixels"
    assert one.groups == ("form=drawn", "form=pixels")
    assert [problem for problem, item in one.items.items() if item.differs] == ["s2"]
    assert one.items["s2"].logits.low > 0
    assert one.means[0] > one.means[1]
    assert found.as_json()["presentations"]["form=pixels"]["items"]["s2"]["differs"]
    assert any("s2 easier for form=drawn" in remark for remark in found.remarks)


def test_problems_that_were_asked_in_one_presentation_are_not_compared(found):
    apart = [ItemLook(str(n), look.presentation) for n, look in enumerate(LOOKS)]
    assert measure(found.matrix, model="rasch", looks=apart).as_json()["presentations"] is None
