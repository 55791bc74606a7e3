"""Numerals: written in bases, words and Roman numerals, and read back."""

import pytest

from mensura.catalog.puzzles.showing.numeral import BASES, SYMBOLS, read_number, write_number

SOME = [
    0,
    1,
    4,
    9,
    13,
    20,
    21,
    99,
    100,
    101,
    400,
    999,
    1000,
    1001,
    1994,
    3999,
    4000,
    4001,
    20_000,
    99_999,
    999_999,
    1_000_000,
    7_020_003,
    654_321_987,
]


@pytest.mark.parametrize("symbols", SYMBOLS)
@pytest.mark.parametrize("base", BASES)
def test_numbers_are_read_as_they_were_written(symbols, base):
    for number in (*SOME, *(-one for one in SOME), *range(-300, 300)):
        assert (
            read_number(write_number(number, symbols=symbols, base=int(base)), symbols=symbols, base=int(base))
            == number
        )


@pytest.mark.parametrize(
    ("number", "words", "roman", "octal", "hexadecimal"),
    [
        (1994, "one thousand nine hundred ninety-four", "MCMXCIV", "3712", "7CA"),
        (-48, "minus forty-eight", "-XLVIII", "-60", "-30"),
        (0, "zero", "N", "0", "0"),
        (12_345, "twelve thousand three hundred forty-five", "(XII)CCCXLV", "30071", "3039"),
    ],
)
def test_known_numbers(number, words, roman, octal, hexadecimal):
    assert write_number(number, symbols="words") == words
    assert write_number(number, symbols="roman") == roman
    assert write_number(number, base=8) == octal
    assert write_number(number, base=16) == hexadecimal


@pytest.mark.parametrize(("text", "symbols"), [("fourty", "words"), ("XQ", "roman"), ("1x", "digits"), ("", "words")])
def test_what_is_no_number_is_refused(text, symbols):
    with pytest.raises(ValueError, match=r"."):
        read_number(text, symbols=symbols)
