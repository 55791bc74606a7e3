"""Vector: several numbers, each between its own bounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, as_number, gymnasium_spaces, read_number, shown, typed
from mensura.errors import Invalid
from mensura.json_file import loads
from mensura.phrase import phrase


@dataclass(frozen=True)
class Vector(Space):
    """A list of numbers, each between its own bounds; infinite bounds do not bind.

    >>> Vector((-1, 0), (1, 5)).check([0.5, 7])
    Traceback (most recent call last):
    mensura.errors.Invalid: Number 2 must lie between 0 and 5; got 7.
    """

    kind: ClassVar[str] = "vector"
    pools: ClassVar[bool] = True
    low: tuple[float, ...]
    high: tuple[float, ...]
    integer: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "low", tuple(self.low))
        object.__setattr__(self, "high", tuple(self.high))

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> "Vector":
        # Null stands for a bound that does not bind.
        low = tuple(-np.inf if bound is None else bound for bound in described["low"])
        return cls(low, tuple(np.inf if bound is None else bound for bound in described["high"]), described["integer"])

    def check(self, answer: Any) -> list[float] | list[int]:
        if not isinstance(answer, (list, tuple, np.ndarray)) or len(answer) != len(self.low):
            raise Invalid(f"Give {len(self.low)} numbers; got {shown(answer)}.")
        bounds = zip(answer, self.low, self.high, strict=True)
        if not self.integer and all(
            type(one) is float and low <= one <= high and isfinite(one) for one, low, high in bounds
        ):
            return list(answer)
        numbers = [as_number(value, phrase("Number {i}", i=i)) for i, value in enumerate(answer, start=1)]
        for i, (value, low, high) in enumerate(zip(numbers, self.low, self.high, strict=True), start=1):
            if not low <= value <= high:
                words = {"what": phrase("Number {i}", i=i), "low": f"{low:g}", "high": f"{high:g}", "got": f"{value:g}"}
                raise Invalid("{what} must lie between {low} and {high}; got {got}.", **words)
            if self.integer and value != int(value):
                raise Invalid("{what} must be whole; got {got}.", what=phrase("Number {i}", i=i), got=f"{value:g}")
        return [int(value) for value in numbers] if self.integer else numbers

    def schema(self) -> Json:
        parts = []
        for low, high in zip(self.low, self.high, strict=True):
            bounds = {"minimum": low, "maximum": high}
            finite = {name: bound for name, bound in bounds.items() if isfinite(bound)}
            parts.append({"type": "integer" if self.integer else "number", **finite})
        size = len(parts)
        return {"type": "array", "prefixItems": parts, "items": {"type": "number"}, "minItems": size, "maxItems": size}

    def draw(self, rng: np.random.Generator) -> list[float] | list[int]:
        """Draw evenly between the bounds; within one of the finite bound, or of 0, where there are not two."""
        low, high = self._finite()
        if self.integer:
            return [int(rng.integers(int(a), int(b) + 1)) for a, b in zip(low, high, strict=True)]
        return [float(rng.uniform(a, b)) for a, b in zip(low, high, strict=True)]

    def _finite(self) -> tuple[list[float], list[float]]:
        pairs = []
        for low, high in zip(self.low, self.high, strict=True):
            start = low if isfinite(low) else high - 1 if isfinite(high) else -1.0
            pairs.append((start, high if isfinite(high) else start + 1 if isfinite(low) else 1.0))
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]

    def parse(self, form: Mapping[str, str]) -> list[float]:
        """Read fields "answer.0", "answer.1" ..., or one line of numbers."""
        parts = [form.get(f"answer.{i}", "").strip() for i in range(len(self.low))]
        if not any(parts):
            text = typed(form)
            if text.startswith("["):
                try:
                    return list(loads(text))
                except ValueError:
                    raise Invalid(self.hint()) from None
            parts = text.replace(";", " ").split()
        return [read_number(part, phrase("Number {i}", i=i)) for i, part in enumerate(parts, start=1)]

    def hint(self) -> str:
        ranges = ", ".join(f"{low:g} to {high:g}" for low, high in zip(self.low, self.high, strict=True))
        return f"{len(self.low)} {'whole ' if self.integer else ''}numbers, from {ranges}."

    def gym(self) -> Any:
        low, high = np.array(self.low, dtype=np.float64), np.array(self.high, dtype=np.float64)
        if self.integer:
            start = low.astype(np.int64)
            return gymnasium_spaces().MultiDiscrete(high.astype(np.int64) - start + 1, start=start)
        return gymnasium_spaces().Box(low, high, dtype=np.float64)

    def from_gym(self, action: Any) -> list[float]:
        return [value.item() for value in np.asarray(action)]

    def data(self) -> Json:
        """Describe the space as JSON, which knows no infinity: bounds that do not bind are null."""
        low, high = ([bound if isfinite(bound) else None for bound in side] for side in (self.low, self.high))
        return {"kind": self.kind, "low": low, "high": high, "integer": self.integer}
