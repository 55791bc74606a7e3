"""Branch-and-bound ADOPT (Yeoh and others 2010): the bounds of ADOPT with a depth-first search."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.optimising.adopt import Adopt, Bound, Context
from mensura.catalog.constraints.algorithms.optimising.ordered_agent import read, written
from mensura.catalog.constraints.mail.letter import Letter


class BnbAdopt(Adopt):
    """Leaves a value only when it is proved to be no better than the best one known.

    The threshold travels with the value. Ours: as in ADOPT, an agent that is told to end goes on until its own bounds
    meet for the values that it was told, so that the values that stand at the end are those the bounds speak of; and
    contexts carry no numbers of their age, since channels keep the order of messages.

    References
    ----------
    .. [1] Yeoh, Felner and Koenig (2010), Journal of Artificial Intelligence Research 38, 85-133.
    """

    def start(self) -> Iterator[Called]:
        """Begin without a limit."""
        self.limit = inf
        yield from super().start()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Read everything, then act once."""
        if self.ended:
            return
        for letter in mail:
            if letter.kind == "value" and not self.ending:
                self.learn({letter.sender: letter.data[0]})
                if letter.sender == self.parent:
                    self.limit = read(letter.data[1])
            elif letter.kind == "cost":
                self.hear_cost(letter)
            elif letter.kind == "terminate":
                self.ending, self.limit = True, inf
                self.learn(dict(letter.data))
        yield from self.act()

    def closer(self, bound: Bound, low: float, high: float, said_for: Context) -> Bound:
        """Return what is known of a child after what it said: bounds only get closer."""
        return [max(low, bound[0]), min(high, bound[1]), 0.0, {**bound[3], **said_for}]

    def act(self) -> Iterator[Called]:
        """Go on to the most promising value where the own one cannot win any more, and tell everyone."""
        own, lows, highs = self.estimate()
        low, high = min(lows.values()), min(highs.values())
        limit = min(self.limit, high)
        done = low >= high and (self.ending or self.parent is None)
        if done:
            self.value = min(self.domain, key=highs.__getitem__)
        elif lows[self.value] >= limit:
            self.value = min(self.domain, key=lows.__getitem__)
        yield self.assign(self.variable, self.value)
        yield from self.tell(limit, own[self.value])
        if done:
            yield from self.end(low)
        elif self.parent is not None:
            yield self.send(self.parent, "cost", (tuple(self.context.items()), written(low), written(high)))

    def tell(self, limit: float, own: float) -> Iterator[Called]:
        """Tell the value to all below; children hear what they may cost beside it."""
        lows = {child: self.bounds[self.value, child][0] for child in self.children}
        for child in self.children:
            others = own + sum(low for other, low in lows.items() if other != child)
            yield self.send(child, "value", (self.value, None if limit == inf else written(limit - others)))
        pseudo: Any = tuple(agent for agent in self.below if agent not in self.children)
        if pseudo:
            yield self.send(pseudo, "value", (self.value, None))
