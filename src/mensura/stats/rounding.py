"""Rounding: how every number with an error is written, on terminals, pages and in reports."""

from math import inf, isfinite, isinf, isnan, nan

SPACE = "\N{NO-BREAK SPACE}"
PLAIN = (0.001, 1e9)
"""The sizes between which numbers are written in plain decimals; others get an exponent."""
NOTHING = 1e-12
"""The difference of equal numbers after rounding errors is smaller than this, and is written as 0."""
MOST_DIGITS = 12
"""Digits of the largest of a number and its bounds; a float holds few more."""
NEGLIGIBLE = 1e-3
"""Smaller values, in halves of the interval's width, may be written as 0; larger ones keep their first digits."""


def rounded(value: float, low: float = nan, high: float = nan, *, signed: bool = False) -> tuple[str, str, str]:
    """Write a number and its interval, both to two significant digits of half the width of the interval.

    Without an interval the number has three digits. Thousands are apart; what is unknown is "unknown". A bound that
    would be written as 0 keeps a digit of its own, unless it is next to nothing beside the width: an interval that
    leaves out 0 shall be seen to. So does a value, with two digits, where 0 is not inside the interval.

    >>> rounded(0.44882, 1.103e-07, 0.8976), rounded(0.15, 0.03207, 0.3789), rounded(0.12345)[0]
    (('0.45', '0.00', '0.90'), ('0.15', '0.03', '0.38'), '0.123')
    >>> [words.replace(SPACE, " ") for words in rounded(54321.6, 53087, 55556.2)], rounded(0.00012, 0.00009, 0.00015)
    (['54 300', '53 100', '55 600'], ('1.20e-04', '9.0e-05', '1.50e-04'))
    >>> rounded(0.5, 0.5, 0.5), rounded(0.2, -0.1, 0.5, signed=True), rounded(nan)[0], rounded(3, 1, inf)
    (('0.5', '0.5', '0.5'), ('+0.20', '-0.10', '+0.50'), 'unknown', ('3.0', '1.0', '∞'))
    >>> rounded(0.26, 0.001, 0.53), rounded(25.7, 0, 7100)[0]
    (('0.26', '0.001', '0.53'), '26')
    """
    numbers = [0.0 if abs(one) < NOTHING else float(one) for one in (value, low, high)]
    known = [one for one in numbers if isfinite(one)]
    half = (numbers[2] - numbers[1]) / 2
    if half == inf:
        # Of an interval without an end, the distance to the end that it has.
        half = max((abs(one - numbers[0]) for one in known), default=nan)
    if not isfinite(half) or half <= 0 or isnan(low) or isnan(high):
        first, second, third = (_three_digits(one, signed) for one in numbers)
        return first, second, third
    largest = max(map(abs, known))
    places = min(1 - _exponent(half, digits=2), MOST_DIGITS - 1 - _exponent(largest))
    plain = PLAIN[0] <= largest < PLAIN[1]
    if not plain:
        first, second, third = (_powers(one, places, signed) for one in numbers)
        return first, second, third
    inside = numbers[1] < 0 < numbers[2]
    first, second, third = (
        _written(one, max(places, _places_of_its_own(one, places, half=half, digits=digits)), signed)
        for one, digits in zip(numbers, (0 if inside else 2, 1, 1), strict=True)
    )
    return first, second, third


def _places_of_its_own(number: float, places: int, *, half: float, digits: int) -> int:
    """Return the places that show some digits of a number which the interval's places would round to 0."""
    if not digits or not isfinite(number) or round(number, places) or abs(number) < NEGLIGIBLE * half:
        return places
    return digits - 1 - _exponent(number, digits=digits)


def _three_digits(number: float, signed: bool) -> str:
    if isnan(number):
        return "unknown"
    sign = "+" if signed and number else ""
    if isinf(number):
        return "-∞" if number < 0 else f"{sign}∞"
    number = number or 0.0
    if not 999.5 <= abs(number) < PLAIN[1]:
        return f"{number:{sign}.3g}"
    return f"{float(f'{number:.3g}'):{sign},.0f}".replace(",", SPACE)


def _written(number: float, places: int, signed: bool) -> str:
    if not isfinite(number):
        return _three_digits(number, signed)
    sign = "+" if signed else ""
    words = f"{round(number, places):{sign},.{max(0, places)}f}".replace(",", SPACE)
    # What is rounded to zero has no sign.
    return words if any(digit in words for digit in "123456789") else words.lstrip("+-")


def _powers(number: float, places: int, signed: bool) -> str:
    if not isfinite(number):
        return _three_digits(number, signed)
    if round(number, places) == 0:
        return "0"
    return f"{number:{'+' if signed else ''}.{max(0, _exponent(number) + places)}e}"


def _exponent(number: float, *, digits: int = 17) -> int:
    """Return the power of ten of the first digit, once it is rounded to some digits."""
    return int(f"{abs(number):.{digits - 1}e}".partition("e")[2])
