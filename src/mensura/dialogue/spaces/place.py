"""Point and Circle: places on an image or a map."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, as_number, gymnasium_spaces, read_number, shown, typed
from mensura.errors import Invalid


@dataclass(frozen=True)
class Point(Space):
    """A place [x, y] inside a rectangle.

    >>> Point((0, 0), (10, 10)).check([3, 12])
    Traceback (most recent call last):
    mensura.errors.Invalid: y must lie between 0 and 10; got 12.
    """

    kind: ClassVar[str] = "point"
    natural: ClassVar[str] = "mensura.scores.natural:DISTANCE"
    pools: ClassVar[bool] = True
    low: tuple[float, float] = (0.0, 0.0)
    high: tuple[float, float] = (1.0, 1.0)

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", tuple(self.low))
        object.__setattr__(self, "high", tuple(self.high))

    def _bounds(self) -> dict[str, tuple[float, float]]:
        return {"x": (self.low[0], self.high[0]), "y": (self.low[1], self.high[1])}

    def check(self, answer: Any) -> list[float]:
        bounds = self._bounds()
        if not isinstance(answer, (list, tuple, np.ndarray)) or len(answer) != len(bounds):
            raise Invalid(f"Give [{', '.join(bounds)}]; got {shown(answer)}.")
        numbers = [as_number(value, name) for name, value in zip(bounds, answer, strict=True)]
        for (name, (low, high)), value in zip(bounds.items(), numbers, strict=True):
            if not low <= value <= high:
                words = {"what": name, "low": f"{low:g}", "high": f"{high:g}", "got": f"{value:g}"}
                raise Invalid("{what} must lie between {low} and {high}; got {got}.", **words)
        return numbers

    def misfit(self, truth: Any) -> str:
        numbers = list(truth) if isinstance(truth, (list, tuple)) else []
        placed = len(numbers) >= 2 and all(isinstance(value, Real) for value in numbers)
        return "" if placed else "A place is a list of two numbers."

    def schema(self) -> Json:
        bounds = self._bounds()
        return {
            "type": "array",
            "description": f"[{', '.join(bounds)}]",
            "prefixItems": [{"type": "number", "minimum": low, "maximum": high} for low, high in bounds.values()],
            "items": {"type": "number"},
            "minItems": len(bounds),
            "maxItems": len(bounds),
        }

    def draw(self, rng: np.random.Generator) -> list[float]:
        return [float(rng.uniform(low, high)) for low, high in self._bounds().values()]

    def parse(self, form: Mapping[str, str]) -> list[float]:
        """Read fields "answer.x", "answer.y" ..., or one line "x y"."""
        bounds = self._bounds()
        parts = [form.get(f"answer.{name}", "").strip() for name in bounds]
        if not any(parts):
            parts = typed(form).replace(";", " ").split()
        if len(parts) != len(bounds):
            raise Invalid(f"Give {', '.join(bounds)}; got {len(parts)} numbers.")
        return [read_number(part, name) for name, part in zip(bounds, parts, strict=True)]

    def hint(self) -> str:
        ranges = ", ".join(f"{name} from {low:g} to {high:g}" for name, (low, high) in self._bounds().items())
        return f"Numbers: {ranges}."

    def gym(self) -> Any:
        bounds = np.array(list(self._bounds().values()), dtype=np.float64)
        return gymnasium_spaces().Box(bounds[:, 0], bounds[:, 1], dtype=np.float64)

    def from_gym(self, action: Any) -> list[float]:
        return [float(value) for value in action]


@dataclass(frozen=True)
class Circle(Point):
    """A circle [x, y, radius] whose centre lies inside a rectangle."""

    kind: ClassVar[str] = "circle"
    largest: float = 1.0

    def _bounds(self) -> dict[str, tuple[float, float]]:
        return {**super()._bounds(), "radius": (0.0, self.largest)}
