"""Weak-commitment search of agents with several variables: each solves its own part before it says anything."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mensura.catalog.constraints.agent import Agent, Called
from mensura.catalog.constraints.algorithms.awcs import Awcs
from mensura.catalog.constraints.mail.letter import Letter
from mensura.catalog.constraints.mail.share import AgentShare

MOST_TURNS = 10_000
"""How often the variables of one agent write to one another before it says what it has; then others may have moved."""


class _Ranks(Mapping[str, Any]):
    """The order of variables: that of their agents, then by name."""

    def __init__(self, agents: Mapping[str, int], owners: Mapping[str, str]) -> None:
        self.agents, self.owners = agents, owners

    def __getitem__(self, variable: str) -> tuple[int, str]:
        return self.agents[self.owners[variable]], variable

    def __iter__(self) -> Iterator[str]:
        return iter(self.owners)

    def __len__(self) -> int:
        return len(self.owners)


class MultiAwcs(Agent):
    """Holds a weak-commitment search for each of its variables, which write to one another at no cost of messages.

    What they tell variables of others waits until they have nothing to tell one another, so that an agent only speaks
    of values that its own constraints allow, where it finds some. Run it with `--several as-is`. Ours: the paper
    searches an agent's variables one after the other, in the order of their priorities, where here they write to one
    another.

    Parameters
    ----------
    most
        How many nogoods each variable keeps, the oldest forgotten first: not all can then be proved. 0: all of them.

    References
    ----------
    .. [1] Yokoo and Hirayama (1998), International Conference on Multi-Agent Systems, 372-379.
    """

    needs = frozenset({"satisfaction", "ordered channels", "shared constraints"})
    complete = True

    def __init__(self, most: int = 0) -> None:
        self.most = int(most)

    def start(self) -> Iterator[Called]:
        """Start the search of each variable."""
        self.whose = dict(self.owners)
        self.inner: dict[str, Awcs] = {}
        self.inside: list[tuple[str, Letter]] = []
        calls: list[tuple[str, Called]] = []
        for variable in self.variables:
            one = self.inner[variable] = Awcs(most=self.most)
            one.begin(self.rng, variable)
            one.adopt_share(self.share_of(variable), self._effort)
            calls += [(variable, call) for call in one.first_calls()]
        yield from self.settle(calls)

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Hand letters to the variables that they are for."""
        for letter in mail:
            sender, readers, data, owners = letter.data
            self.whose.update(owners)
            self.inside += [(reader, Letter(sender, letter.kind, data)) for reader in readers]
        yield from self.settle([])

    def settle(self, calls: list[tuple[str, Called]]) -> Iterator[Called]:
        """Let the own variables come to rest among themselves, then tell the others."""
        rest: list[tuple[str, Called]] = []
        self.sort(calls, rest)
        for _ in range(MOST_TURNS):
            if not self.inside or any(call[0] == "stop" for _, call in rest):
                break
            mail, self.inside = self.inside, []
            for variable, one in self.inner.items():
                letters = [letter for reader, letter in mail if reader == variable]
                if letters:
                    self.sort([(variable, call) for call in one.receive(letters)], rest)
        for variable, one in self.inner.items():
            yield self.assign(variable, one.value)
        yield from (call for _, call in rest)
        nogoods = sum(len(one.nogoods) for one in self.inner.values())
        links = sum(len(one.known) - len(one.neighbours) for one in self.inner.values())
        self.keep_count(nogoods=nogoods, links=links)

    def sort(self, calls: list[tuple[str, Called]], rest: list[tuple[str, Called]]) -> None:
        """Keep letters among own variables inside, and address those to others' variables to their agents."""
        for variable, call in calls:
            if call[0] == "stop":
                rest.append((variable, call))
            elif call[0] == "send":
                _, to, kind, data, _ = call
                readers = (to,) if isinstance(to, str) else tuple(to)
                self.inside += [(one, Letter(variable, kind, data)) for one in readers if one in self.inner]
                for agent in dict.fromkeys(self.whose[one] for one in readers if one not in self.inner):
                    theirs = tuple(one for one in readers if self.whose[one] == agent)
                    named = {variable: self.name} | (
                        {one: self.whose[one] for one, _, _ in data} if kind == "nogood" else {}
                    )
                    rest.append((variable, self.send(agent, kind, (variable, theirs, data, named))))

    def share_of(self, variable: str) -> AgentShare:
        """Return the share of one variable, as if it were an agent."""
        relations = []
        for scope, table in self._share.relations:
            if variable in scope:
                place = scope.index(variable)
                order = [place, *(at for at in range(len(scope)) if at != place)]
                relations.append((tuple(scope[at] for at in order), table.transpose(order)))
        near = tuple(dict.fromkeys(name for scope, _ in relations for name in scope if name != variable))
        return replace(
            self._share,
            agent=variable,
            variables=(variable,),
            owners={name: name for name in self.domains},
            neighbours=near,
            relations=tuple(relations),
            ranks=_Ranks(self.ranks, self.whose),
        )
