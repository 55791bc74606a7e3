"""Numerals: whole numbers as digits in a base, as words or as Roman numerals, and read back."""

import re

SYMBOLS = ("digits", "words", "roman")
BASES = ("10", "8", "16", "2")
MINUS = "minus "
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNITS = ((1_000_000, "million"), (1000, "thousand"), (100, "hundred"))
_LARGE = {name: unit for unit, name in _UNITS[:2]}
_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"),
        strict=True,
    )
)
_WORTH = {sign: number for number, sign in _ROMAN if len(sign) == 1}
_NAMED = {word: number for number, word in enumerate(_SMALL)} | {
    word: 10 * number for number, word in enumerate(_TENS) if word
}


def write_number(value: int, *, symbols: str = "digits", base: int = 10) -> str:
    """Write a number below a thousand million.

    >>> write_number(-26, base=16), write_number(2019, symbols="words"), write_number(4009, symbols="roman")
    ('-1A', 'two thousand nineteen', '(IV)IX')
    """
    if value < 0:
        return (MINUS if symbols == "words" else "-") + write_number(-value, symbols=symbols, base=base)
    if symbols == "words":
        return _words(value)
    if symbols == "roman":
        return _roman(value)
    if base == 10:
        return str(value)
    return {2: f"{value:b}", 8: f"{value:o}", 16: f"{value:X}"}[base]


def read_number(text: str, *, symbols: str = "digits", base: int = 10) -> int:
    """Read a number that was written so; what is none is a `ValueError`.

    >>> read_number("two thousand nineteen", symbols="words"), read_number("(IV)IX", symbols="roman")
    (2019, 4009)
    """
    text = text.strip()
    for sign in (MINUS, "-"):
        if text.startswith(sign):
            return -read_number(text.removeprefix(sign), symbols=symbols, base=base)
    if symbols == "words":
        return _read_words(text)
    if symbols == "roman":
        return _read_roman(text)
    return int(text, base)


def _words(value: int) -> str:
    if value < 20:
        return _SMALL[value]
    if value < 100:
        return _TENS[value // 10] + (f"-{_SMALL[value % 10]}" if value % 10 else "")
    unit, name = next(one for one in _UNITS if one[0] <= value)
    return f"{_words(value // unit)} {name}" + (f" {_words(value % unit)}" if value % unit else "")


def _read_words(text: str) -> int:
    whole, part = 0, 0
    for word in re.split("[ -]", text):
        if word == "hundred":
            part *= 100
        elif word in _LARGE:
            whole, part = whole + _LARGE[word] * part, 0
        elif word in _NAMED:
            part += _NAMED[word]
        else:
            raise ValueError(f"{word!r} is not a number word.")
    return whole + part


def _roman(value: int) -> str:
    if not value:
        return "N"
    if value >= 4000:
        return f"({_roman(value // 1000)})" + (_roman(value % 1000) if value % 1000 else "")
    written = ""
    for number, sign in _ROMAN:
        written += sign * (value // number)
        value %= number
    return written


def _read_roman(text: str) -> int:
    if text == "N":
        return 0
    thousands, _, rest = text.removeprefix("(").rpartition(")")
    signs = [_WORTH[sign] for sign in rest if sign in _WORTH]
    if len(signs) != len(rest):
        raise ValueError(f"{text!r} is not a Roman numeral.")
    units = sum(-now if now < after else now for now, after in zip(signs, [*signs[1:], 0], strict=False))
    return (1000 * _read_roman(thousands) if thousands else 0) + units
