"""Scales: what a score can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.errors import BadData
from mensura.stats import Scale


@given(st.floats(-100, 100), st.floats(0.1, 100), st.floats(0, 1))
def test_mapping_to_shares_and_back_changes_nothing(low, width, share):
    scale = Scale(low, low + width)
    assert scale.share(scale.value(share)) == pytest.approx(share, abs=1e-9)


def test_binary_scales_run_from_0_to_1():
    assert (Scale(binary=True).low, Scale(binary=True).high) == (0, 1)
    with pytest.raises(BadData, match="have the scale 0 to 1; got 0 to 100"):
        Scale(0, 100, binary=True)


def test_wrong_bounds_are_refused():
    with pytest.raises(BadData, match="lies below the upper one; got 1 and 1"):
        Scale(1, 1)
    with pytest.raises(BadData, match="a finite number"):
        Scale(0, float("inf"))


def test_values_outside_are_refused_and_rounding_is_not():
    assert Scale(0, 1).check(np.array([1 + 1e-12, -1e-12])).tolist() == [1, 0]
    with pytest.raises(BadData, match=r"between 0 and 1; got 1\.5"):
        Scale(0, 1).check(np.array([0.5, 1.5]))
    with pytest.raises(BadData, match=r"at least at 0; got -1"):
        Scale(low=0).check(np.array([-1.0]))
    with pytest.raises(BadData, match=r"at most at 0; got 1"):
        Scale(high=0).check(np.array([1.0]))
    with pytest.raises(BadData, match=r"0 or 1; got 0\.5"):
        Scale(binary=True).check(np.array([0.5]))
    assert Scale().check(np.array([1e9])).tolist() == [1e9]


def test_only_two_bounds_map_to_shares():
    with pytest.raises(BadData, match="this one lies at least at 0"):
        Scale(low=0).share(1)
    assert str(Scale()) == "anywhere"
    assert Scale(low=0).width == float("inf")
    assert Scale(high=0).is_half_bounded
    assert Scale(1, 7).difference() == Scale(-6, 6)
