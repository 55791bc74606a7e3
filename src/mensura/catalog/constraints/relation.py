"""Relation: a constraint as an agent holds it. Every look is counted here, never by the algorithm."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from mensura.errors import BadParameter

PENALTY = 10_000.0
"""What a forbidden choice costs beside finite costs: local search must be able to compare two forbidden choices."""


class Effort:
    """What an agent has done since it was woken."""

    __slots__ = ("checks", "links", "nogoods", "obsolete")

    def __init__(self) -> None:
        self.checks = 0
        self.obsolete = 0
        self.nogoods = 0
        self.links = 0


class Relation:
    """What some variables may be together, or cost; the agent's own variables come first in its scope.

    Values are looked up by `allows` and `cost`, each look one check. Masks do many looks at once and count them all:
    bit i of a mask stands for the i-th value of the first variable of the scope.
    """

    def __init__(
        self,
        scope: tuple[str, ...],
        table: np.ndarray[Any, Any],
        *,
        domains: Mapping[str, tuple[Any, ...]],
        effort: Effort,
        sign: float = 1.0,
        forbidden: float = 1.0,
    ) -> None:
        self.scope = scope
        self.hard = table.dtype == bool
        self._table = table
        self._domains = domains
        self._effort = effort
        self._sign = sign
        self._forbidden = forbidden

    @cached_property
    def _allowed(self) -> Any:
        return self._nested(self._table if self.hard else np.isfinite(self._table))

    @cached_property
    def costs(self) -> np.ndarray[Any, Any]:
        """What values cost together, less is better, one axis for each variable of the scope.

        Who works on whole tables counts their cells by `Agent.count`.
        """
        if self.hard:
            costs = np.where(self._table, 0.0, np.inf)
        else:
            costs = np.where(np.isfinite(self._table), self._sign * self._table, np.inf)
        costs.flags.writeable = False
        return costs

    @cached_property
    def _cost(self) -> Any:
        return self._nested(self.costs)

    def price(self, *values: Any) -> float:
        """Return what values cost as a finite number, as sums and differences need it: one check.

        A violated constraint costs 1 where all constraints only forbid, and `PENALTY` where there are costs.
        """
        cost = self.cost(*values)
        return self._forbidden if cost == np.inf else cost

    @cached_property
    def least(self) -> float:
        """The least that it can cost."""
        return float(self.prices.min())

    @cached_property
    def most(self) -> float:
        """The most that it can cost."""
        return float(self.prices.max())

    @cached_property
    def prices(self) -> np.ndarray[Any, Any]:
        """The same table in finite numbers, as `price` gives them."""
        return np.where(np.isfinite(self.costs), self.costs, self._forbidden)

    def _nested(self, table: np.ndarray[Any, Any]) -> dict[Any, Any]:
        return _nested(table.tolist(), [self._domains[name] for name in self.scope])

    def allows(self, *values: Any) -> bool:
        """Return whether values of the scope, in its order, are allowed together: one check."""
        self._effort.checks += 1
        cell = self._allowed
        for value in values:
            cell = cell[value]
        return cell  # type: ignore[no-any-return]

    def cost(self, *values: Any) -> float:
        """Return what values of the scope cost together, less is better: one check; infinite where forbidden.

        Where a sum is to be made large, costs are handed out with the opposite sign.
        """
        self._effort.checks += 1
        cell = self._cost
        for value in values:
            cell = cell[value]
        return cell  # type: ignore[no-any-return]

    @cached_property
    def _masks(self) -> dict[Any, int]:
        """Value of the other variable → the values of the own one that it allows."""
        if len(self.scope) != 2:
            raise BadParameter(f"Masks are for constraints on two variables; this one is on {', '.join(self.scope)}.")
        other = self._domains[self.scope[1]]
        cells = self._table if self.hard else np.isfinite(self._table)
        packed = np.packbits(cells, axis=0, bitorder="little").T
        return {theirs: int.from_bytes(bits.tobytes(), "little") for theirs, bits in zip(other, packed, strict=True)}

    def keep(self, mask: int, theirs: Any) -> int:
        """Return which of the own values in a mask the other's value allows: one check for each of them."""
        self._effort.checks += mask.bit_count()
        return mask & self._masks[theirs]


def _nested(cells: list[Any], domains: list[tuple[Any, ...]]) -> dict[Any, Any]:
    first, rest = domains[0], domains[1:]
    return {value: _nested(cell, rest) if rest else cell for value, cell in zip(first, cells, strict=True)}


def bits(mask: int) -> Iterator[int]:
    """Return the places of the bits that are set in a mask, the lowest first.

    >>> list(bits(0b10110))
    [1, 2, 4]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
