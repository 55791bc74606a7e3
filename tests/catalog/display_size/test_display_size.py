"""The display size: a card of 53.98 mm that is so many pixels wide."""

from math import isnan

import pytest

from mensura.catalog.display_size.dialogue import display_size
from mensura.dialogue import Refused
from mensura.running.take import take


def test_pixels_per_millimetre_come_from_the_width_of_the_card():
    assert display_size.score(take(display_size, lambda ask: 204, seed=1).record, {}) == {
        "pixels_per_mm": pytest.approx(3.779, abs=0.001)
    }
    declined = take(display_size, lambda ask: Refused(), seed=1).record
    assert isnan(display_size.score(declined, {})["pixels_per_mm"])
