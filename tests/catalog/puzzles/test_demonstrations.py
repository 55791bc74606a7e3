"""Demonstrations: a specialist at the norm is not general; training on the hardest changes transfer by an estimate."""

from pathlib import Path

import pytest

from mensura.subjects.source import load_module

DIGITS = Path(__file__).parents[2] / "data" / "digit_matrices"
EXAMPLES = Path(__file__).parents[3] / "examples"


def test_a_small_specialist_reaches_the_norm_of_its_kind_with_low_generality():
    specialist = load_module(str(EXAMPLES / "puzzles_specialist.py")).specialist
    assert specialist(count=12)["who"] == "simulated"
    told = specialist(DIGITS, count=50)
    assert told["who"] == "people on the same problems"
    assert told["norm"] == pytest.approx(886 / 1376)
    assert told["lines"] < 200
    assert told["interval"][1] >= told["norm"]
    assert told["accuracy"] >= 0.6
    assert told["generality"].high < 0.25


@pytest.mark.slow
def test_training_on_the_hardest_puzzles_changes_transfer_by_an_estimate_with_interval():
    found = load_module(str(EXAMPLES / "puzzles_training.py")).compared(courses=6, lessons=10, probes=10)
    assert set(found) == {"number-series", "letter-series"}
    for one in found.values():
        assert one.effect.n == 6
        assert one.effect.low <= one.effect.value <= one.effect.high
        assert one.effect.value == pytest.approx(one.trained.value - one.untrained.value)
