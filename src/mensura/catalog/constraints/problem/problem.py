"""Problem: variables with domains, agents that hold them, and constraints among them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Any, Literal

import numpy as np

from mensura.catalog.constraints.problem.constraint import Constraint, check_domains, shape_of
from mensura.errors import BadData

Objective = Literal["satisfy", "min", "max"]


@dataclass(frozen=True, eq=False)
class Problem:
    """What agents have to agree on. Two are equal if all is but notes and places, which not every format holds.

    Costs that only forbid become a table that allows and forbids, and without costs the objective is to satisfy: the
    same problem has one form, however it was written.
    """

    name: str
    objective: Objective
    domains: Mapping[str, tuple[Any, ...]]
    variables: Mapping[str, str]
    """Each variable's domain."""
    agents: Mapping[str, tuple[str, ...]]
    """Each agent's variables."""
    constraints: tuple[Constraint, ...]
    place: Mapping[str, tuple[float, float]] | None = None
    """Where variables are drawn."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """How it was made: family, parameters, links per variable ..."""

    def __post_init__(self) -> None:
        check_domains(self.domains)
        for variable, domain in self.variables.items():
            if domain not in self.domains:
                raise BadData(f"The variable {variable!r} has the unknown domain {domain!r}.")
        self._check_agents()
        sizes = {variable: len(values) for variable, values in self.values.items()}
        for constraint in self.constraints:
            scope = constraint.scope
            # The common case is looked at in one line: a thousand agents have thousands of constraints.
            if len(set(scope)) < len(scope) or constraint.table.shape != tuple(sizes.get(name) for name in scope):
                shape = shape_of(scope, self.values)
                raise BadData(f"The table on {', '.join(scope)} is {constraint.table.shape}, not {shape}.")
            if self.objective == "satisfy" and not constraint.hard:
                raise BadData(
                    f"The constraint on {', '.join(scope)} has costs; say whether the objective is min or max."
                )
            for agent in constraint.known_to or ():
                if agent not in self.agents:
                    raise BadData(f"The constraint on {', '.join(scope)} is known to the unknown agent {agent!r}.")
        if not all(constraint.hard for constraint in self.constraints):
            object.__setattr__(self, "constraints", tuple(map(self._hardened, self.constraints)))
        if all(constraint.hard for constraint in self.constraints):
            object.__setattr__(self, "objective", "satisfy")

    def _hardened(self, constraint: Constraint) -> Constraint:
        if constraint.hard:
            return constraint
        table, forbidden = constraint.table, np.isinf(constraint.table)
        if (table == -self.worst).any():
            raise BadData(f"A cost of the constraint on {', '.join(constraint.scope)} is better than everything.")
        free = forbidden.any() and not table[~forbidden].any()
        return replace(constraint, table=~forbidden) if free else constraint

    def _check_agents(self) -> None:
        owners: dict[str, str] = {}
        for agent, variables in self.agents.items():
            for variable in variables:
                if variable not in self.variables:
                    raise BadData(f"The agent {agent!r} holds the unknown variable {variable!r}.")
                if variable in owners:
                    raise BadData(f"The variable {variable!r} is held by {owners[variable]!r} and by {agent!r}.")
                owners[variable] = agent
        for variable in self.variables:
            if variable not in owners:
                raise BadData(f"The variable {variable!r} is held by no agent.")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problem):
            return NotImplemented
        return all(
            getattr(self, part) == getattr(other, part)
            for part in ("name", "objective", "domains", "variables", "agents", "constraints")
        )

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Problem":
        """Read it from plain data, as our JSON files hold it."""
        from mensura.catalog.constraints.problem.plain import read_problem

        return read_problem(data)

    def data(self) -> dict[str, Any]:
        """Return it as plain data."""
        from mensura.catalog.constraints.problem.plain import data_of

        return data_of(self)

    @cached_property
    def values(self) -> dict[str, tuple[Any, ...]]:
        """The values of each variable."""
        return {variable: self.domains[domain] for variable, domain in self.variables.items()}

    @cached_property
    def positions(self) -> dict[str, dict[Any, int]]:
        """Where each value of each variable stands in its domain."""
        known = {name: {value: i for i, value in enumerate(values)} for name, values in self.domains.items()}
        return {variable: known[domain] for variable, domain in self.variables.items()}

    @cached_property
    def owner(self) -> dict[str, str]:
        """The agent that holds each variable."""
        return {variable: agent for agent, variables in self.agents.items() for variable in variables}

    @cached_property
    def graph(self) -> dict[str, tuple[str, ...]]:
        """The agents that share a constraint with each agent, in the order of the agents."""
        rank = {agent: i for i, agent in enumerate(self.agents)}
        near: dict[str, set[str]] = {agent: set() for agent in self.agents}
        for constraint in self.constraints:
            agents = {self.owner[variable] for variable in constraint.scope}
            if len(agents) > 1:
                for agent in agents:
                    near[agent] |= agents
        return {agent: tuple(sorted(found - {agent}, key=rank.__getitem__)) for agent, found in near.items()}

    @property
    def worst(self) -> float:
        """What a forbidden assignment costs: minus infinity where the sum is to be large."""
        return -inf if self.objective == "max" else inf

    @cached_property
    def links(self) -> int:
        """Pairs of agents that share a constraint."""
        return sum(len(near) for near in self.graph.values()) // 2

    @cached_property
    def components(self) -> int:
        """How many parts there are that share no constraint with one another."""
        left, parts = dict.fromkeys(self.graph), 0
        while left:
            parts, reached = parts + 1, [left.popitem()[0]]
            while reached:
                near = [agent for agent in self.graph[reached.pop()] if agent in left]
                reached += near
                for agent in near:
                    del left[agent]
        return parts

    def neighbours(self, agent: str) -> tuple[str, ...]:
        """Return the agents that share a constraint with this one."""
        return self.graph[agent]

    def at(self, constraint: Constraint, assignment: Mapping[str, Any]) -> Any:
        """Return the cell of a constraint's table at an assignment."""
        return constraint.table[tuple(self.positions[name][assignment[name]] for name in constraint.scope)]

    def cost(self, assignment: Mapping[str, Any]) -> float:
        """Return the sum of all costs; infinite where something forbidden is assigned.

        In a problem that is only to be satisfied it is the number of violated constraints.
        """
        if self.objective == "satisfy":
            return float(len(self.violated(assignment)))
        cells = ((constraint.hard, self.at(constraint, assignment)) for constraint in self.constraints)
        return float(sum((0.0 if cell else self.worst) if hard else cell for hard, cell in cells))

    def violated(self, assignment: Mapping[str, Any]) -> list[Constraint]:
        """Return the constraints that an assignment violates."""
        cells = ((constraint, self.at(constraint, assignment)) for constraint in self.constraints)
        return [constraint for constraint, cell in cells if (not cell if constraint.hard else np.isinf(cell))]
