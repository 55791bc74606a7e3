"""Synchronous backtracking: one agent at a time extends the partial assignment that is passed along the order."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Agent, Called
from mensura.catalog.constraints.mail.letter import Letter


class SyncBt(Agent):
    """Tries its values one after the other against those before it, and passes the assignment on or back.

    References
    ----------
    .. [1] Yokoo, Durfee, Ishida and Kuwabara (1998), IEEE Transactions on Knowledge and Data Engineering 10, 673-685.
    """

    needs = frozenset({"one variable", "satisfaction", "single delivery", "shared constraints"})
    complete = True

    def start(self) -> Iterator[Called]:
        """Let the first agent begin."""
        order = sorted(self.ranks, key=self.ranks.__getitem__)
        self.before = order[self.rank - 1] if self.rank else None
        self.after = order[self.rank + 1] if self.rank + 1 < len(order) else None
        self.mine = self.constraints_above()
        self.given: dict[str, Any] = {}
        self.next = 0
        if self.before is None:
            yield from self.extend()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Begin with the first value where the assignment comes from before, go on where it comes back."""
        for letter in mail:
            if letter.kind == "forward":
                self.given, self.next = dict(letter.data), 0
            yield from self.extend()

    def extend(self) -> Iterator[Called]:
        """Take the next value that fits and pass the assignment on; where none is left, pass it back."""
        while self.next < len(self.domain):
            value = self.domain[self.next]
            self.next += 1
            if self.fits(value):
                yield self.assign(self.variable, value)
                if self.after is None:
                    yield self.stop("solved")
                else:
                    yield self.send(self.after, "forward", (*self.given.items(), (self.name, value)))
                return
        if self.before is None:
            yield self.stop("unsolvable")
        else:
            yield self.send(self.before, "back")

    def fits(self, value: Any) -> bool:
        """Check a value against those before, the first of them first."""
        return all(relation.allows(value, *map(self.given.__getitem__, agents)) for relation, agents in self.mine)
