"""Asynchronous forward bounding (Gershman and others 2009): those to come say early what they will cost at least."""

from collections.abc import Iterator, Sequence
from math import inf

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.optimising.ordered_agent import OrderedAgent, Pairs, read, written
from mensura.catalog.constraints.mail.letter import Letter

Stamp = tuple[int, ...]
"""For each agent of a partial assignment, how often it has taken a value: the later of two has the larger one."""


class Afb(OrderedAgent):
    """Extends the assignment, and leaves a value at once where estimates of later agents show that it cannot win.

    A partial assignment that an earlier agent has left since is known by its stamp, and set aside.

    References
    ----------
    .. [1] Gershman, Meisels and Zivan (2009), Journal of Artificial Intelligence Research 34, 61-88.
    """

    needs = frozenset({"one variable", "shared constraints"})
    complete = True

    def start(self) -> Iterator[Called]:
        """Let the first agent begin."""
        self.take_place()
        self.given: Pairs = ()
        self.stamp: Stamp = ()
        self.newest: Stamp = ()
        self.spent, self.own, self.next, self.taken = 0.0, 0.0, 0, 0
        self.estimates: dict[str, float] = {}
        self.best = inf
        self.found: Pairs = ()
        self.ended = False
        if self.before is None:
            yield from self.extend()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Read letters in their order."""
        for letter in mail:
            if self.ended:
                return
            if letter.kind in ("solution", "end"):
                self.improve(*letter.data)
            if letter.kind == "end":
                yield from self.end()
            elif letter.kind == "solution":
                if self.value is not None and self.hopeless():
                    yield from self.extend()
            elif self.is_old(letter):
                self.set_aside(letter)
            else:
                yield from getattr(self, letter.kind)(letter)

    def is_old(self, letter: Letter) -> bool:
        """Say whether a letter is about an assignment that has been left; note the newest one."""
        stamp: Stamp = letter.data[0]
        if letter.kind in ("back", "estimate"):
            return self.value is None or stamp != (*self.stamp, self.taken)
        if stamp < self.newest[: len(stamp)]:
            return True
        if stamp > self.newest:
            self.newest = stamp
        return False

    def forward(self, letter: Letter) -> Iterator[Called]:
        """Take the assignment over, and begin with the first value."""
        self.stamp, self.given, self.spent, best, found = letter.data
        self.improve(best, found)
        self.next = 0
        yield from self.extend()

    def back(self, letter: Letter) -> Iterator[Called]:
        """Go on to the next value."""
        self.improve(*letter.data[1:])
        yield from self.extend()

    def ask(self, letter: Letter) -> Iterator[Called]:
        """Tell an earlier agent what this one will cost at least."""
        stamp, given = letter.data
        least = min(self.added(value, dict(given)) for value in self.domain)
        yield self.send(letter.sender, "estimate", (stamp, written(least)))

    def estimate(self, letter: Letter) -> Iterator[Called]:
        """Add an estimate up; leave the value where it cannot win any more."""
        self.estimates[letter.sender] = read(letter.data[1])
        if self.hopeless():
            yield from self.extend()

    def hopeless(self) -> bool:
        """Say whether the assignment with the own value cannot be better than the best one."""
        return self.spent + self.own + sum(self.estimates.values()) >= self.best

    def improve(self, best: float | None, found: Pairs) -> None:
        """Note a better assignment."""
        if read(best) < self.best:
            self.best, self.found = read(best), found

    def extend(self) -> Iterator[Called]:
        """Take the next value that may still win, pass the assignment on, and ask all later agents; or pass it back."""
        while self.next < len(self.domain):
            value = self.domain[self.next]
            self.next += 1
            self.own = self.added(value, dict(self.given))
            if self.spent + self.own >= self.best:
                continue
            self.taken += 1
            self.estimates = {}
            yield self.assign(self.variable, value)
            stamp, given = (*self.stamp, self.taken), (*self.given, (self.name, value))
            self.newest = max(self.newest, stamp)
            if self.later:
                data = (stamp, given, self.spent + self.own, written(self.best), self.found)
                yield self.send(self.later[0], "forward", data)
                yield self.send(self.later, "ask", (stamp, given))
                return
            self.improve(self.spent + self.own, given)
            others = tuple(agent for agent in self.ranks if agent != self.name)
            if others:
                yield self.send(others, "solution", (self.best, self.found))
        self.value = None
        if self.before is not None:
            yield self.send(self.before, "back", (self.stamp, written(self.best), self.found))
        elif self.best == inf:
            yield self.stop("unsolvable")
        else:
            if self.later:
                yield self.send(self.later, "end", (self.best, self.found))
            yield from self.end()

    def end(self) -> Iterator[Called]:
        """Take the best value for good."""
        self.ended = True
        yield self.assign(self.variable, dict(self.found)[self.name])
