"""Strict JSON: every number a reader of any language can take; the infinite ones are said in words."""

import json
from math import isinf, isnan
from typing import Any


def write_json(data: Any) -> str:
    """Write JSON without NaN or Infinity, which no standard knows.

    An unknown number is null. An infinite one is null too, with the words for it beside it under its name and
    `_words`.

    >>> print(write_json({"value": float("-inf"), "n": 2}))
    {
     "value": null,
     "value_words": "minus infinity",
     "n": 2
    }
    """
    return json.dumps(strict(data), ensure_ascii=False, indent=1, allow_nan=False)


def strict(data: Any) -> Any:
    """Return the data with unknown and infinite numbers as null, words beside those that are infinite."""
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
