"""Documents: measurements of courses as JSON, and the findings they give."""

from collections.abc import Iterator, Mapping
from typing import Any

from mensura.errors import BadData
from mensura.stats.adaptivity.continual import continual
from mensura.stats.adaptivity.threshold import time_to_level
from mensura.stats.adaptivity.transfer import TransferForms, transfer_forms, transfer_points
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.generalise import ANYWHERE
from mensura.stats.scale import Scale

PERFORMANCES = Scale(-1, 1)
KINDS = {
    "R": (
        {"R", "b", "bounds"},
        ("acc", "bwt", "fwt", "forgetting", "mean_forgetting", "maximal_forgetting", "maintenance"),
    ),
    "times": (
        {"times", "horizon", "watched", "resource"},
        ("reached", "courses", "share", "restricted_mean", "median"),
    ),
    "arms": ({"arms", "horizon", "paired", "bounds"}, tuple(TransferForms.__annotations__)[:-2]),
}
"""By the key that tells a kind of document: the keys it may have, and the numbers it gives."""


def read_document(data: Any) -> dict[str, Any]:
    """Return what a document of measurements gives: each number by its name, `estimates` with intervals, `sentence`.

    A document has `R` (and `b`), or `times` and `horizon`, or `arms`; see `continual`, `time_to_level` and
    `transfer_forms`. Levels are performances, from -1 to 1, unless `bounds` gives another scale or a level lies
    outside; intervals stay within what levels, and differences of them, can be. Arms may be a list of points with
    `training` and `arms`: the answer is then a list of `points`.

    >>> found = read_document({"times": [10, 20, 30, None], "horizon": 50})
    >>> found["reached"], found["restricted_mean"], found["median"]
    (3, 27.5, 20.0)
    """
    kinds = [kind for kind in KINDS if isinstance(data, Mapping) and kind in data]
    if len(kinds) != 1:
        raise BadData(
            f"The file holds one JSON object with either R, times or arms; got {' and '.join(kinds) or 'none'}."
        )
    keys, names = KINDS[kinds[0]]
    if extra := sorted(set(data) - keys):
        raise BadData(
            f"Beside {kinds[0]!r} the file may have {', '.join(sorted(keys - {kinds[0]}))}; got {extra[0]!r}."
        )
    if kinds[0] == "R":
        return _answer(
            continual(data["R"], untrained=data.get("b"), scale=_scale(data, [data["R"], data.get("b")])), names
        )
    horizon = _number(
        data.get("horizon"), name="horizon, up to where courses were watched,", needed=kinds[0] == "times"
    )
    if kinds[0] == "times":
        resource = str(data.get("resource", "sessions"))
        found = time_to_level(data["times"], horizon=horizon or 0.0, watched=data.get("watched"), resource=resource)
        return _answer(found, names)
    arms, paired = data["arms"], bool(data.get("paired", True))
    if isinstance(arms, Mapping):
        scale = _scale(data, _levels(arms))
        return _answer(transfer_forms(arms, horizon=horizon, paired=paired, scale=scale), names)
    if (
        not isinstance(arms, list)
        or not arms
        or not all(isinstance(one, Mapping) and set(one) == {"training", "arms"} for one in arms)
    ):
        raise BadData("Arms are one object, or a list of objects that each have training, a number, and arms.")
    for one in arms:
        _number(one["training"], name="training on X", needed=True)
    scale = _scale(data, [_levels(one["arms"]) for one in arms])
    points = transfer_points(arms, horizon=horizon, paired=paired, scale=scale)
    return {"points": [_point(point, names) for point in points], "sentence": _lines(points)}


def _scale(data: Mapping[str, Any], levels: Any) -> Scale:
    """Return what levels can be: as the document says, else -1 to 1 unless some lie outside."""
    given = data.get("bounds")
    if given is None:
        return PERFORMANCES if all(-1 <= one <= 1 for one in _numbers(levels)) else ANYWHERE
    if not isinstance(given, list) or len(given) != 2:
        raise BadData(f"The bounds are a list of the least and the largest level there can be; got {given!r}.")
    low, high = (_number(one, name="bound of levels", needed=True) for one in given)
    return Scale(low, high)


def _levels(arms: Any) -> Any:
    measured = [one for one in arms.values() if isinstance(one, Mapping)] if isinstance(arms, Mapping) else []
    return [one.get(name) for one in measured for name in ("on_x", "on_y")]


def _numbers(nested: Any) -> Iterator[float]:
    """Iterate over all numbers in lists within lists, and in mappings; what is none is refused where it is read."""
    if isinstance(nested, Mapping):
        nested = list(nested.values())
    if isinstance(nested, list):
        for one in nested:
            yield from _numbers(one)
    elif isinstance(nested, int | float) and nested == nested:
        yield float(nested)


def _answer(found: Finding, names: tuple[str, ...]) -> dict[str, Any]:
    held = {name: getattr(found, name) for name in names}
    numbers = {name: _value(value) for name, value in held.items()}
    estimates = {
        name: part for name, part in found.as_json().items() if name in held and not isinstance(held[name], int)
    }
    return {**numbers, "estimates": estimates, "sentence": found.sentence}


def _value(found: Any) -> Any:
    if isinstance(found, tuple):
        return [_value(part) for part in found]
    return found.value if isinstance(found, Estimate) else found


def _point(point: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    on_x = {f"{name}_on_x": _value(point[name]) for name in ("level", "knowledge")}
    return {"training": point["training"], **on_x, **_answer(point["forms"], names)}


def _lines(points: tuple[dict[str, Any], ...]) -> str:
    return "\n".join(f"After {point['training']:g} on X: {point['forms'].sentence}" for point in points)


def _number(value: Any, *, name: str, needed: bool) -> float | None:
    if value is None and not needed:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadData(f"The {name} is a number; got {value!r}.")
    return float(value)
