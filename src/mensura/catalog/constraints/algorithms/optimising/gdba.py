"""Generalised distributed breakout: where nobody can gain, what is violated comes to weigh more."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.relation import Relation
from mensura.catalog.constraints.stepwise import Stepwise
from mensura.errors import BadParameter


class Gdba(Stepwise):
    """Moves like MGM by costs that it changes itself; three manners say how.

    Parameters
    ----------
    modifier
        "A": a weight is added to a cost; "M": it multiplies it.
    violation
        Violated is what costs more than nothing ("NZ"), more than its least ("NM"), or its most ("MX").
    scope
        Which entries of a violated constraint weigh more: the entry ("E"), all with one's own value ("R"), all with the
        other's values ("C"), or the whole table ("T").

    References
    ----------
    .. [1] Okamoto, Zivan and Nahon (2016), Distributed breakout: beyond satisfaction, IJCAI, 447-453.
    """

    phases = ("value", "improve")

    def __init__(
        self, modifier: str = "M", violation: str = "NM", scope: str = "T", *, steps: int | None = None
    ) -> None:
        super().__init__(steps=steps)
        self.modifier, self.violation, self.reach = modifier, violation, scope
        if modifier not in {"A", "M"} or violation not in {"NZ", "NM", "MX"} or scope not in {"E", "R", "C", "T"}:
            raise BadParameter(
                f"gdba is A or M, then NZ, NM or MX, then E, R, C or T; got {modifier}, {violation}, {scope}."
            )

    def start(self) -> Iterator[Called]:
        """Begin with costs as they are."""
        self.weights: dict[tuple[Any, ...], int] = {}
        yield from super().start()

    def price(self, relation: Relation, value: Any, theirs: Sequence[Any]) -> float:
        """Return what one constraint costs as it weighs now."""
        cost = super().price(relation, value, theirs)
        weight = self.weights.get(self._entry(relation, value, theirs), 0)
        return cost + weight if self.modifier == "A" else cost * (1 + weight)

    def hear_value(self, heard: Mapping[str, Any]) -> None:
        """Find the best value and what it improves."""
        self.see(heard)
        costs = self.costs()
        self.best = min(costs, key=lambda value: costs[value])
        self.gain = costs[self.value] - costs[self.best]

    def say_improve(self, to: str) -> float:
        """Return the improvement."""
        return self.gain

    def hear_improve(self, heard: Mapping[str, float]) -> Iterator[Called]:
        """Move where nobody near improves more; where nobody can, let what is violated weigh more."""
        if self.gain <= 0 and all(gain <= 0 for gain in heard.values()):
            self._break_out()
            return
        own = (self.gain, -self.rank)
        if self.gain > 0 and all(own > (gain, -self.ranks[agent]) for agent, gain in heard.items()):
            yield self.assign(self.variable, self.best)

    def _break_out(self) -> None:
        for relation in self.relations:
            theirs = [self.view[name] for name in relation.scope[1:]]
            cost = super().price(relation, self.value, theirs)
            bound = {"NZ": 0.0, "NM": relation.least, "MX": relation.most}[self.violation]
            if cost >= bound if self.violation == "MX" else cost > bound:
                entry = self._entry(relation, self.value, theirs)
                self.weights[entry] = self.weights.get(entry, 0) + 1

    def _entry(self, relation: Relation, value: Any, theirs: Sequence[Any]) -> tuple[Any, ...]:
        """Name the entries that share a weight."""
        parts = {"E": (value, *theirs), "R": (value,), "C": tuple(theirs), "T": ()}[self.reach]
        return (relation.scope, *parts)
