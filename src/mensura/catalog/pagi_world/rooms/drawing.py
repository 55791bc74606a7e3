"""Drawing: one room of a family, with its ranges drawn and its expressions computed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.pagi_world.reflexes.expression import named, read_expression
from mensura.errors import BadParameter, Invalid

Drawn = dict[str, Any]


def draw(ranges: Mapping[str, Any], rng: np.random.Generator) -> Drawn:
    """Draw every range in its order.

    A range is {"from": a, "to": b}, {"whole": [a, b]}, {"one": [values]}, {"shuffle": [values]}, {"pick": name,
    "values": [...]} by the number that was drawn for a name, {"sign": name, "values": [below 0, at 0, above 0]}, or an
    expression of what was drawn before.

    >>> draw({"x": {"whole": [3, 3]}, "y": "[2 * x]"}, np.random.default_rng(1))
    {'x': 3.0, 'y': 6.0}
    """
    found: Drawn = {}
    for name, given in ranges.items():
        found[name] = _draw_one(name, given, found, rng)
    return found


def _draw_one(name: str, given: Any, found: Drawn, rng: np.random.Generator) -> Any:
    given = resolve(given, found)
    if not isinstance(given, Mapping):
        return given
    try:
        if "pick" in given:
            return given["values"][int(found[given["pick"]])]
        if "sign" in given:
            value = found[given["sign"]]
            return given["values"][(value > 0) - (value < 0) + 1]
        if "one" in given:
            return given["one"][int(rng.integers(len(given["one"])))]
        if "shuffle" in given:
            return [given["shuffle"][int(place)] for place in rng.permutation(len(given["shuffle"]))]
        if "whole" in given:
            low, high = map(int, given["whole"])
            return float(rng.integers(low, high + 1))
        return float(rng.uniform(float(given["from"]), float(given["to"])))
    except (KeyError, IndexError, TypeError, ValueError, OverflowError):
        raise BadParameter(
            f'The range {name!r} is {{"from": a, "to": b}}, {{"whole": [a, b]}}, {{"one": [...]}}, '
            f'{{"shuffle": [...]}}, {{"pick": name, "values": [...]}} or {{"sign": name, "values": [...]}}; '
            f"got {given!r:.80}."
        ) from None


def resolve(value: Any, drawn: Drawn) -> Any:
    """Return data with every expression in square brackets computed, and every {name} in a text filled in.

    >>> resolve({"at": ["[x + 1]", 2], "name": "thing {x}"}, {"x": 3.0})
    {'at': [4.0, 2], 'name': 'thing 3'}
    """
    if isinstance(value, str):
        if value.startswith("[") and value.endswith("]"):
            return _compute(value[1:-1], drawn)
        if "{" in value:
            for name, one in drawn.items():
                value = value.replace(f"{{{name}}}", f"{one:.6g}" if isinstance(one, float) else str(one))
        return value
    if isinstance(value, Mapping):
        return {name: resolve(part, drawn) for name, part in value.items()}
    return [resolve(part, drawn) for part in value] if isinstance(value, list | tuple) else value


def _compute(text: str, drawn: Drawn) -> Any:
    text = text.strip()
    if text in drawn:
        return drawn[text]
    name, _, place = text.partition("#")
    if place.isdigit() and isinstance(drawn.get(name), list) and int(place) < len(drawn[name]):
        return drawn[name][int(place)]
    numbers = {name: float(one) for name, one in drawn.items() if isinstance(one, int | float)}
    try:
        return read_expression(text, named)(numbers)
    except Invalid as wrong:
        raise BadParameter(f"In a room's file: {wrong}") from None
