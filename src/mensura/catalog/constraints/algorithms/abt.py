"""Asynchronous backtracking, as the kernel of Bessière and others (2005) has it."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Agent, Called
from mensura.catalog.constraints.mail.letter import Letter

Nogood = tuple[tuple[str, Any], ...]
"""Agents with values that cannot stand together with a value of one's own."""
UNKNOWN = object()
EVER = float("inf")


class Abt(Agent):
    """Keeps one reason for each value it cannot take, and sends their union up where no value is left.

    A higher agent that a nogood names and that is not linked to the reader is asked for a link, which stays for
    `lasting` messages: for ever here, for k in `AbtTemp`. What is known of unlinked agents is forgotten after every
    backtrack.

    References
    ----------
    .. [1] Bessière, Maestre, Brito and Meseguer (2005), Artificial Intelligence 161, 7-24.
    """

    needs = frozenset({"one variable", "satisfaction", "ordered channels", "shared constraints"})
    complete = True
    lasting: float = EVER

    def start(self) -> Iterator[Called]:
        """Take the first value and tell those below."""
        self.linked = {one: EVER for one in self.neighbours if self.ranks[one] < self.rank}
        """Who tells this agent its values, and for how many messages."""
        self.below = {one: EVER for one in self.neighbours if self.ranks[one] > self.rank}
        """Whom this agent tells its values, and for how many messages."""
        yield from self.begin_search()

    def begin_search(self) -> Iterator[Called]:
        """Take the first value while nothing is known of others."""
        self.mine = self.constraints_above()
        self.view: dict[str, Any] = {}
        self.reasons: dict[Any, Nogood] = {}
        self.added = 0
        self.value = UNKNOWN
        yield from self.choose()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Read all letters in their order, then check whether the value still stands."""
        for letter in mail:
            if letter.kind == "ok":
                self.hear_value(letter)
            elif letter.kind == "nogood":
                yield from self.hear_nogood(letter)
            else:
                self.below[letter.sender] = self.lasting
                yield from self.tell(letter.sender)
        if self.value is not UNKNOWN and self.conflict(self.value) is not None:
            yield from self.choose()
        self.keep_count(nogoods=len(self.reasons), links=self.added)

    def hear_value(self, letter: Letter) -> None:
        """Note a value; a link that was to last for so many messages may end with it."""
        self.see(letter.sender, letter.data)
        if letter.sender in self.linked:
            self.linked[letter.sender] -= 1
            if self.linked[letter.sender] <= 0:
                del self.linked[letter.sender]

    def see(self, agent: str, value: Any) -> None:
        """Note another's value, and forget the reasons that rest on another one."""
        self.view[agent] = value
        self.reasons = {own: why for own, why in self.reasons.items() if dict(why).get(agent, value) == value}

    def hear_nogood(self, letter: Letter) -> Iterator[Called]:
        """Take a nogood in where it still holds; otherwise it is obsolete."""
        nogood: dict[str, Any] = dict(letter.data)
        own = nogood.pop(self.name)
        if own != self.value:
            self.set_aside(letter)
            return
        if any(agent in self.linked and self.view.get(agent, UNKNOWN) != value for agent, value in nogood.items()):
            self.set_aside(letter)
            yield from self.tell(letter.sender)
            return
        for agent, value in nogood.items():
            if agent not in self.linked:
                self.see(agent, value)
                yield from self.link(agent)
        self.reasons[own] = tuple(nogood.items())
        self.value = UNKNOWN
        yield from self.choose()

    def link(self, agent: str) -> Iterator[Called]:
        """Ask a higher agent to tell its values from now on."""
        self.linked[agent] = self.lasting
        self.added += 1
        yield self.send(agent, "link")

    def choose(self) -> Iterator[Called]:
        """Take the first value that nothing speaks against; where there is none, send up why, and try again."""
        while True:
            for value in self.domain:
                if value in self.reasons:
                    continue
                why = self.conflict(value)
                if why is None:
                    yield self.assign(self.variable, value)
                    yield from self.taken()
                    return
                self.reasons[value] = why
            nogood = {agent: value for why in self.reasons.values() for agent, value in why}
            if not nogood:
                yield self.stop("unsolvable")
                return
            lowest = max(nogood, key=self.ranks.__getitem__)
            yield self.send(lowest, "nogood", tuple(sorted(nogood.items(), key=lambda pair: self.ranks[pair[0]])))
            self.forget(lowest)

    def taken(self) -> Iterator[Called]:
        """Tell those below that a value was taken."""
        yield from self.tell(*self.below)

    def tell(self, *agents: str) -> Iterator[Called]:
        """Tell some below the value; a link that was to last for so many messages may end with it."""
        if self.value is UNKNOWN or not agents:
            return
        yield self.send(agents, "ok", self.value)
        for agent in agents:
            self.below[agent] = self.below.get(agent, EVER) - 1
            if self.below[agent] <= 0:
                del self.below[agent]

    def forget(self, lowest: str) -> None:
        """Forget the value that a nogood was sent about, those of unlinked agents, and what rests on any of them."""
        gone = {lowest, *(agent for agent in self.view if agent not in self.linked)}
        self.view = {agent: value for agent, value in self.view.items() if agent not in gone}
        self.reasons = {own: why for own, why in self.reasons.items() if not any(agent in gone for agent, _ in why)}

    def conflict(self, value: Any) -> Nogood | None:
        """Check a value against those above, the highest first; returns the first conflict."""
        view = self.view
        for relation, agents in self.mine:
            if all(agent in view for agent in agents):
                theirs = [view[agent] for agent in agents]
                if not relation.allows(value, *theirs):
                    return tuple(zip(agents, theirs, strict=True))
        return None
