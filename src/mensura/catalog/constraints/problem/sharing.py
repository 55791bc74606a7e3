"""Sharing: which agent holds which variables, and which side knows what of a constraint."""

from dataclasses import replace

import numpy as np

from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Problem


def grouped(problem: Problem, per_agent: int) -> Problem:
    """Give every agent so many variables, in their order; the last one may have fewer."""
    names = list(problem.variables)
    groups = [tuple(names[i : i + per_agent]) for i in range(0, len(names), per_agent)]
    return replace(problem, agents={f"x{i}": group for i, group in enumerate(groups)})


def by_sides(problem: Problem, rng: np.random.Generator) -> Problem:
    """Split every constraint among the agents that share it: each knows a part, and only all parts together are it.

    Each forbidden tuple is forbidden by one side, drawn by chance; each cost is one side's.
    """
    constraints: list[Constraint] = []
    for constraint in problem.constraints:
        agents = tuple(dict.fromkeys(problem.owner[name] for name in constraint.scope))
        if len(agents) == 1 or constraint.known_to is not None:
            constraints.append(constraint)
            continue
        side = rng.integers(len(agents), size=constraint.table.shape)
        for i, agent in enumerate(agents):
            free = np.ones_like(constraint.table) if constraint.hard else np.zeros_like(constraint.table)
            constraints.append(Constraint(constraint.scope, np.where(side == i, constraint.table, free), (agent,)))
    return replace(problem, constraints=tuple(constraints))
