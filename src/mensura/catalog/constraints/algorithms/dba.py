"""The distributed breakout algorithm: who can improve most moves, and where nobody can, walls grow."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Agent, Called
from mensura.catalog.constraints.mail.letter import Letter


class Dba(Agent):
    """Takes turns with its neighbours: all tell their values, then by how much they could improve; the best moves.

    Where nobody in a neighbourhood can improve, the weights of violated constraints grow by one. An agent falls silent
    when nothing has been violated over as many steps as there are agents; nothing can be proved unsolvable.

    References
    ----------
    .. [1] Yokoo and Hirayama (1996), International Conference on Multi-Agent Systems, 401-408.
    """

    needs = frozenset({"one variable", "satisfaction"})

    def start(self) -> Iterator[Called]:
        """Take a random value and tell it."""
        self.shared = [relation for relation in self.relations if len(relation.scope) > 1]
        self.weights = [1] * len(self.shared)
        self.values: dict[str, Any] = {}
        self.heard: dict[str, Any] = {}
        """Values of the next turn: a neighbour may be ahead by one."""
        self.offers: dict[str, tuple[int, int, int]] = {}
        self.steps = 0
        """Over how many agents, at least, nothing has been violated."""
        self.told = False
        yield self.assign(self.variable, self.domain[int(self.rng.integers(len(self.domain)))])
        yield self.send(self.neighbours, "ok", self.value)

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Go on as soon as all neighbours have said what is waited for."""
        for letter in mail:
            (self.heard if letter.kind == "ok" else self.offers)[letter.sender] = letter.data
        while len(self.offers if self.told else self.heard) == len(self.neighbours):
            yield from self.move() if self.told else self.offer()

    def offer(self) -> Iterator[Called]:
        """Say by how much one could improve, what is violated now, and over how many agents nothing has been."""
        self.values, self.heard = self.heard, {}
        now = self.cost(self.value)
        costs = {value: now if value == self.value else self.cost(value) for value in self.domain} if now else {}
        self.best = min(costs, key=costs.__getitem__, default=self.value)
        self.gain = now - costs.get(self.best, now)
        self.now = now
        self.steps = 0 if now else self.steps
        self.told = True
        yield self.send(self.neighbours, "improve", (self.gain, self.now, self.steps))

    def move(self) -> Iterator[Called]:
        """Move where nobody near improves more, or let weights grow where nobody improves at all."""
        gains = {agent: gain for agent, (gain, _, _) in self.offers.items()}
        most = max(gains.values())
        self.steps = min(self.steps, *(steps for _, _, steps in self.offers.values()))
        self.told = False
        if self.now == 0 and all(now == 0 for _, now, _ in self.offers.values()):
            self.steps += 1
            if self.steps > len(self.ranks):
                # Every agent that it is linked with, however far, has come as far without a violation.
                self.offers = {}
                return
        if self.gain > 0 and self.is_first(gains):
            yield self.assign(self.variable, self.best)
        elif self.now and self.gain <= 0 and most <= 0:
            for place, relation in enumerate(self.shared):
                self.weights[place] += not relation.allows(self.value, *self.others(relation))
        self.offers = {}
        yield self.send(self.neighbours, "ok", self.value)

    def is_first(self, gains: dict[str, int]) -> bool:
        """Return whether nobody near improves more, or as much and has an earlier rank."""
        return all((-self.gain, self.rank) < (-gain, self.ranks[agent]) for agent, gain in gains.items())

    def cost(self, value: Any) -> int:
        """Return the weight of the constraints that a value violates."""
        pairs = zip(self.weights, self.shared, strict=True)
        return sum(weight for weight, relation in pairs if not relation.allows(value, *self.others(relation)))

    def others(self, relation: Any) -> list[Any]:
        """Return the values of the others in a constraint."""
        return [self.values[self.owners[name]] for name in relation.scope[1:]]
