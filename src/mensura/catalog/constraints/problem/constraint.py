"""Constraint: what some variables may be together, or what it costs, as a table over positions of values."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, prod
from typing import Any

import numpy as np

from mensura.errors import BadData

LARGEST = 20_000_000
"""Cells of the largest table that is made."""


@dataclass(frozen=True, eq=False)
class Constraint:
    """A table over some variables, whose axes are in the order of `scope` and of the values in each domain."""

    scope: tuple[str, ...]
    table: np.ndarray[Any, Any]
    """Whether values are allowed (bool), or what they cost (float; infinite where they are forbidden)."""
    known_to: tuple[str, ...] | None = None
    """The agents that are told of it; None: all that have a variable in its scope."""

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Constraint)
            and (self.scope, self.known_to, self.hard) == (other.scope, other.known_to, other.hard)
            and np.array_equal(self.table, other.table)
        )

    def __hash__(self) -> int:
        return hash((self.scope, self.known_to, self.table.shape))

    @property
    def hard(self) -> bool:
        """Whether it only allows and forbids."""
        return bool(self.table.dtype == bool)

    @property
    def allowed(self) -> np.ndarray[Any, Any]:
        """Where values are not forbidden."""
        return self.table if self.hard else np.isfinite(self.table)


def forbidding(
    scope: Sequence[str], tuples: Iterable[Sequence[Any]], domains: Mapping[str, tuple[Any, ...]]
) -> Constraint:
    """Make a constraint from the tuples of values that it forbids.

    Parameters
    ----------
    scope
        The variables.
    tuples
        Values of all of them, in the order of `scope`.
    domains
        The values of each variable.

    Examples
    --------
    >>> forbidding(["x", "y"], [[0, 0], [1, 1]], {"x": (0, 1), "y": (0, 1, 2)}).table
    array([[False,  True,  True],
           [ True, False,  True]])
    """
    table = np.ones(shape_of(scope, domains), dtype=bool)
    for place in _places(scope, tuples, domains):
        table[place] = False
    return Constraint(tuple(scope), table)


def costing(
    scope: Sequence[str],
    costs: Iterable[Sequence[Any]],
    domains: Mapping[str, tuple[Any, ...]],
    *,
    forbidden: Iterable[Sequence[Any]] = (),
    worst: float = inf,
) -> Constraint:
    """Make a constraint from what tuples cost, the cost behind the values; tuples that are not named cost nothing.

    `worst` is what forbidden tuples cost: infinity, or minus infinity where the sum is to be large.

    >>> costing(["x"], [["b", 2]], {"x": ("a", "b")}).table
    array([0., 2.])
    """
    table = np.zeros(shape_of(scope, domains))
    rows = [list(row) for row in costs]
    prices = [read_cost(row[-1], scope) for row in rows]
    for place, price in zip(_places(scope, (row[:-1] for row in rows), domains), prices, strict=True):
        table[place] = price
    for place in _places(scope, forbidden, domains):
        table[place] = worst
    return Constraint(tuple(scope), table)


def check_domains(domains: Mapping[str, Sequence[Any]]) -> None:
    """Refuse domains that are empty, or hold anything but different numbers and texts."""
    for name, values in domains.items():
        if not values:
            raise BadData(f"The domain {name!r} is empty; a domain needs at least one value.")
        if not all(isinstance(value, (str, int, float)) and value == value for value in values):
            raise BadData(f"A value is a number or a text; the domain {name!r} holds {list(values)}.")
        if len(set(values)) < len(values):
            raise BadData(f"The domain {name!r} holds a value twice: {list(values)}.")


def shape_of(scope: Sequence[str], domains: Mapping[str, tuple[Any, ...]]) -> tuple[int, ...]:
    """Return the shape of a table over a scope, or refuse it in a sentence."""
    if not scope:
        raise BadData("A constraint needs at least one variable; its scope is empty.")
    for variable in scope:
        if variable not in domains:
            raise BadData(f"A constraint on {_named(scope)} names the unknown variable {variable!r}.")
        if sum(other == variable for other in scope) > 1:
            raise BadData(f"A constraint on {_named(scope)} names {variable!r} twice; no variable constrains itself.")
    shape = tuple(len(domains[variable]) for variable in scope)
    if prod(shape) > LARGEST:
        raise BadData(
            f"A constraint on {len(scope)} variables would have {prod(shape):,} cells, more than {LARGEST:,}; "
            "write it as several smaller ones."
        )
    return shape


def read_cost(cost: Any, scope: Sequence[str]) -> float:
    """Read a cost, or refuse it in a sentence."""
    try:
        if isinstance(cost, (int, float)) and not isinstance(cost, bool) and cost == cost:
            return float(cost)
    except OverflowError:
        pass
    raise BadData(f"A cost is a number; got {cost!r:.60} in the constraint on {_named(scope)}.")


def _places(
    scope: Sequence[str], tuples: Iterable[Sequence[Any]], domains: Mapping[str, tuple[Any, ...]]
) -> Iterable[tuple[int, ...]]:
    at = [{value: i for i, value in enumerate(domains[variable])} for variable in scope]
    for values in tuples:
        if len(values) != len(scope):
            raise BadData(f"A tuple of the constraint on {_named(scope)} has {len(values)} values: {list(values)}.")
        try:
            yield tuple(places[value] for places, value in zip(at, values, strict=True))
        except (KeyError, TypeError):
            wrong = next((v, x) for v, x, places in zip(scope, values, at, strict=True) if not _holds(places, x))
            raise BadData(
                f"The constraint on {_named(scope)} gives {wrong[0]} {wrong[1]!r}, not of its domain."
            ) from None


def _holds(places: Mapping[Any, int], value: Any) -> bool:
    try:
        return value in places
    except TypeError:
        return False


def _named(scope: Sequence[str]) -> str:
    return ", ".join(map(str, scope))
