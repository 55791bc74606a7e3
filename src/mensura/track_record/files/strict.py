"""Strict JSON: every number a reader of any language can take; the infinite ones are said in words."""

from math import isinf, isnan
from typing import Any


def strict(data: Any) -> Any:
    """Return the data with unknown and infinite numbers as null, words beside those that are infinite.

    >>> strict({"value": float("-inf"), "n": 2})
    {'value': None, 'value_words': 'minus infinity', 'n': 2}
    """
    if isinstance(data, dict):
        told: dict[Any, Any] = {}
        for key, value in data.items():
            told[key] = strict(value)
            if isinstance(value, float) and isinf(value):
                told[f"{key}_words"] = "minus infinity" if value < 0 else "infinity"
        return told
    if isinstance(data, list | tuple):
        return [strict(value) for value in data]
    if isinstance(data, float) and (isnan(data) or isinf(data)):
        return None
    return data
