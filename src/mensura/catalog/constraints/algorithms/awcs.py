"""Asynchronous weak-commitment search (Yokoo 1995): who finds no value takes precedence over all it knows."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.nogoods import KeptNogoods, Reason
from mensura.catalog.constraints.algorithms.prioritised import Prioritised
from mensura.catalog.constraints.mail.letter import Letter
from mensura.catalog.constraints.relation import bits
from mensura.errors import BadParameter

LEARNING = ("resolvent", "view", "none", "processor")


class Awcs(Prioritised):
    """Keeps what is consistent with those of higher priority; where nothing is, raises its own and starts from there.

    Parameters
    ----------
    learning
        What is sent when no value is left: "resolvent", the union of the shortest reasons against each value [2]_;
        "view", all values of higher agents [1]_; "none", nothing, so that nothing can be proved; "processor",
        resolvents, of which each agent keeps only those that no other one it keeps implies.
    most
        How many nogoods an agent keeps, the oldest forgotten first: not all can then be proved. 0: all of them.

    References
    ----------
    .. [1] Yokoo (1995), Principles and Practice of Constraint Programming, 88-102.
    .. [2] Hirayama and Yokoo (2000), International Conference on Multi-Agent Systems, 169-176.
    """

    needs = frozenset({"one variable", "satisfaction", "ordered channels", "shared constraints"})
    complete = True

    def __init__(self, learning: str = "resolvent", most: int = 0) -> None:
        if learning not in LEARNING:
            raise BadParameter(f"AWCS learns by {', '.join(LEARNING)}; got {learning!r}.")
        self.learning_by, self.most = learning, int(most)

    def start(self) -> Iterator[Called]:
        """Take a random value and tell everyone."""
        self.known = list(self.neighbours)
        self.begin_view()
        self.places = {value: place for place, value in enumerate(self.domains[self.variable])}
        self.alive = sum(1 << self.places[value] for value in self.domain)
        """Values that nothing forbids by itself, as a mask."""
        self.nogoods = KeptNogoods(most=self.most, implied=self.learning_by != "processor")
        self.sent: set[Reason] = set()
        self.wider = [relation for relation in self.relations if len(relation.scope) > 2]
        yield from self.take(int(self.places[self.domain[int(self.rng.integers(len(self.domain)))]]))

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Read everything, then act once."""
        for letter in mail:
            if letter.kind == "ok":
                self.hear(letter.sender, *letter.data)
            elif letter.kind == "nogood":
                yield from self.learn(letter)
            else:
                # A request brings the value of who asks, so that one is enough for both.
                self.hear(letter.sender, *letter.data)
                if letter.sender not in self.known:
                    self.known.append(letter.sender)
                    yield self.send(letter.sender, "ok", (self.value, self.priority))
        yield from self.check()
        self.keep_count(nogoods=len(self.nogoods), links=len(self.known) - len(self.neighbours))

    def learn(self, letter: Letter) -> Iterator[Called]:
        """Keep a nogood, and ask those it names for their values."""
        place = self.places[next(value for agent, value, _ in letter.data if agent == self.name)]
        others = [named for named in letter.data if named[0] != self.name]
        for agent, value, priority in others:
            if agent not in self.known:
                self.known.append(agent)
                if agent not in self.view:
                    self.hear(agent, value, priority)
                yield self.send(agent, "link", (self.value, self.priority))
        if not others:
            self.alive &= ~(1 << place)
        elif not self.nogoods.keep(place, tuple((agent, value) for agent, value, _ in others)):
            self.set_aside(letter)

    def check(self) -> Iterator[Called]:
        """Keep the value if it is consistent with those above, else take another, else raise the priority."""
        above = self.above()
        current = 1 << self.places[self.value]
        if self.alive & current and self.consistent(current, above, {}):
            return
        reasons: dict[int, Reason] = {}
        if free := self.consistent(self.alive, above, reasons):
            yield from self.take(self.least_conflicts(free, self.order[len(above) :]))
            return
        if self.learning_by != "none" or not self.alive:
            nogood = self.nogood(reasons, above) if self.alive else ()
            if not nogood:
                yield self.stop("unsolvable")
                return
            if nogood in self.sent:
                return
            self.sent.add(nogood)
            told = tuple((agent, value, self.view[agent][1]) for agent, value in nogood)
            yield self.send([agent for agent, _ in nogood], "nogood", told)
        self.rise()
        yield from self.take(self.least_conflicts(self.alive, self.order))

    def consistent(self, mask: int, above: Sequence[str], reasons: dict[int, Reason]) -> int:
        """Return which values of a mask nothing above speaks against, and note the shortest reason against others."""
        view, relations = self.view, self._with
        for agent in above:
            if agent in relations:
                theirs = view[agent][0]
                kept = relations[agent].keep(mask, theirs)
                for place in bits(mask ^ kept):
                    reasons[place] = ((agent, theirs),)
                if not (mask := kept):
                    return 0
        seen = {agent: view[agent][0] for agent in above}
        for place in bits(mask):
            if (why := self.forbidden(place, seen)) is not None:
                reasons[place] = why
                mask ^= 1 << place
        return mask

    def forbidden(self, place: int, seen: dict[str, Any]) -> Reason | None:
        """Return the shortest of the wider constraints and learned nogoods that forbid a value among those above."""
        found = []
        for relation in self.wider:
            agents = [self.owners[name] for name in relation.scope[1:]]
            if all(agent in seen for agent in agents):
                theirs = [seen[agent] for agent in agents]
                if not relation.allows(self.domains[self.variable][place], *theirs):
                    found.append(tuple(zip(agents, theirs, strict=True)))
        for nogood in self.nogoods.against(place):
            if all(agent in seen for agent, _ in nogood) and self.check_nogood(nogood, seen):
                found.append(nogood)
        return min(found, key=len) if found else None

    def nogood(self, reasons: dict[int, Reason], above: Sequence[str]) -> Reason:
        """Return what cannot stand together, since it leaves this agent no value."""
        if self.learning_by == "view":
            return tuple((agent, self.view[agent][0]) for agent in above)
        found = {agent: value for place in sorted(reasons) for agent, value in reasons[place]}
        return tuple(sorted(found.items(), key=lambda pair: self.ranks[pair[0]]))

    def take(self, place: int) -> Iterator[Called]:
        """Take a value and tell everyone."""
        yield self.assign(self.variable, self.domains[self.variable][place])
        yield self.send(tuple(self.known), "ok", (self.value, self.priority))
