"""Max-sum: variables and constraints tell each other what each value would cost the rest."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.stepwise import Stepwise

Costs = np.ndarray[Any, Any]


class MaxSum(Stepwise):
    """Sums costs over the factor graph; exact on trees, a good guess on graphs with cycles.

    Each constraint is a node of its own, at the highest of its agents. A letter to a neighbour holds what one's
    variable tells the constraints there, and what the constraints here tell its variable; between two nodes of one
    agent nothing is sent.

    Parameters
    ----------
    damping
        The share of the last message in the next.

    References
    ----------
    .. [1] Farinelli, Rogers, Petcu and Jennings (2008), Decentralised coordination of low-power embedded devices using
       the max-sum algorithm, AAMAS, 639-646.
    """

    needs = frozenset({"one variable", "shared constraints"})
    phases = ("sum",)

    def __init__(self, damping: float = 0.5, *, steps: int | None = None) -> None:
        super().__init__(steps=steps)
        self.damping = float(damping)

    def start(self) -> Iterator[Called]:
        """Begin with messages that say nothing, and a leaning by chance, small beside any cost, that breaks ties."""
        self.leaning: Costs = 1e-6 * self.rng.random(len(self.domain))
        self.tables = {relation.scope: relation.prices for relation in self.relations}
        self.host = {
            scope: min((self.owners[name] for name in scope), key=self.ranks.__getitem__) for scope in self.tables
        }
        self.told: dict[tuple[frozenset[str], str], Costs] = {}
        """Constraint and variable → what the constraint last told the variable, or the variable the constraint."""
        self.asked: dict[tuple[frozenset[str], str], Costs] = {}
        yield from super().start()

    def say_sum(self, to: str) -> list[Any]:
        """Return what this agent's nodes have to say to those of a neighbour."""
        said = []
        for scope in self.tables:
            owners = [self.owners[name] for name in scope]
            if self.host[scope] == to:
                said.append((scope, self.variable, self._ask(scope).tolist()))
            elif self.host[scope] == self.name and to in owners:
                name = scope[owners.index(to)]
                said.append((scope, name, self._tell(scope, name).tolist()))
        return said

    def hear_sum(self, heard: Mapping[str, Sequence[Any]]) -> Iterator[Called]:
        """Take in what was said, and choose the value that costs least by all of it."""
        for said in heard.values():
            for scope, name, costs in said:
                known = self.told if name == self.variable else self.asked
                self._note(known, (frozenset(scope), name), np.array(costs))
        for scope in self.tables:
            if self.host[scope] == self.name:
                key = frozenset(scope), self.variable
                self._note(self.asked, key, self._ask(scope))
                self._note(self.told, key, self._tell(scope, self.variable))
        best = self.domain[int(np.argmin(self._sum()))]
        if best != self.value:
            yield self.assign(self.variable, best)

    def _note(self, known: dict[Any, Costs], key: Any, costs: Costs) -> None:
        old = known.get(key)
        known[key] = costs if old is None else self.damping * old + (1 - self.damping) * costs

    def _sum(self, *, but: tuple[str, ...] = ()) -> Costs:
        """Return what the constraints say of this variable's values together, but for one of them."""
        total = self.leaning.copy()
        for scope in self.tables:
            if scope != but:
                total = total + self.told.get((frozenset(scope), self.variable), 0.0)
        return total

    def _ask(self, scope: tuple[str, ...]) -> Costs:
        """Return what the variable tells a constraint; only differences matter, so the mean is taken off."""
        total = self._sum(but=scope)
        told: Costs = total - total.mean()
        return told

    def _tell(self, scope: tuple[str, ...], name: str) -> Costs:
        """Return what a constraint tells a variable: the least that the others then cost."""
        table = self.tables[scope]
        self.count(table.size)
        for axis, other in enumerate(scope):
            costs = self.asked.get((frozenset(scope), other))
            if other != name and costs is not None:
                table = table + costs.reshape([-1 if place == axis else 1 for place in range(table.ndim)])
        least: Costs = table.min(axis=tuple(place for place, other in enumerate(scope) if other != name))
        return least
