"""A number with what we know of its error."""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from math import isfinite, isnan, nan
from typing import Any

from mensura.stats.rounding import rounded


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its 95 % interval, how many observations it rests on and how the interval was made.

    Bounds are NaN where the error is unknown (one observation, say); they are never zero-width by default.
    An interval of another level says so in its method ("t, 90 %"). `population` names what the interval generalises
    to ("items", say; see `mensura.stats.population`), and `note` is what must be said beside it, in plain sentences.

    >>> print(Estimate(0.5, 0.4, 0.6, 20, "t"))
    0.50 [0.40, 0.60] (n=20, t)
    >>> print(Estimate(0.5, float("nan"), float("nan"), 1, "t"))
    0.5 (n=1: no error estimate)
    """

    value: float
    low: float
    high: float
    n: int
    method: str
    population: str = ""
    note: str = ""

    def __str__(self) -> str:
        if isnan(self.value):
            return f"unknown (n={self.n})"
        if not self.has_interval:
            return f"{self.rounded[0]} (n={self.n}: no error estimate)"
        return f"{self.rounded[0]} {self.bracket} (n={self.n}, {self.method})"

    def _repr_html_(self) -> str:
        """Show the estimate in a notebook, the method on a second, smaller line."""
        if isnan(self.value):
            number = "unknown"
        elif self.has_interval:
            number = f"<b>{self.rounded[0]}</b> {self.bracket}"
        else:
            number = f"<b>{self.rounded[0]}</b> (no error estimate)"
        return f"<span>{number}<br><small>n = {self.n}, {escape(self.method)}</small></span>"

    @property
    def rounded(self) -> tuple[str, str, str]:
        """The number and its bounds as they are written, to two significant digits of half the interval's width."""
        return rounded(self.value, self.low, self.high)

    @property
    def signed(self) -> tuple[str, str, str]:
        """The same with a plus sign before what is above zero, for differences."""
        return rounded(self.value, self.low, self.high, signed=True)

    @property
    def bracket(self) -> str:
        """The interval in brackets."""
        _, low, high = self.rounded
        return f"[{low}, {high}]"

    @property
    def ends(self) -> str:
        """The interval in words; "unknown" where there is none.

        >>> Estimate(0.5, 0.4, 0.6, 20, "t").ends
        '0.40 to 0.60'
        """
        _, low, high = self.rounded
        return f"{low} to {high}" if self.has_interval else "unknown"

    @property
    def has_interval(self) -> bool:
        """Return whether both bounds are known."""
        return not (isnan(self.low) or isnan(self.high))

    def excludes(self, value: float) -> bool:
        """Return whether the interval is known and leaves this value out.

        >>> Estimate(0.5, 0.4, 0.6, 20, "t").excludes(0)
        True
        """
        return self.has_interval and not self.low <= value <= self.high

    def as_json(self) -> dict[str, Any]:
        """Return the estimate as JSON; unknown numbers are null, and so is a bound that lies beyond all numbers."""
        return {
            "value": _number(self.value),
            "low": float(self.low) if isfinite(self.low) else None,
            "high": float(self.high) if isfinite(self.high) else None,
            "n": self.n,
            "method": self.method,
            "population": self.population,
            "note": self.note,
        }


def read_estimate(data: Mapping[str, Any]) -> Estimate:
    """Read an estimate from its JSON; what is null is unknown.

    >>> read_estimate(Estimate(0.5, 0.4, 0.6, 20, "t").as_json()) == Estimate(0.5, 0.4, 0.6, 20, "t")
    True
    """
    return Estimate(
        **{**data, **{name: nan if data[name] is None else data[name] for name in ("value", "low", "high")}}
    )


def without_interval(value: float, *, n: int, reason: str, population: str = "") -> Estimate:
    """Return a number whose error is unknown, with the reason as its method.

    >>> without_interval(0.7, n=1, reason="one value").method
    'none: one value'
    """
    return Estimate(float(value), nan, nan, n, f"none: {reason}", population)


def named(method: str, *, level: float) -> str:
    """Add the level to the name of a method unless it is the usual 95 %.

    >>> named("t", level=0.95), named("t", level=0.9)
    ('t', 't, 90 %')
    """
    return method if level == 0.95 else f"{method}, {100 * level:g} %"


def _number(value: float) -> float | None:
    return None if isnan(value) else float(value)
