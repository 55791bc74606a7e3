"""Scale: a rating scale written as data, where its answers lie and what number each of them is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mensura.dialogue.spaces.base import Space
from mensura.dialogue.spaces.choice import Choice
from mensura.dialogue.spaces.number import Likert, Number
from mensura.errors import BadParameter
from mensura.survey.parts import check_parts

Measure = Literal["nominal", "ordinal", "interval"]
MEASURES = ("nominal", "ordinal", "interval")
FORMS = "7, {points: 7, low: never, high: always}, {from: 0, to: 4} or [no, partly, yes]"


@dataclass(frozen=True)
class RatingScale:
    """Where ratings lie, from `low` to `high`, and what differences between them mean.

    >>> agree = RatingScale.read({"points": 7})
    >>> agree.low, agree.high, agree.turned(2)
    (1.0, 7.0, 6.0)
    >>> grades = RatingScale.read(["poor", "fair", "good"])
    >>> grades.value("good"), grades.measure
    (2.0, 'ordinal')
    """

    space: Space
    low: float
    high: float
    measure: Measure = "ordinal"

    @classmethod
    def read(cls, data: Any, *, measure: str | None = None) -> "RatingScale":
        """Read a scale: a number of points, a mapping of points or bounds, or a list of words in their order."""
        if measure is not None and measure not in MEASURES:
            raise BadParameter(f"What a scale measures is nominal, ordinal or interval; got {measure!r}.")
        if isinstance(data, RatingScale):
            return data
        scale = cls._read(data)
        return scale if measure is None else cls(scale.space, scale.low, scale.high, measure)  # type: ignore[arg-type]

    @classmethod
    def _read(cls, data: Any) -> "RatingScale":
        if isinstance(data, int) and not isinstance(data, bool):
            data = {"points": data}
        if isinstance(data, Mapping):
            return cls._from_mapping(data)
        if isinstance(data, Sequence) and not isinstance(data, str):
            words = tuple(_word(word) for word in data)
            if len(set(words)) < 2 or len(set(words)) != len(words):
                raise BadParameter(f"A scale of words names at least two different ones; got {list(data)}.")
            return cls(Choice(words), 0.0, float(len(words) - 1))
        raise BadParameter(f"A scale is written as {FORMS}; got {data!r}.")

    @classmethod
    def _from_mapping(cls, data: Mapping[str, Any]) -> "RatingScale":
        allowed = ("points", "low", "middle", "high") if "points" in data else ("from", "to", "whole", "unit")
        check_parts(data, allowed, "scale", see=f"A scale is written as {FORMS}.")
        if "points" in data:
            points = data["points"]
            if not isinstance(points, int) or isinstance(points, bool) or points < 2:
                raise BadParameter(f"A scale has at least 2 points; got {points!r}.")
            labels = {f"{end}_label": _word(data[end]) for end in ("low", "middle", "high") if end in data}
            return cls(Likert(points, **labels), 1.0, float(points))
        try:
            low, high = float(data["from"]), float(data["to"])
        except (KeyError, TypeError, ValueError):
            raise BadParameter(f"A scale is written as {FORMS}; got {dict(data)}.") from None
        if not low < high:
            raise BadParameter(f"A scale goes from a smaller to a larger number; got {low:g} to {high:g}.")
        space = Number(low, high, integer=bool(data.get("whole", True)), unit=str(data.get("unit", "")))
        return cls(space, low, high, "interval")

    def value(self, answer: Any) -> float:
        """Return the number that an answer is; NaN where there is none."""
        if answer is None:
            return float("nan")
        if isinstance(self.space, Choice):
            return float(self.space.options.index(answer))
        return float(answer)

    def turned(self, value: float) -> float:
        """Return the value from the other end: items worded the other way round are turned so."""
        return self.low + self.high - value

    def share(self, value: float) -> float:
        """Bring a value to 0 (the low end) to 1 (the high end)."""
        return (value - self.low) / (self.high - self.low)


def _word(word: Any) -> str:
    # YAML reads yes and no as truth values; on a scale they are words.
    if isinstance(word, bool):
        return "yes" if word else "no"
    return str(word)
