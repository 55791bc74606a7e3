"""Asynchronous search with aggregations: agents propose sets of values, any of which would do."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.abt import UNKNOWN, Abt, Nogood
from mensura.catalog.constraints.mail.letter import Letter

Values = tuple[Any, ...]


class Aas(Abt):
    """Proposes all values that go with every value that those above propose; where there are none, asks them for less.

    When all is quiet, any choice from the proposals is a solution: they are a product of sets. A nogood says of sets
    that none of their values go together. Ours: in the paper [1]_ agents hold constraints, and all that share a
    variable may change its set; here only its own agent does, and those below ask it to narrow the set.

    References
    ----------
    .. [1] Silaghi, Sam-Haroud and Faltings (2000), National Conference on Artificial Intelligence (AAAI), 917-922.
    """

    needs = frozenset({"one variable", "satisfaction", "binary", "ordered channels", "shared constraints"})

    def begin_search(self) -> Iterator[Called]:
        """Propose the whole domain while nothing is known of others."""
        self.held: Values = ()
        self.asked: dict[str, tuple[Values, Values]] = {}
        yield from super().begin_search()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Read all letters in their order, then see whether the proposal still goes with those above."""
        for letter in mail:
            if letter.kind == "ok":
                # Whatever was asked of it was asked of an earlier proposal.
                self.asked.pop(letter.sender, None)
                self.hear_value(letter)
            elif letter.kind == "nogood":
                yield from self.hear_nogood(letter)
            elif letter.kind == "narrow":
                yield from self.narrow(letter)
            else:
                self.below[letter.sender] = self.lasting
                yield from self.tell(letter.sender)
        if self.held:
            kept = [value for value in self.held if self.conflict(value) is None]
            yield from self.propose(kept) if kept else self.choose()
        self.keep_count(nogoods=len(self.reasons), links=self.added)

    def narrow(self, letter: Letter) -> Iterator[Called]:
        """Propose less, as one below asks who saw what is proposed now."""
        seen, wanted = letter.data
        if seen != self.held:
            self.set_aside(letter)
            return
        yield from self.hold(wanted)

    def hear_nogood(self, letter: Letter) -> Iterator[Called]:
        """Give up all values of the proposal where a nogood still holds."""
        nogood: dict[str, Values] = dict(letter.data)
        if nogood.pop(self.name) != self.held:
            self.set_aside(letter)
            return
        if any(agent in self.linked and self.view.get(agent, UNKNOWN) != held for agent, held in nogood.items()):
            self.set_aside(letter)
            yield from self.tell(letter.sender)
            return
        for agent, held in nogood.items():
            if agent not in self.linked:
                self.see(agent, held)
                yield from self.link(agent)
        self.reasons |= dict.fromkeys(self.held, tuple(nogood.items()))
        yield from self.choose()

    def choose(self) -> Iterator[Called]:
        """Propose values that nothing speaks against; where there are none, send up why, and try again."""
        self.held = ()
        while True:
            for value in self.domain:
                if value not in self.reasons and (why := self.conflict(value)) is not None:
                    self.reasons[value] = why
            free = [value for value in self.domain if value not in self.reasons]
            if free:
                yield from self.propose(free)
                return
            nogood = {agent: held for why in self.reasons.values() for agent, held in why}
            if not nogood:
                yield self.stop("unsolvable")
                return
            lowest = max(nogood, key=self.ranks.__getitem__)
            yield self.send(lowest, "nogood", tuple(sorted(nogood.items(), key=lambda pair: self.ranks[pair[0]])))
            self.forget(lowest)

    def propose(self, values: Sequence[Any]) -> Iterator[Called]:
        """Hold those values that go with all above; or one, and ask those above to propose what goes with it."""
        known = [(relation, agents[0]) for relation, agents in self.mine if agents[0] in self.view]
        fits = {
            value: {agent: tuple(u for u in self.view[agent] if relation.allows(value, u)) for relation, agent in known}
            for value in values
        }
        whole = tuple(value for value in values if all(fits[value][agent] == self.view[agent] for _, agent in known))
        best = max(values, key=lambda value: sum(map(len, fits[value].values())))
        yield from self.hold(whole or (best,))
        for agent, wanted in fits[best].items() if not whole else ():
            if wanted != self.view[agent] and self.asked.get(agent) != (self.view[agent], wanted):
                self.asked[agent] = self.view[agent], wanted
                yield self.send(agent, "narrow", self.asked[agent])

    def hold(self, values: Values) -> Iterator[Called]:
        """Propose a set, and take its first value, unless it is proposed already."""
        if values != self.held:
            self.held = values
            yield self.assign(self.variable, values[0])
            yield from self.taken()

    def tell(self, *agents: str) -> Iterator[Called]:
        """Tell what is proposed."""
        if self.held and agents:
            yield self.send(agents, "ok", self.held)

    def conflict(self, value: Any) -> Nogood | None:
        """Return the first proposal above none of whose values goes with a value."""
        for relation, (agent,) in self.mine:
            held = self.view.get(agent)
            if held is not None and not any(relation.allows(value, theirs) for theirs in held):
                return ((agent, held),)
        return None
