"""Shape: which JSON an answer may be, in the words of JSON schema that are checked here."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mensura.dialogue.canonical import canonical
from mensura.dialogue.spaces.base import shown
from mensura.errors import BadParameter, Invalid

Shape = Mapping[str, Any]
TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda value: isinstance(value, Mapping),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: _is_number(value) and value == int(value),
    "number": lambda value: _is_number(value),
}
LIMITS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
WORDS = ("type", "enum", "properties", "required", "additionalProperties", "items", "description", *LIMITS)
MOST_DRAWN = 3
"""Items of a drawn array, and letters of a drawn text, beyond what is needed."""


def check_shape(shape: Any, where: str = "The shape") -> None:
    """Refuse a shape that says something which would not be checked.

    >>> check_shape({"type": "array"})
    Traceback (most recent call last):
    mensura.errors.BadParameter: The shape of items is a JSON schema such as {'type': 'object'}; got None.
    """
    if not isinstance(shape, Mapping):
        raise BadParameter(f"{where} is a JSON schema such as {{'type': 'object'}}; got {shown(shape)}.")
    if strange := next((word for word in shape if word not in WORDS), None):
        raise BadParameter(f"{where} uses {strange!r}, which is not supported; it may use {', '.join(WORDS)}.")
    kinds = _kinds(shape)
    if "enum" not in shape and not kinds:
        raise BadParameter(f"{where} names no type; types are {', '.join(TYPES)}.")
    if wrong := next((kind for kind in kinds if kind not in TYPES), None):
        raise BadParameter(f"{where} names the type {wrong!r}; types are {', '.join(TYPES)}.")
    if "enum" in shape and not shape["enum"]:
        raise BadParameter(f"{where} has an empty enum, so nothing fits. List what is allowed.")
    parts = shape.get("properties", {})
    if missing := next((name for name in shape.get("required", ()) if name not in parts), None):
        raise BadParameter(f"{where} requires {missing!r}, which is not among its properties.")
    for name, part in parts.items():
        check_shape(part, f"{where} of {name}")
    if "array" in kinds:
        check_shape(shape.get("items"), f"{where} of items")


def fit(value: Any, shape: Shape, where: str = "The answer") -> Any:
    """Return a value that has a shape, as plain JSON; raise `Invalid` with the first thing that is wrong.

    >>> fit({"rt": 310.0}, {"type": "object", "properties": {"rt": {"type": "number", "minimum": 0}}})
    {'rt': 310.0}
    """
    if "enum" in shape and not any(canonical(value) == canonical(one) for one in shape["enum"]):
        raise Invalid(f"{where} must be one of {shown(list(shape['enum']))}; got {shown(value)}.")
    kinds = _kinds(shape)
    if kinds and not any(TYPES[kind](value) for kind in kinds):
        raise Invalid(f"{where} must be of the type {' or '.join(kinds)}; got {shown(value)}.")
    if isinstance(value, str):
        _within(len(value), shape, ("minLength", "maxLength"), f"The length of {_inner(where)}")
    elif isinstance(value, list):
        _within(len(value), shape, ("minItems", "maxItems"), f"The number of items of {_inner(where)}")
        return [fit(one, shape["items"], f"Item {number} of {_inner(where)}") for number, one in enumerate(value)]
    elif isinstance(value, Mapping):
        return _fit_object(value, shape, where)
    elif _is_number(value):
        _within(value, shape, ("minimum", "maximum"), where)
    return value


def draw_shape(shape: Shape, rng: np.random.Generator) -> Any:
    """Draw a value of a shape at random."""
    if "enum" in shape:
        return shape["enum"][int(rng.integers(len(shape["enum"])))]
    kind = _kinds(shape)[0]
    if kind == "object":
        return {name: draw_shape(part, rng) for name, part in shape.get("properties", {}).items()}
    if kind == "array":
        least = shape.get("minItems", 0)
        size = int(rng.integers(least, min(shape.get("maxItems", least + MOST_DRAWN), least + MOST_DRAWN) + 1))
        return [draw_shape(shape["items"], rng) for _ in range(size)]
    if kind == "string":
        least = shape.get("minLength", 0)
        size = int(rng.integers(least, min(shape.get("maxLength", least + MOST_DRAWN), least + MOST_DRAWN) + 1))
        return "".join(rng.choice(list("abcdefghij"), size=size).tolist())
    if kind in ("integer", "number"):
        low = shape.get("minimum", min(0, shape.get("maximum", 0)))
        high = shape.get("maximum", low + 1)
        return (
            int(rng.integers(int(np.ceil(low)), int(high) + 1)) if kind == "integer" else float(rng.uniform(low, high))
        )
    return bool(rng.integers(2)) if kind == "boolean" else None


def _fit_object(value: Mapping[str, Any], shape: Shape, where: str) -> dict[str, Any]:
    parts, open_ended = shape.get("properties", {}), shape.get("additionalProperties", not shape.get("properties"))
    if missing := next((name for name in shape.get("required", ()) if name not in value), None):
        raise Invalid(f"{where} has no {missing!r}.")
    if not open_ended and (strange := next((name for name in value if name not in parts), None)):
        raise Invalid(f"{where} has {strange!r}, which is not allowed; it may have {', '.join(parts)}.")
    return {
        name: fit(one, parts[name], f"{name!r} of {_inner(where)}") if name in parts else one
        for name, one in value.items()
    }


def _within(number: float, shape: Shape, bounds: tuple[str, str], what: str) -> None:
    low, high = (shape.get(name) for name in bounds)
    if (low is not None and number < low) or (high is not None and number > high):
        least = "" if low is None else f" at least {low}"
        most = "" if high is None else f" at most {high}"
        raise Invalid(f"{what} must be{' and'.join(part for part in (least, most) if part)}; got {number}.")


def _kinds(shape: Shape) -> list[str]:
    kinds = shape.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < float("inf")


def _inner(where: str) -> str:
    return where[:1].lower() + where[1:]
