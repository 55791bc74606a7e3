"""Samples: what was observed, with what is missing taken out and what cannot be a number refused."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.errors import BadData

Floats = NDArray[np.float64]
Values = ArrayLike | Mapping[str, float]


def numbers(values: ArrayLike, *, name: str = "values") -> Floats:
    """Return the values as a flat array of finite numbers and NaN.

    >>> numbers([1, None, True])
    array([ 1., nan,  1.])
    """
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise BadData(f"The {name} must be numbers, or NaN where unknown; {error}.") from error
    if array.ndim > 1:
        raise BadData(f"The {name} must be one list of numbers; got an array of shape {array.shape}.")
    array = array.reshape(-1)
    if np.isinf(array).any():
        where = int(np.flatnonzero(np.isinf(array))[0])
        raise BadData(
            f"The {name} must be finite, or NaN where unknown; got {array[where]} at position {where}. "
            "Score such answers with a bounded score, or count them apart."
        )
    return array


def observed(values: ArrayLike, *, name: str = "values") -> Floats:
    """Return the values that are known: NaN is dropped.

    >>> observed([1, float("nan"), 3])
    array([1., 3.])
    """
    array = numbers(values, name=name)
    return array[~np.isnan(array)]


def table(values: ArrayLike, *, name: str, rows: str, columns: str) -> Floats:
    """Return a two-way table of finite numbers and NaN.

    >>> table([[1, 2], [3, None]], name="ratings", rows="raters", columns="items").shape
    (2, 2)
    """
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise BadData(f"The {name} must be numbers, or NaN where unknown; {error}.") from error
    if array.ndim != 2:
        raise BadData(f"The {name} must be a table of {rows} by {columns}; got an array of shape {array.shape}.")
    if np.isinf(array).any():
        raise BadData(f"The {name} must be finite, or NaN where unknown; got an infinite number.")
    return array


def pairs(*, first: Values, second: Values) -> tuple[Floats, Floats, int]:
    """Match two samples item by item; also say how many items are not known on both sides.

    Lists are matched by position, mappings by key.

    >>> pairs(first={"a": 1, "b": 2}, second={"b": 5, "c": 6})
    (array([2.]), array([5.]), 2)
    """
    if isinstance(first, Mapping) != isinstance(second, Mapping):
        raise BadData("Give two lists in the same order, or two mappings from item to score; got one each.")
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        keys = list(dict.fromkeys([*first, *second]))
        left = numbers([first.get(key, np.nan) for key in keys], name="first scores")
        right = numbers([second.get(key, np.nan) for key in keys], name="second scores")
    else:
        left = numbers(cast(ArrayLike, first), name="first scores")
        right = numbers(cast(ArrayLike, second), name="second scores")
    if len(left) != len(right):
        raise BadData(
            f"Paired scores must be of the same items; got {len(left)} and {len(right)}. "
            "Give mappings from item to score, or use `two_sample_difference` for different items."
        )
    known = ~(np.isnan(left) | np.isnan(right))
    return left[known], right[known], int((~known).sum())


def is_binary(values: Floats) -> bool:
    """Return whether every value is 0 or 1.

    >>> is_binary(np.array([0.0, 1.0, 1.0])), is_binary(np.array([0.5]))
    (True, False)
    """
    return bool(np.isin(values, (0.0, 1.0)).all())


def is_constant(values: Floats) -> bool:
    """Return whether all values are equal, but for the last digits of floating point.

    >>> is_constant(np.array([0.1 + 0.2, 0.3]))
    True
    """
    return bool(np.ptp(values) <= 1e-12 * np.abs(values).max()) if len(values) else False


def groups_of(groups: Mapping[str, ArrayLike], *, least: int = 2) -> dict[str, Floats]:
    """Return the known values of each named group, refusing too few groups or values.

    >>> groups_of({"a": [1, 2], "b": [3, float("nan"), 4]})["b"]
    array([3., 4.])
    """
    known = {str(name): observed(values, name=f"values of {name}") for name, values in groups.items()}
    if len(known) < 2:
        raise BadData(f"A comparison needs at least two groups; got {len(known)}.")
    for name, values in known.items():
        if len(values) < least:
            raise BadData(f"Each group needs at least {least} known values; {name} has {len(values)}.")
    return known


def check_level(level: float) -> float:
    """Refuse a confidence level outside 0 to 1."""
    if not 0 < level < 1:
        raise BadData(f"A confidence level lies between 0 and 1, such as 0.95; got {level}.")
    return level


def check_names(names: Sequence[str]) -> tuple[str, str]:
    """Refuse anything but two names."""
    if isinstance(names, str) or len(names) != 2:
        raise BadData(f"Give two names, one per sample; got {names!r}.")
    return str(names[0]), str(names[1])
