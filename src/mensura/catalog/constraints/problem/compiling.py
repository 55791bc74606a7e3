"""Compiling: a problem whose agents hold several variables, for algorithms that want one each."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

import numpy as np

from mensura.catalog.constraints.problem.constraint import LARGEST, Constraint
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadData

MOST = 10_000
"""Values of the largest product domain."""


@dataclass(frozen=True)
class Compiled:
    """A problem with one variable for each agent, and the way back to the one it was made from."""

    problem: Problem
    original: Problem
    meaning: Mapping[str, tuple[dict[str, Any], ...]]
    """For each variable what its values stand for."""
    owner: Mapping[str, str]
    """For each agent the one it stands for: messages between two of the same owner stay in one house."""

    def expand(self, assignment: Mapping[str, Any]) -> dict[str, Any]:
        """Return an assignment of the original variables."""
        places = self.problem.positions
        found = {
            name: value for new, given in assignment.items() for name, value in self._held(new, places[new][given])
        }
        return {name: found[name] for name in self.original.variables if name in found}

    def _held(self, variable: str, place: int) -> list[tuple[str, Any]]:
        return list(self.meaning[variable][place].items())


def virtual_agents(problem: Problem) -> Compiled:
    """Make every variable an agent of its own, which stands for the one that holds it."""
    agents = {name: (name,) for name in problem.variables}
    constraints = tuple(
        Constraint(one.scope, one.table, tuple(v for a in one.known_to for v in problem.agents[a] if v in one.scope))
        if one.known_to is not None
        else one
        for one in problem.constraints
    )
    made = Problem(
        problem.name,
        problem.objective,
        problem.domains,
        problem.variables,
        agents,
        constraints,
        problem.place,
        problem.notes,
    )
    meaning = {name: tuple({name: value} for value in values) for name, values in problem.values.items()}
    return Compiled(made, problem, meaning, problem.owner)


def product_domain(problem: Problem) -> Compiled:
    """Make of each agent's variables one, whose values are the assignments that its own constraints allow.

    What constraints within one agent cost becomes the cost of its values. All constraints between the same agents
    become one table.
    """
    inside: dict[str, list[Constraint]] = {agent: [] for agent in problem.agents}
    between: dict[tuple[tuple[str, ...], tuple[str, ...] | None], list[Constraint]] = {}
    for one in problem.constraints:
        agents = tuple(dict.fromkeys(problem.owner[name] for name in one.scope))
        if len(agents) == 1:
            inside[agents[0]].append(one)
        else:
            between.setdefault((tuple(sorted(agents, key=list(problem.agents).index)), one.known_to), []).append(one)
    meaning = {agent: _choices(problem, agent, inside[agent]) for agent in problem.agents if problem.agents[agent]}
    constraints = [_own(problem, agent, meaning[agent], inside[agent]) for agent in meaning]
    constraints += [_joint(problem, agents, known, held, meaning) for (agents, known), held in between.items()]
    made = Problem(
        name=problem.name,
        objective=problem.objective,
        domains={agent: tuple(range(len(choices))) for agent, choices in meaning.items()},
        variables={agent: agent for agent in meaning},
        agents={agent: (agent,) for agent in meaning},
        constraints=tuple(one for one in constraints if one is not None),
        notes=problem.notes,
    )
    return Compiled(made, problem, meaning, {agent: agent for agent in meaning})


def _choices(problem: Problem, agent: str, inside: list[Constraint]) -> tuple[dict[str, Any], ...]:
    names = problem.agents[agent]
    size = prod(len(problem.values[name]) for name in names)
    if size > MOST:
        raise BadData(
            f"The agent {agent} would have {size:,} values, more than {MOST:,}; use virtual agents for its variables."
        )
    all_of = [dict(zip(names, values, strict=True)) for values in product(*(problem.values[name] for name in names))]
    free = tuple(one for one in all_of if not any(_forbids(problem, constraint, one) for constraint in inside))
    # An agent that cannot keep its own constraints keeps its values, all of them forbidden by `_own`.
    return free or tuple(all_of)


def _forbids(problem: Problem, constraint: Constraint, assignment: Mapping[str, Any]) -> bool:
    cell = problem.at(constraint, assignment)
    return bool(not cell if constraint.hard else np.isinf(cell))


def _own(
    problem: Problem, agent: str, choices: tuple[dict[str, Any], ...], inside: list[Constraint]
) -> Constraint | None:
    if any(_forbids(problem, one, choices[0]) for one in inside):
        return Constraint((agent,), np.zeros(len(choices), dtype=bool))
    soft = [one for one in inside if not one.hard]
    if not soft:
        return None
    return Constraint((agent,), np.array([sum(problem.at(one, choice) for one in soft) for choice in choices]))


def _joint(
    problem: Problem,
    agents: tuple[str, ...],
    known: tuple[str, ...] | None,
    held: list[Constraint],
    meaning: Mapping[str, tuple[dict[str, Any], ...]],
) -> Constraint:
    shape = tuple(len(meaning[agent]) for agent in agents)
    if prod(shape) > LARGEST:
        raise BadData(f"A table between {', '.join(agents)} would have {prod(shape):,} cells, more than {LARGEST:,}.")
    table: np.ndarray[Any, Any] = np.ones(shape, dtype=bool) if all(one.hard for one in held) else np.zeros(shape)
    for one in held:
        places = []
        for name in one.scope:
            axis = agents.index(problem.owner[name])
            at = np.array([problem.positions[name][choice[name]] for choice in meaning[agents[axis]]])
            places.append(at.reshape([-1 if i == axis else 1 for i in range(len(agents))]))
        cells = one.table[tuple(places)]
        if table.dtype == bool:
            table = table & cells
        else:
            table = table + (np.where(cells, 0.0, problem.worst) if one.hard else cells)
    return Constraint(agents, table, known)
