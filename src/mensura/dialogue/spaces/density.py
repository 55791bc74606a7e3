"""Density: a belief about a quantity, by quantiles or by the masses of bins."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, as_number, gymnasium_spaces, shares_in, shown, typed
from mensura.dialogue.spaces.number import Number
from mensura.dialogue.spaces.percent import read_shares, scale_to, split_percents
from mensura.errors import Invalid
from mensura.phrase import phrase

LEVELS = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Density(Space):
    """A belief about a quantity between `low` and `high`.

    With `bins`, the answer is one probability per bin of equal width, summing to one; otherwise it is one value per
    quantile level, not decreasing.

    >>> Density(0, 100, levels=(0.25, 0.5, 0.75)).check([10, 20, 15])
    Traceback (most recent call last):
    mensura.errors.Invalid: Quantiles must not decrease: 15 follows 20.
    """

    kind: ClassVar[str] = "density"
    natural: ClassVar[str] = "mensura.scores.natural:DENSITY"
    pools: ClassVar[bool] = True
    low: float
    high: float
    levels: tuple[float, ...] = LEVELS
    bins: int | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "levels", tuple(self.levels))

    @property
    def size(self) -> int:
        """How many numbers an answer has."""
        return self.bins or len(self.levels)

    def edges(self) -> list[float]:
        """Return the edges of the bins."""
        return [float(edge) for edge in np.linspace(self.low, self.high, (self.bins or 1) + 1)]

    def check(self, answer: Any) -> list[float]:
        if not isinstance(answer, (list, tuple, np.ndarray)) or len(answer) != self.size:
            raise Invalid(f"Give {self.size} numbers, one for each {self._part()}; got {shown(answer)}.")
        numbers = [as_number(value, phrase("Each of them")) for value in answer]
        return self._masses(numbers) if self.bins else self._quantiles(numbers)

    def outcome(self, answer: Any) -> float:
        """Read the quantity."""
        return Number(self.low, self.high).check(answer)

    def misfit(self, truth: Any) -> str:
        return "" if isinstance(truth, Real) and not isinstance(truth, bool) else "A quantity is a number."

    @property
    def whole(self) -> float | None:
        return 1.0 if self.bins else None

    def _masses(self, numbers: list[float]) -> list[float]:
        if min(numbers) < 0:
            raise Invalid("A probability cannot be negative; got {got}.", got=f"{min(numbers):g}")
        return scale_to(1.0, numbers, percent=True)

    def _quantiles(self, numbers: list[float]) -> list[float]:
        for value in numbers:
            if not self.low <= value <= self.high:
                low, high = f"{self.low:g}", f"{self.high:g}"
                raise Invalid(
                    "The quantity lies between {low} and {high}; got {got}.", low=low, high=high, got=f"{value:g}"
                )
        for before, after in pairwise(numbers):
            if after < before:
                raise Invalid(
                    "Quantiles must not decrease: {after} follows {before}.", after=f"{after:g}", before=f"{before:g}"
                )
        return numbers

    def schema(self) -> Json:
        low, high = (0, 1) if self.bins else (self.low, self.high)
        number = {"type": "number", "minimum": low, "maximum": high}
        words = "probabilities of equal bins, summing to 1" if self.bins else f"quantiles at levels {self.levels}"
        return {
            "type": "array",
            "description": words,
            "items": number,
            "minItems": self.size,
            "maxItems": self.size,
        }

    def draw(self, rng: np.random.Generator) -> list[float]:
        if self.bins:
            return [float(mass) for mass in rng.dirichlet(np.ones(self.bins))]
        return [float(value) for value in np.sort(rng.uniform(self.low, self.high, self.size))]

    def parse(self, form: Mapping[str, str]) -> list[float]:
        """Read fields "answer.0", "answer.1" ..., or one line of numbers."""
        parts = [form.get(f"answer.{i}", "").strip() for i in range(self.size)]
        if not any(parts):
            parts = split_percents(typed(form))
        if not self.bins:
            if empty := [level for level, part in zip(self.levels, parts, strict=False) if not part]:
                raise Invalid("Give a value for the {level} % quantile too.", level=f"{100 * empty[0]:.0f}")
            read = Number(self.low, self.high, unit=self.unit).parse
            return [read({"answer": part}) for part in parts]
        if len(parts) != self.size:
            raise Invalid("Give {count} percents, one for each bin; got {got}.", count=self.size, got=len(parts))
        ranges = [phrase("{low} to {high}", low=f"{low:g}", high=f"{high:g}") for low, high in pairwise(self.edges())]
        return list(read_shares(dict(zip(ranges, parts, strict=True))).values())

    @property
    def percent(self) -> bool:
        return bool(self.bins) or Number(self.low, self.high, unit=self.unit).percent

    def hint(self) -> str:
        if self.bins:
            return f"{self.bins} probabilities that sum to 1, for equal bins from {self.low:g} to {self.high:g}."
        levels = ", ".join(f"{level:.0%}" for level in self.levels)
        return f"{self.size} values from {self.low:g} to {self.high:g}, not decreasing: the quantiles at {levels}."

    def hint_for_people(self) -> str:
        if not self.bins:
            return self.hint().replace("%", " %").replace(" values ", " percents " if self.percent else " values ")
        return f"{self.bins} percents, together 100, for equal bins from {self.low:g} to {self.high:g}."

    def gym(self) -> Any:
        low, high = (0.0, 1.0) if self.bins else (self.low, self.high)
        return gymnasium_spaces().Box(low, high, shape=(self.size,), dtype=np.float64)

    def from_gym(self, action: Any) -> list[float]:
        """Normalise weights of bins, or sort quantiles."""
        numbers = shares_in(self.bins, action) if self.bins else np.sort(np.asarray(action, dtype=float))
        return [float(number) for number in numbers]

    def _part(self) -> str:
        return "bin" if self.bins else "quantile level"
