"""Small problems with costs, and what brute force says of them, for tests of optimisers."""

from functools import cache

import numpy as np

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.oracle.brute_force import try_all
from mensura.catalog.constraints.problem.compiling import virtual_agents
from mensura.catalog.constraints.problem.problem import Problem
from tests.catalog.constraints.runs import carry


@cache
def mixed(seed):
    """Draw a small problem with costs and hard constraints on one, two and three; about a third cannot be solved."""
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(2, 7)), int(rng.integers(2, 4))
    tight = (0.15, 0.45, 0.75)[seed % 3]
    names = [f"x{i}" for i in range(n)]
    constraints = []
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            if rng.random() < 0.6:
                rows = [[p, q, int(rng.integers(0, 8))] for p in range(m) for q in range(m)]
                hard = [[p, q] for p in range(m) for q in range(m) if rng.random() < tight]
                constraints.append({"scope": [a, b], "costs": rows, "forbidden": hard})
        if rng.random() < 0.4:
            constraints.append({"scope": [a], "costs": [[p, int(rng.integers(0, 5))] for p in range(m)]})
    if n > 2 and rng.random() < 0.3:
        scope = [names[k] for k in rng.choice(n, size=3, replace=False)]
        rows = [[p, q, r, int(rng.integers(0, 6))] for p in range(m) for q in range(m) for r in range(m)]
        constraints.append({"scope": scope, "costs": rows})
    data = {"domains": {"d": list(range(m))}, "variables": dict.fromkeys(names, "d"), "constraints": constraints}
    return Problem.read({**data, "objective": "min"} if any(c.get("costs") for c in constraints) else data)


_answered = {}
"""By the number of an object: it, itself with one variable for each agent, and what brute force says of that."""


def answered(problem):
    """Return a problem in which each agent has one variable, and what brute force says of it; many agents meet it."""
    if id(problem) not in _answered:
        apart = any(len(held) > 1 for held in problem.agents.values())
        single = virtual_agents(problem).problem if apart else problem
        _answered[id(problem)] = problem, single, try_all(single)
    return _answered[id(problem)][1:]


def check_best(make, problem, seed=1, **terms):
    """Let agents solve a problem, and compare their end with brute force."""
    problem, best = answered(problem)
    mailman, _ = carry(problem, make, seed=seed, **terms)
    claims = [claim for _, claim in mailman.claims]
    if not best.solutions:
        assert "unsolvable" in claims, mailman.over
        return mailman
    assert "unsolvable" not in claims
    assert mailman.over in ("quiet", "stopped"), (mailman.over, mailman.why)
    found = mailman.standing.assignment()
    assert not problem.violated(found)
    cost = 0 if problem.objective == "satisfy" else problem.cost(found)
    assert cost == (best.optimum or 0), (cost, best.optimum)
    return mailman


@cache
def drawn(text, seed):
    """Draw a problem of a family."""
    return find_problem(text, np.random.default_rng(seed))
