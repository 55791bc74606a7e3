"""Curves: the chance that a person of some ability has an item right, and what the answer tells of the ability."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.estimate import Estimate
from mensura.stats.intervals.sample import Floats

TINY = 1e-12
WIDE = 1.959963984540054
"""Standard errors to either side of a 95 % interval."""


@dataclass(frozen=True, slots=True)
class ItemCurve:
    r"""One calibrated item: :math:`P(\theta) = c + (1 - c) / (1 + e^{-a(\theta - b)})`.

    `b` is the ability at which it is half way between c and 1, `a` how steep it is there, `c` what remains for those
    who know nothing. Abilities are measured in standard deviations from the mean of the persons of the calibration.

    >>> ItemCurve("2pl", 1.0, 0.0).as_json()["b"]
    0.0
    """

    model: str
    a: float
    b: float
    c: float = 0.0
    se_a: float = float("nan")
    se_b: float = float("nan")
    se_c: float = float("nan")
    persons: int = 0
    norm: str = ""
    """Whose mean is 0 and whose standard deviation is 1, in words."""

    def estimate(self, name: str) -> Estimate:
        """Return a parameter ("a", "b" or "c") with its 95 % interval."""
        value, error = getattr(self, name), getattr(self, f"se_{name}")
        low, high = value - WIDE * error, value + WIDE * error
        if name == "c":
            low, high = max(low, 0.0), min(high, 1.0)
        method = "marginal likelihood, Wald" if error == error else "none: no standard error"
        return Estimate(value, low, high, self.persons, method, "persons like these")

    def as_json(self) -> dict[str, Any]:
        """Return what a bank keeps of it; unknown numbers are null."""
        numbers = {name: getattr(self, name) for name in ("a", "b", "c", "se_a", "se_b", "se_c")}
        told: dict[str, Any] = {name: None if value != value else float(value) for name, value in numbers.items()}
        return {"model": self.model, **told, "persons": self.persons, "norm": self.norm}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "ItemCurve":
        """Read what a bank keeps of it, or raise a sentence."""
        parts = ("a", "b", "c", "se_a", "se_b", "se_c")
        given = {name: data.get(name) for name in parts}
        numbers = {name: float("nan") if value is None else value for name, value in given.items()}
        numbers["c"] = 0.0 if given["c"] is None else given["c"]
        if any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in numbers.values()):
            raise BadData(f"A calibration holds numbers a, b and c and their standard errors; got {given}.")
        # Only finite parameters make a curve; a bank may be written by other programs.
        if not all(np.isfinite(numbers[name]) for name in ("a", "b", "c")) or not 0 <= numbers["c"] < 1:
            raise BadData(f"A calibration needs finite a and b, and c from 0 to below 1; got {given}.")
        described = str(data.get("model", "2pl")), int(data.get("persons") or 0), str(data.get("norm", ""))
        return cls(
            described[0], **{name: float(one) for name, one in numbers.items()}, persons=described[1], norm=described[2]
        )


@dataclass(frozen=True, eq=False)
class Curves:
    """The parameters of many items as arrays."""

    a: Floats
    b: Floats
    c: Floats

    @classmethod
    def of(cls, items: Iterable[ItemCurve]) -> "Curves":
        """Gather the curves of items."""
        held = [(item.a, item.b, item.c) for item in items]
        return cls(*np.array(held, dtype=float).reshape(-1, 3).T)

    def right(self, ability: ArrayLike) -> Floats:
        """Return the chance of a right answer, items × abilities."""
        turned = self.a[:, None] * (np.atleast_1d(np.asarray(ability, dtype=float))[None, :] - self.b[:, None])
        rising = 1 / (1 + np.exp(-np.clip(turned, -500, 500)))
        return np.asarray(np.clip(self.c[:, None] + (1 - self.c[:, None]) * rising, TINY, 1 - TINY))

    def information(self, ability: ArrayLike) -> Floats:
        r"""Return Fisher's information of each item, :math:`P'^2 / PQ`, items × abilities.

        >>> Curves.of([ItemCurve("2pl", 2.0, 0.0)]).information([0.0])
        array([[1.]])
        """
        chance = self.right(ability)
        c, a = self.c[:, None], self.a[:, None]
        slope = a * (chance - c) * (1 - chance) / (1 - c)
        return np.asarray(slope**2 / (chance * (1 - chance)))

    def log_likelihood(self, right: Floats, ability: ArrayLike) -> Floats:
        """Return the log likelihood of answers, persons × abilities; missing answers say nothing."""
        chance = self.right(ability)
        known = ~np.isnan(right)
        held = np.where(known, right, 0.0)
        return np.asarray(held @ np.log(chance) + (known - held) @ np.log1p(-chance))
