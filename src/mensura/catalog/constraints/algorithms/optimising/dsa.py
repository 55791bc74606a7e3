"""Distributed stochastic algorithm: an agent that can do better moves, with a chance."""

from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.stepwise import Stepwise
from mensura.errors import BadParameter


class Dsa(Stepwise):
    """Takes its best value with probability p; variants differ in what it does where that gains nothing.

    A stays; B moves where one of its constraints is violated (or costs more than it must); C always moves.

    References
    ----------
    .. [1] Zhang, Wang, Xing and Wittenburg (2005), Artificial Intelligence 161, 55-87.
    """

    def __init__(self, variant: str = "B", p: float = 0.7, *, steps: int | None = None) -> None:
        super().__init__(steps=steps)
        self.variant, self.p = variant.upper(), float(p)
        if self.variant not in {"A", "B", "C"} or not 0 < self.p <= 1:
            raise BadParameter(f"dsa has the variants A, B and C and a chance from 0 to 1; got {variant!r}, {p}.")

    def hear_value(self, heard: Mapping[str, Any]) -> Iterator[Called]:
        """Move, perhaps."""
        self.see(heard)
        costs = self.costs()
        least, now = min(costs.values()), costs[self.value]
        best = [value for value, cost in costs.items() if cost == least]
        if least == now:
            best.remove(self.value)
            if not best or self.variant == "A" or (self.variant == "B" and not self.in_conflict()):
                return
        # Drawn also where it moves surely, so that p changes nothing else.
        if self.rng.random() < self.p:
            yield self.assign(self.variable, best[int(self.rng.random() * len(best))])

    def in_conflict(self) -> bool:
        """Return whether some constraint costs more than the least that it can cost."""
        for relation in self.relations:
            theirs = [self.view[name] for name in relation.scope[1:]]
            if self.price(relation, self.value, theirs) > relation.least:
                return True
        return False
