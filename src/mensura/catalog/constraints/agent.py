"""Agent: what an algorithm subclasses. It sees its own share of the problem and its letters, and nothing else."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.constraints.families.find import is_private
from mensura.catalog.constraints.mail.letter import Letter
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import AgentShare
from mensura.catalog.constraints.relation import PENALTY, Effort, Relation
from mensura.dialogue import Ask
from mensura.errors import BadParameter

Called = tuple[Any, ...]
"""One call, as the space `Calls` writes it: its name, then its arguments."""


class ConstraintAgent:
    """One agent of an algorithm: write `start` and `receive`, which return (or yield) the calls it makes.

    Attributes
    ----------
    name
        Its own name.
    variables, domains
        Its own variables; the values of these and of its neighbours' variables.
    neighbours
        The agents it shares a constraint with.
    relations
        Its constraints: `relation.scope`, `relation.allows(a, b)`, `relation.cost(a, b)`, own values first.
    rank, ranks
        Its place in the public order of agents, 0 first, and everybody's.
    tree
        Its place in the pseudo-tree.
    rng
        All its chance.
    variable, domain, value
        For agents of one variable: its name, the values that its own constraints allow, and what it last assigned.
    """

    recomputes = True
    learning = False
    needs: ClassVar[frozenset[str]] = frozenset({"one variable"})
    """The needs of the algorithm, as declared by its author.

    Of the problem: "one variable", "binary", "satisfaction", "integers", or "shared constraints", which all that hold a
    variable in them know. Of the network: "ordered channels", or "single delivery", where no message comes twice.
    """
    complete: ClassVar[bool] = False
    """Whether it always ends with the right answer, given time."""

    name: str
    variables: tuple[str, ...]
    domains: Mapping[str, tuple[Any, ...]]
    owners: Mapping[str, str]
    neighbours: tuple[str, ...]
    relations: list[Relation]
    rank: int
    ranks: Mapping[str, int]
    tree: Mapping[str, Any] | None
    variable: str
    domain: tuple[Any, ...]
    value: Any

    def start(self) -> Iterable[Called] | None:
        """Return the first calls."""
        return ()

    def receive(self, mail: Sequence[Letter]) -> Iterable[Called] | None:
        """Read letters and return calls."""
        return ()

    def send(self, to: str | Sequence[str], kind: str, data: Any = None) -> Called:
        """Call: send a message to an agent or to several; it carries the number of checks done before it."""
        return ("send", to, kind, data, self._effort.checks)

    def assign(self, variable: str, value: Any) -> Called:
        """Call: give a variable of one's own a value."""
        self.value = value
        return ("assign", variable, value, self._effort.checks)

    def stop(self, verdict: str) -> Called:
        """Call: end the run with a claim, "solved", "unsolvable" or "optimal", which the mailman checks."""
        return ("stop", verdict, self._effort.checks)

    def relation(self, other: str) -> Relation:
        """Return the constraint with a neighbour of one variable."""
        return self._with[other]

    def constraints_above(self) -> list[tuple[Relation, tuple[str, ...]]]:
        """List the constraints in which this agent has the last rank, with the other agents of each, highest first."""
        pairs = [(one, tuple(self.owners[name] for name in one.scope[1:])) for one in self.relations]
        mine = [pair for pair in pairs if pair[1] and all(self.ranks[agent] < self.rank for agent in pair[1])]
        return sorted(mine, key=lambda pair: max(self.ranks[agent] for agent in pair[1]))

    def check_nogood(self, nogood: Iterable[tuple[str, Any]], values: Mapping[str, Any]) -> bool:
        """Return whether all that a nogood forbids together is the case: one check."""
        self._effort.checks += 1
        return all(values.get(name) == value for name, value in nogood)

    def count(self, checks: int = 1) -> None:
        """Count checks that no relation sees, such as the cells of a table."""
        self._effort.checks += checks

    def set_aside(self, letter: Letter) -> None:
        """Count a letter as obsolete: it says nothing that still holds."""
        self._effort.obsolete += 1

    def keep_count(self, *, nogoods: int | None = None, links: int | None = None) -> None:
        """Note how many nogoods are kept now, or how many links were added so far."""
        self._effort.nogoods = self._effort.nogoods if nogoods is None else nogoods
        self._effort.links = self._effort.links if links is None else links

    @property
    def checks(self) -> int:
        """How many checks it has done since it was woken."""
        return self._effort.checks

    def begin(self, rng: np.random.Generator, role: str) -> None:
        """Begin a session in a role."""
        self.rng, self.name = rng, role

    def __call__(self, ask: Ask) -> list[Called]:
        # In a process of its own an agent is shown the data of the prompt.
        post = ask.prompt if type(ask.prompt) is Post else Post.read(ask.prompt.data())  # type: ignore[union-attr]
        if post.share is not None:
            self.adopt_share(post.share, Effort())
        effort = self._effort
        effort.checks = effort.obsolete = 0
        calls: list[Called] = []
        if post.share is not None:
            calls.extend(self.first_calls())
        if post.letters and self.possible:
            calls.extend(self.receive(post.letters) or ())
        calls.append(("count", effort.checks, effort.obsolete, effort.nogoods, effort.links))
        return calls

    def first_calls(self) -> Iterable[Called]:
        """Start, or stop where the own constraints leave no value."""
        self._narrow()
        return (self.start() or ()) if self.possible else [self.stop("unsolvable")]

    def adopt_share(self, share: AgentShare, effort: Effort) -> None:
        """Take a share of the problem; all that is done with it is counted as this effort."""
        self._effort, self._share = effort, share
        self._require(share)
        self.name, self.variables, self.domains = share.agent, share.variables, share.domains
        self.owners, self.neighbours, self.tree = share.owners, share.neighbours, share.tree
        self.possible = True
        self.ranks, self.rank, self.value = share.ranks, share.ranks[share.agent], None
        sign = -1.0 if share.objective == "max" else 1.0
        forbidden = 1.0 if share.objective == "satisfy" else PENALTY
        self.relations = [
            Relation(scope, table, domains=share.domains, effort=self._effort, sign=sign, forbidden=forbidden)
            for scope, table in share.relations
        ]
        self._with = {share.owners[one.scope[1]]: one for one in self.relations if len(one.scope) == 2}
        if len(self.variables) == 1:
            self.variable = self.variables[0]
            self.domain = self.domains[self.variable]

    def refuse_parameters(
        self, name: str, *, problem: str, channel: str, reordering: float, duplication: float, **others: Any
    ) -> None:
        """Raise a clear message where a network or a problem would make the algorithm end wrong."""
        plain = channel == "plain"
        if "ordered channels" in self.needs and plain and reordering:
            raise BadParameter(
                f"{name} needs messages to arrive in the order in which they were sent, and with --reordering "
                f"{reordering:g} some overtake others. Add --channel acknowledged{self._instead('ordered channels')}"
            )
        if "single delivery" in self.needs and plain and duplication:
            raise BadParameter(
                f"{name} needs every message to arrive once, and with --duplication {duplication:g} some arrive "
                f"twice. Add --channel acknowledged{self._instead('single delivery')}"
            )
        if "shared constraints" in self.needs and is_private(problem):
            raise BadParameter(
                f"{name} needs constraints that all agents in them know, and {problem} has some that only one side "
                f"knows. Take a problem without private constraints{self._instead('shared constraints')}"
            )

    def _instead(self, need: str) -> str:
        """Return the end of a sentence that names the complete algorithms without a need."""
        from mensura.catalog.constraints.subjects import SUBJECTS

        complete: dict[str, Any] = {name: make for name, make in SUBJECTS.items() if getattr(make, "complete", False)}
        # Who only satisfies constraints is of no use in place of one that optimises.
        barred = {need} if "satisfaction" in self.needs else {need, "satisfaction"}
        names = [name for name, make in complete.items() if not barred & make.needs]
        return f", or choose an algorithm without this need, such as {', '.join(names)}." if names else "."

    def _require(self, share: AgentShare) -> None:
        """Refuse in a sentence what the algorithm cannot do."""
        who = type(self).__name__
        if "one variable" in self.needs and len(share.variables) != 1:
            raise BadParameter(
                f"{who} needs agents of one variable, and {share.agent} has {len(share.variables)}: "
                "--several product or --several virtual."
            )
        wide = next((scope for scope, _ in share.relations if len(scope) > 2), None)
        if "binary" in self.needs and wide is not None:
            raise BadParameter(f"{who} needs constraints on two variables, and one is on {', '.join(wide)}.")
        costs = (table[np.isfinite(table)] for _, table in share.relations if "integers" in self.needs)
        if (broken := next((cost for one in costs for cost in one if cost != np.rint(cost)), None)) is not None:
            raise BadParameter(f"{who} needs whole costs, and {share.agent} has one of {broken:g}: scale them up.")
        if "satisfaction" in self.needs and share.objective != "satisfy":
            raise BadParameter(
                f"{who} only satisfies constraints, and costs are to be made {share.objective}imal here: choose an "
                "algorithm that optimises, such as dpop."
            )

    def _narrow(self) -> None:
        """Take values off the domain that no other agent is needed to forbid."""
        if len(self.variables) == 1 and "satisfaction" in self.needs:
            for relation in self.relations:
                if len(relation.scope) == 1:
                    self.domain = tuple(value for value in self.domain if relation.allows(value))
            self.possible = bool(self.domain)


Agent = ConstraintAgent
"""What authors of algorithms call it."""
