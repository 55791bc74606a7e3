"""Asynchronous distributed optimisation (Modi and others 2005): bounds on costs steer a search without waiting."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.optimising.ordered_agent import least_of, read, written
from mensura.catalog.constraints.algorithms.optimising.tree_agent import TreeAgent
from mensura.catalog.constraints.mail.letter import Letter

Context = dict[str, Any]
"""Values of agents above."""
Bound = list[Any]
"""What is known of a child: lower and upper bound, its share of the threshold, and for which context."""


def agree(one: Context, two: Context) -> bool:
    """Say whether two contexts give nobody two values."""
    return all(two.get(agent, value) == value for agent, value in one.items())


class Adopt(TreeAgent):
    """Changes its value as soon as another may be better, and stops when a bound proves that none is.

    For each value and child it keeps a lower and an upper bound and the share of the threshold that the child may use.
    The whole mailbox is read before it acts once: acting on each message floods the network. The upper bound is
    infinite until every agent above was heard, since an unknown value may be expensive. Costs below zero are shifted:
    every constraint counts from its least cost.

    References
    ----------
    .. [1] Modi, Shen, Tambe and Yokoo (2005), Artificial Intelligence 161, 149-180.
    """

    needs = frozenset({"one variable", "ordered channels", "shared constraints"})
    complete = True

    def start(self) -> Iterator[Called]:
        """Know nothing of the children, and act."""
        self.take_place()
        self.least = {id(one): least_of(one) for one, _ in self.mine}
        self.context: Context = {}
        self.threshold = 0.0
        self.ending = self.ended = False
        self.bounds = {(value, child): self.unknown() for value in self.domain for child in self.children}
        self.value = self.domain[0]
        yield from self.act()

    @staticmethod
    def unknown() -> Bound:
        """Return what is known of a child at first: nothing."""
        return [0.0, inf, 0.0, {}]

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Read everything, then act once."""
        if self.ended:
            return
        for letter in mail:
            if letter.kind == "value":
                self.learn({} if self.ending else {letter.sender: letter.data})
            elif letter.kind == "cost":
                self.hear_cost(letter)
            elif letter.kind == "threshold":
                if agree(dict(letter.data[1]), self.context):
                    self.threshold = read(letter.data[0])
            else:
                self.ending = True
                self.learn(dict(letter.data))
        yield from self.act()

    def learn(self, values: Context) -> None:
        """Take values of agents above in, and forget what children said for others."""
        self.context.update(values)
        for key, (_, _, _, said_for) in self.bounds.items():
            if not agree(said_for, self.context):
                self.bounds[key] = self.unknown()

    def hear_cost(self, letter: Letter) -> None:
        """Take a child's bounds in, if they are about what is the case."""
        said_for, low, high = dict(letter.data[0]), read(letter.data[1]), read(letter.data[2])
        own = said_for.pop(self.name, None)
        if not self.ending:
            self.learn({agent: value for agent, value in said_for.items() if agent not in self.above})
        if not said_for.items() <= self.context.items():
            # Also where it names a value of a neighbour above that was not heard yet: it may be an old one.
            self.set_aside(letter)
            return
        for value in self.domain if own is None else [own]:
            self.bounds[value, letter.sender] = self.closer(self.bounds[value, letter.sender], low, high, said_for)

    def closer(self, bound: Bound, low: float, high: float, said_for: Context) -> Bound:
        """Return what is known of a child after what it said: its bounds, its share of the threshold between them."""
        return [low, high, min(max(bound[2], low), high), said_for]

    def act(self) -> Iterator[Called]:
        """Keep the threshold between the bounds, take the value it asks for, and tell everyone."""
        own, lows, highs = self.estimate()
        low, high = min(lows.values()), min(highs.values())
        self.threshold = min(max(self.threshold, low), high)
        if self.threshold == high:
            self.value = min(self.domain, key=highs.__getitem__)
        elif lows[self.value] > self.threshold:
            self.value = min(self.domain, key=lows.__getitem__)
        yield self.assign(self.variable, self.value)
        if self.below:
            yield self.send(self.below, "value", self.value)
        yield from self.allot(own[self.value])
        if self.threshold == high and (self.ending or self.parent is None):
            yield from self.end(low)
        elif self.parent is not None:
            yield self.send(self.parent, "cost", (tuple(self.context.items()), written(low), written(high)))

    def estimate(self) -> tuple[dict[Any, float], dict[Any, float], dict[Any, float]]:
        """Return for each value its own cost, and what it costs at least and at most with the whole subtree."""
        own = {value: self.own(value) for value in self.domain}
        lows = {value: own[value] + sum(self.bounds[value, child][0] for child in self.children) for value in own}
        if any(agent not in self.context for agent in self.above):
            return own, lows, dict.fromkeys(own, inf)
        return (
            own,
            lows,
            {value: own[value] + sum(self.bounds[value, child][1] for child in self.children) for value in own},
        )

    def end(self, low: float) -> Iterator[Called]:
        """Tell the children that the values above are final."""
        self.ended = True
        if self.parent is None and low == inf:
            yield self.stop("unsolvable")
        context = (*self.context.items(), (self.name, self.value))
        yield from (self.send(child, "terminate", context) for child in self.children)

    def allot(self, own: float) -> Iterator[Called]:
        """Divide the threshold, less the own cost, among the children: each between its bounds."""
        shares = {child: self.bounds[self.value, child] for child in self.children}
        left = inf if self.threshold == inf else self.threshold - own - sum(bound[0] for bound in shares.values())
        context = (*self.context.items(), (self.name, self.value))
        for child, bound in shares.items():
            bound[2] = bound[1] if left == inf else min(bound[1], bound[0] + left)
            left = left if left == inf else left - (bound[2] - bound[0])
            yield self.send(child, "threshold", (written(bound[2]), context))

    def own(self, value: Any) -> float:
        """Return what a value costs with those above that are known."""
        known = ((one, agents) for one, agents in self.mine if all(agent in self.context for agent in agents))
        return sum(one.cost(value, *map(self.context.__getitem__, at)) - self.least[id(one)] for one, at in known)
