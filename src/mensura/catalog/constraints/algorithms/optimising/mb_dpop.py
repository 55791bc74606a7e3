"""DPOP in bounded memory: where a table would be about too many agents, some of them are fixed, case by case."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import numpy as np

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.optimising.dpop import (
    MOST_CELLS,
    Dpop,
    cut_at,
    read_utility,
    write_utility,
)
from mensura.catalog.constraints.mail.letter import Letter

Case = dict[str, int]
"""Agents that are fixed, each at a position in its domain."""


class MbDpop(Dpop):
    """Sends no table about more than `dimensions` agents.

    Labels go up the tree first: which agents above a subtree is about, and which of them it wants fixed. A parent then
    goes through the cases of those that are not fixed for itself, and puts the tables that come back together. In the
    paper one agent goes through the cases of a whole cluster; here each does for its children, in the same memory.

    Parameters
    ----------
    dimensions
        The most agents above that a table is about.

    References
    ----------
    .. [1] Petcu and Faltings (2007), MB-DPOP: a new memory-bounded algorithm for distributed optimization, IJCAI,
       1452-1457.
    """

    needs = frozenset({"one variable", "single delivery", "shared constraints"})

    def __init__(self, dimensions: int = 2, cells: int = MOST_CELLS) -> None:
        super().__init__(cells)
        self.dimensions = int(dimensions)

    def start(self) -> Iterator[Called]:
        """Leaves begin with their labels."""
        self.labels: dict[str, tuple[dict[str, int], tuple[str, ...]]] = {}
        self.asked: Case | None = None
        self.told: Case | None = None
        yield from super().start()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Labels and tables go up, cases and values come down."""
        for letter in mail:
            if letter.kind == "label":
                sizes, fixed = letter.data
                self.labels[letter.sender] = dict(sizes), tuple(fixed)
                yield from self.add_up()
            elif letter.kind == "util":
                self.heard[letter.sender] = read_utility(letter.data)
                yield from self.hear_table(letter.sender)
            else:
                chosen = dict(letter.data)
                self.told = chosen if letter.kind == "value" else None
                self.asked = {agent: chosen[agent] for agent in self.fixed}
                yield from self.begin_if_ready()

    def add_up(self) -> Iterator[Called]:
        """Once all children have told their labels, tell one's own."""
        if len(self.labels) < len(self.children):
            return
        self.sizes = {owner: len(self.domains[name]) for name, owner in self.owners.items() if owner in self.above}
        wanted: set[str] = set()
        for sizes, fixed in self.labels.values():
            self.sizes.update(sizes)
            wanted.update(fixed)
        self.sizes.pop(self.name, None)
        # Those that are fixed below anyway come first, then the highest.
        about = sorted(self.sizes, key=lambda agent: (agent not in wanted, self.ranks[agent]))
        self.fixed = tuple(about[: max(0, len(about) - self.dimensions)])
        if self.parent is not None:
            yield self.send(self.parent, "label", (tuple(self.sizes.items()), self.fixed))
        self.with_cases = {child for child, (_, fixed) in self.labels.items() if fixed}
        self.asked = None if self.fixed else {}
        yield from self.begin_if_ready()

    def begin_if_ready(self) -> Iterator[Called]:
        """Go through the cases that are to be told apart, once the children's other tables are there."""
        if self.asked is None or any(one not in self.heard for one in self.children if one not in self.with_cases):
            return
        self.case, self.asked = self.asked, None
        apart = {agent for _, fixed in self.labels.values() for agent in fixed if agent not in self.case}
        everyone = {**self.sizes, self.name: len(self.domain)}
        self.cases: Iterator[Case] = (
            dict(zip(apart, chosen, strict=True)) for chosen in product(*(range(everyone[agent]) for agent in apart))
        )
        rest = sorted((agent for agent in self.sizes if agent not in self.case), key=self.ranks.__getitem__)
        agents = (self.name, *rest)
        self.joint = agents, np.zeros([everyone[agent] for agent in agents])
        self.waiting: set[str] = set()
        yield from self.next_case()

    def next_case(self) -> Iterator[Called]:
        """Ask the children for the next case; after the last one, answer."""
        for apart in self.cases:
            self.apart, now = apart, {**self.case, **apart}
            self.waiting = set(self.with_cases)
            for child in filter(self.waiting.__contains__, self.children):
                yield self.send(child, "case", tuple((agent, now[agent]) for agent in self.labels[child][1]))
            if self.waiting:
                return
            self.fill()
        agents, table = self.joint
        if self.told is not None or self.parent is None:
            yield from self.take(self.told or {})
        else:
            yield self.send(self.parent, "util", write_utility(agents[1:], table.min(axis=0)))

    def hear_table(self, child: str) -> Iterator[Called]:
        """Take a child's table in; the last of a case completes it."""
        if len(self.labels) < len(self.children):
            return
        if child not in self.with_cases:
            yield from self.begin_if_ready()
            return
        self.waiting.discard(child)
        if not self.waiting:
            self.fill()
            yield from self.next_case()

    def about(self, child: str) -> Iterable[str]:
        """Return the agents above a child that its subtree is about, fixed or not."""
        return self.labels[child][0]

    def fill(self) -> None:
        """Put the part of the table for this case in its place."""
        agents, table = self.joint
        place = tuple(self.apart.get(agent, slice(None)) for agent in agents)
        now = {**self.case, **self.apart}
        free = tuple(agent for agent in agents if agent not in now)
        total = np.zeros([size for agent, size in zip(agents, table.shape, strict=True) if agent not in now])
        for part in self.parts():
            owners, costs = cut_at(part, now)
            order = [owners.index(agent) for agent in free if agent in owners]
            shape = [size if agent in owners else 1 for agent, size in zip(free, total.shape, strict=True)]
            total = total + costs.transpose(order).reshape(shape)
        self.count(int(total.size))
        table[place] = total
