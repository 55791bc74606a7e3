"""Agents with priorities that change: what each knows of the others' values and priorities, and who is above whom."""

from collections.abc import Sequence
from typing import Any

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.relation import bits


class Prioritised(Agent):
    """An agent of one variable that tells others apart by priority; equal ones by rank."""

    def begin_view(self) -> None:
        """Know nobody, at the lowest priority."""
        self.view: dict[str, tuple[Any, int]] = {}
        self.order: list[str] = []
        """Those in the view, the highest first; it is made anew where priorities have moved."""
        self.moved = False
        self.priority = 0

    def hear(self, agent: str, value: Any, priority: int) -> None:
        """Note another's value and priority."""
        before = self.view.get(agent)
        self.view[agent] = value, priority
        self.moved = self.moved or before is None or before[1] != priority

    def above(self) -> list[str]:
        """List those above, the highest first; the rest of `order` is below."""
        if self.moved:
            self.order = sorted(self.view, key=lambda one: (-self.view[one][1], self.ranks[one]))
            self.moved = False
        return [one for one in self.order if self.is_above(one)]

    def is_above(self, agent: str) -> bool:
        """Return whether another has precedence: a higher priority, or the same and an earlier rank."""
        priority = self.view[agent][1]
        return priority > self.priority or (priority == self.priority and self.ranks[agent] < self.rank)

    def rise(self) -> None:
        """Take a priority above all that are known."""
        self.priority = 1 + max([self.priority, *(priority for _, priority in self.view.values())])

    def least_conflicts(self, mask: int, below: Sequence[str]) -> int:
        """Return the first of the values in a mask with the fewest conflicts with those below."""
        counts = dict.fromkeys(bits(mask), 0)
        if len(counts) > 1:
            for agent in below:
                if agent in self._with:
                    for place in bits(mask ^ self._with[agent].keep(mask, self.view[agent][0])):
                        counts[place] += 1
        return min(counts, key=counts.__getitem__)
