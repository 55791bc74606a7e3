"""Synchronous branch and bound (Hirayama and Yokoo 1997): one agent at a time extends the assignment, or prunes it."""

from collections.abc import Iterator, Sequence
from math import inf

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.optimising.ordered_agent import OrderedAgent, Pairs, read, written
from mensura.catalog.constraints.mail.letter import Letter


class SyncBb(OrderedAgent):
    """Tries its values one after the other as long as the cost so far stays below that of the best assignment.

    References
    ----------
    .. [1] Hirayama and Yokoo (1997), Principles and Practice of Constraint Programming, 222-236.
    """

    needs = frozenset({"one variable", "single delivery", "shared constraints"})
    complete = True

    def start(self) -> Iterator[Called]:
        """Let the first agent begin."""
        self.take_place()
        self.given: Pairs = ()
        self.spent, self.next = 0.0, 0
        self.best = inf
        self.found: Pairs = ()
        if self.before is None:
            yield from self.extend()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Begin with the first value where the assignment comes from before, go on where it comes back."""
        for letter in mail:
            if letter.kind == "end":
                self.found = letter.data
                yield from self.end()
                continue
            self.best, self.found = read(letter.data[0]), letter.data[1]
            if letter.kind == "forward":
                self.given, self.spent, self.next = letter.data[2], letter.data[3], 0
            yield from self.extend()

    def extend(self) -> Iterator[Called]:
        """Pass the assignment on with the next value that may still win; where none is left, pass it back."""
        while self.next < len(self.domain):
            value = self.domain[self.next]
            self.next += 1
            spent = self.spent + self.added(value, dict(self.given))
            if spent >= self.best:
                continue
            yield self.assign(self.variable, value)
            assignment = (*self.given, (self.name, value))
            if self.later:
                yield self.send(self.later[0], "forward", (written(self.best), self.found, assignment, spent))
                return
            self.best, self.found = spent, assignment
        if self.before is not None:
            yield self.send(self.before, "back", (written(self.best), self.found))
        elif self.best == inf:
            yield self.stop("unsolvable")
        else:
            yield from self.end()

    def end(self) -> Iterator[Called]:
        """Take the best value, and let the others do so one after the other."""
        yield self.assign(self.variable, dict(self.found)[self.name])
        yield self.send(self.later[0], "end", self.found) if self.later else self.stop("optimal")
