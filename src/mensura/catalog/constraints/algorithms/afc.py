"""Asynchronous forward checking: one assignment is passed along, and copies of it let all others look ahead."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Agent, Called
from mensura.catalog.constraints.mail.letter import Letter

Partial = tuple[Any, ...]
"""The values of the first agents of the order."""


class Afc(Agent):
    """Extends the current partial assignment when it arrives, and checks copies of it before that.

    An agent that a copy leaves without a value tells all that are not assigned yet which shortest part of it is
    inconsistent; the one of them that holds the assignment next sends it back. Ours: what was once found inconsistent
    is true for ever, so it is kept, and no time stamps decide which message counts; a step counter only spares checks
    of copies that are older than one seen before.

    References
    ----------
    .. [1] Meisels and Zivan (2007), Constraints 12, 131-150.
    """

    needs = frozenset({"one variable", "satisfaction", "single delivery", "shared constraints"})
    complete = True

    def start(self) -> Iterator[Called]:
        """Let the first agent begin."""
        self.order = sorted(self.ranks, key=self.ranks.__getitem__)
        self.mine = [(relation, [self.ranks[one] for one in agents]) for relation, agents in self.constraints_above()]
        self.inconsistent: dict[Partial, None] = {}
        self.seen = -1
        self.step = 0
        self.given: Partial = ()
        self.refuted: set[Any] = set()
        """Values that failed further down under the partial assignment that is given."""
        if self.rank == 0:
            yield from self.extend()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Look at copies and refutations before the assignment itself is extended."""
        for letter in sorted(mail, key=lambda letter: letter.kind in ("cpa", "back")):
            part, step = letter.data
            if letter.kind == "not_ok":
                self.inconsistent[part] = None
            elif letter.kind == "fc":
                yield from self.look_ahead(letter, part, step)
            elif letter.kind == "back":
                yield from self.go_back(letter, part, step)
            else:
                self.given, self.step, self.refuted = part, step, set()
                yield from self.extend()
        self.keep_count(nogoods=len(self.inconsistent))

    def look_ahead(self, letter: Letter, part: Partial, step: int) -> Iterator[Called]:
        """Check a copy; where no value is left, tell those that are not assigned in it."""
        if step <= self.seen or self.known(part) is not None:
            self.set_aside(letter)
            return
        self.seen = step
        free, depth = self.first_free(part, set())
        if free is None:
            bad = part[:depth]
            self.inconsistent[bad] = None
            others = [agent for agent in self.order[len(part) :] if agent != self.name]
            yield self.send(others, "not_ok", (bad, step))

    def go_back(self, letter: Letter, part: Partial, step: int) -> Iterator[Called]:
        """Give up the value that was refuted, and try the next."""
        if part[:-1] != self.given or part[-1] != self.value:
            self.set_aside(letter)
            return
        self.step = step
        self.refuted.add(part[-1])
        yield from self.extend()

    def extend(self) -> Iterator[Called]:
        """Take a value that fits and pass the assignment on, or send it back."""
        bad = self.known(self.given)
        if bad is None:
            value, depth = self.first_free(self.given, self.refuted)
            if value is not None:
                yield from self.pass_on(*value)
                return
            bad = self.given[:depth]
        if not bad:
            yield self.stop("unsolvable")
            return
        yield self.send(self.order[len(bad) - 1], "back", (bad, self.step + 1))

    def pass_on(self, value: Any) -> Iterator[Called]:
        """Send the longer assignment to the next agent and copies to all others behind it."""
        yield self.assign(self.variable, value)
        part, rest = (*self.given, value), self.order[self.rank + 1 :]
        if not rest:
            yield self.stop("solved")
            return
        yield self.send(rest[0], "cpa", (part, self.step + 1))
        if rest[1:]:
            yield self.send(rest[1:], "fc", (part, self.step + 1))

    def known(self, part: Partial) -> Partial | None:
        """Return what is known to be inconsistent of a partial assignment; one check for each length that is known."""
        for length in sorted({len(bad) for bad in self.inconsistent}):
            self.count()
            if length <= len(part) and part[:length] in self.inconsistent:
                return part[:length]
        return None

    def first_free(self, part: Partial, refuted: set[Any]) -> tuple[tuple[Any] | None, int]:
        """Return the first value that fits, or None and how long the shortest part is that leaves none."""
        depth = 0
        for value in self.domain:
            if value in refuted:
                depth = len(part)
                continue
            conflict = self.conflict(value, part)
            if conflict is None:
                return (value,), 0
            depth = max(depth, conflict)
        return None, depth

    def conflict(self, value: Any, part: Partial) -> int | None:
        """Return how long the shortest part is that a value does not fit."""
        for relation, places in self.mine:
            if max(places) < len(part) and not relation.allows(value, *(part[place] for place in places)):
                return max(places) + 1
        return None
