"""Numbers are written to two significant digits of half their interval's width, in plain decimals, everywhere alike."""

import re
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.exhibit import cell_words
from mensura.stats import Estimate
from mensura.stats.rounding import SPACE, rounded
from mensura.stats.wording import spoken

SIZES = st.floats(0.001, 99_999)


def read(words):
    return float(words.replace(SPACE, ""))


def test_the_interval_of_a_run_of_puzzles_is_written_in_plain_decimals():
    assert Estimate(0.4488, 1.103e-07, 0.8976, 2, "t").ends == "0.00 to 0.90"


@given(SIZES, st.floats(0.0001, 3), st.booleans())
def test_numbers_of_common_size_have_no_exponent_and_lie_within_half_a_digit(value, share, negative):
    value = -value if negative else value
    half = abs(value) * share
    numbers = (value, value - half, value + half)
    unit = 10.0 ** (int(f"{half:.1e}".partition("e")[2]) - 1)
    for number, words in zip(numbers, rounded(*numbers), strict=True):
        assert re.fullmatch(r"-?[0-9\xa0]+(\.[0-9]+)?", words), words
        assert abs(read(words) - number) <= 0.501 * unit


@given(SIZES)
def test_a_number_without_an_interval_has_three_digits_and_no_exponent(value):
    words = rounded(value)[0]
    assert "e" not in words
    assert read(words) == pytest.approx(value, rel=0.006)


def test_half_the_width_has_two_digits():
    assert rounded(1.23456, 1.2, 1.27) == ("1.235", "1.200", "1.270")
    assert rounded(0.5, 0.25, 0.75) == ("0.50", "0.25", "0.75")
    assert rounded(7.0, 2.0, 12.0) == ("7.0", "2.0", "12.0")
    assert rounded(70.0, 20.0, 120.0) == ("70", "20", "120")
    assert [words.replace(SPACE, " ") for words in rounded(3274.6, 2274.6, 4274.6)] == ["3 300", "2 300", "4 300"]


def test_a_bound_that_leaves_out_zero_is_not_written_as_zero():
    assert rounded(0.2648, 0.001, 0.529) == ("0.26", "0.001", "0.53")
    assert rounded(-0.2648, -0.529, -0.0021) == ("-0.26", "-0.53", "-0.002")
    assert rounded(0.26, -0.001, 0.53)[1] == "-0.001"


def test_a_wide_interval_does_not_round_its_value_to_zero():
    assert rounded(25.7, 0.0, 7103.2)[0] == "26"


def test_a_narrow_interval_keeps_its_width():
    for value, half in ((12345, 0.01), (2e6, 0.1), (0.5, 1e-9), (1.0, 1e-5)):
        _, low, high = rounded(value, value - half, value + half)
        assert read(high) - read(low) == pytest.approx(2 * half, rel=0.03)


def test_a_sign_is_shown_of_all_numbers_but_zero():
    assert rounded(9.5e-4, 9.4e-4, 9.6e-4, signed=True) == ("+9.50e-04", "+9.40e-04", "+9.60e-04")
    assert [rounded(zero, signed=True)[0] for zero in (0, -0.0)] == ["0", "0"]
    assert rounded(0, 0, 0, signed=True) == ("0", "0", "0")


def test_zero_has_no_sign_and_an_interval_without_an_end_says_so():
    assert rounded(-0.001, -0.5, 0.5) == ("0.00", "-0.50", "0.50")
    assert rounded(0.5, -inf, 0.6) == ("0.50", "-∞", "0.60")


def test_terminal_sentences_and_tables_write_an_estimate_alike():
    one = Estimate(-0.29217, -0.39801, -0.19508, 20, "gamma")
    assert spoken(one) == "-0.29 [-0.40, -0.20]"
    assert cell_words(one) == "-0.29 (-0.40 to -0.20)"
    assert str(one).startswith("-0.29 [-0.40, -0.20]")
