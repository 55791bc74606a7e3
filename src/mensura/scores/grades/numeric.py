"""Numeric: an answer that is the right number, within a tolerance."""

import re
from math import isfinite
from typing import Any

WHOLE, LAST = "whole", "last"
PLACES = (WHOLE, LAST)
GROUPS = re.compile(r"(?<=\d)[\u00a0\u2009\u202f'](?=\d{3})")
GROUPED = r"[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?"
POWER = r"(?:[eE][-+]?\d{1,3})?"
THOUSANDS = re.compile(GROUPED + POWER)
NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-+−])?[$€£¥]?(?:(?P<whole>\d+) +(?=\d+ ?/))?"
    rf"(?P<number>(?:{GROUPED}|\d+(?:[.,]\d+)?|[.,]\d+){POWER})(?: ?/ ?(?P<below>\d+))?"
    r"(?: ?(?P<percent>%|percent\b))?"
)
ROUNDING = 1e-9


def numeric(
    answer: Any, truth: Any, *, absolute: float = 0.0, relative: float = 0.0, unit: str = "", find: str = WHOLE
) -> dict[str, float]:
    r"""Return 1 where an answer is the right number within a tolerance, else 0; larger is better.

    It is right if :math:`|a - t| \le \max(\mathrm{absolute}, \mathrm{relative} \cdot |t|)`, apart from the last digits
    of floating point. Commas before each three digits are left out (1,234.5), another comma is a decimal point (12,5);
    fractions (3/4, 1 1/2), powers (6.02e23), a currency sign in front and a percent sign behind (45 % is 0.45) are
    read. What is no number is wrong.

    Parameters
    ----------
    answer, truth : str or float
        Both are read in the same way.
    absolute, relative : float
        How far off an answer may be.
    unit : str
        What may follow the number without changing it; with "%" both 45 and 45 % are 45.
    find : {"whole", "last"}
        Whether the whole answer is the number, or the last number in it counts, as where a model thinks aloud.

    Examples
    --------
    >>> numeric("1,234", 1234), numeric("3/4", "75 %"), numeric("about 3.1", 3.14159, relative=0.05)
    ({'accuracy': 1.0}, {'accuracy': 1.0}, {'accuracy': 0.0})
    >>> numeric("6 * 7 is 42.", 42, find="last"), numeric("45 km", 45, unit="km")
    ({'accuracy': 1.0}, {'accuracy': 1.0})
    """
    given, wanted = read_quantity(answer, unit=unit, find=find), read_quantity(truth, unit=unit)
    if given is None or wanted is None:
        return {"accuracy": 0.0}
    allowed = max(absolute, relative * abs(wanted), ROUNDING * abs(wanted))
    return {"accuracy": float(abs(given - wanted) <= allowed)}


def read_quantity(said: Any, *, unit: str = "", find: str = WHOLE) -> float | None:
    """Return the number that a text is, or the last in it; None where there is none.

    >>> read_quantity("−1 1/2"), read_quantity("$1,200,000.50"), read_quantity("twelve")
    (-1.5, 1200000.5, None)
    """
    if isinstance(said, (int, float)) and not isinstance(said, bool):
        return float(said) if isfinite(said) else None
    text = GROUPS.sub("", str(said).strip())
    if find == LAST:
        every = list(NUMBER.finditer(text))
        return _value(every[-1], percent=unit != "%") if every else None
    found = NUMBER.match(text)
    if found is None or text[found.end() :].strip().casefold() not in ("", unit.strip().casefold()):
        return None
    return _value(found, percent=unit != "%")


def _value(found: re.Match[str], *, percent: bool) -> float | None:
    number, below = found["number"], float(found["below"] or 1)
    if THOUSANDS.fullmatch(number):
        number = number.replace(",", "")
    value = float(number.replace(",", "."))
    if below == 0 or not isfinite(value):
        return None
    value = float(found["whole"] or 0) + value / below
    value *= -1 if found["sign"] in ("-", "−") else 1
    return value / 100 if found["percent"] and percent else value
