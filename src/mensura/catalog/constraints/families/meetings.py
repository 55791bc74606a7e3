"""Meeting scheduling: people who attend several meetings agree on when each is held."""

import numpy as np

from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter


def meetings(
    rng: np.random.Generator, *, n: int = 8, count: int = 6, attend: int = 3, slots: int = 6, most: int = 10
) -> Problem:
    """Schedule so many meetings of n people, each attended by `attend` of them, at the least cost.

    Each person is an agent with a variable for each of their meetings: the time slot. All who attend one agree on it,
    nobody is in two meetings at once, and every slot costs a person a whole number from 0 to `most` that only they
    know. (Private events as variables: Maheswaran et al. 2004, AAMAS, 310-317.)
    """
    if n < 1 or slots < 1 or most < 0 or not 1 <= attend <= n:
        raise BadParameter(
            f"Meetings need people, slots and 1 to n attendants; got n={n}, {slots=}, {attend=}, {most=}."
        )
    if count * attend < n:
        raise BadParameter(f"{count} meetings of {attend} have no room for {n} people, who attend at least one each.")
    attended = _draw(rng, n=n, count=count, attend=attend)
    held = {f"x{i}": [f"x{i}m{j}" for j in range(count) if i in attended[j]] for i in range(n)}
    same, differ = np.eye(slots, dtype=bool), ~np.eye(slots, dtype=bool)
    constraints = []
    for variables in held.values():
        constraints += [Constraint((name,), rng.integers(0, most + 1, size=slots).astype(float)) for name in variables]
        constraints += [Constraint((a, b), differ) for i, a in enumerate(variables) for b in variables[i + 1 :]]
    for j, people in enumerate(attended):
        names = [f"x{i}m{j}" for i in people]
        constraints += [Constraint((a, b), same) for i, a in enumerate(names) for b in names[i + 1 :]]
    variables = [name for names in held.values() for name in names]
    return Problem(
        name="meetings",
        objective="min",
        domains={"slots": tuple(range(slots))},
        variables=dict.fromkeys(variables, "slots"),
        agents={agent: tuple(names) for agent, names in held.items()},
        constraints=tuple(constraints),
        notes={"links_per_variable": sum(len(one.scope) > 1 for one in constraints) / len(variables)},
    )


def _draw(rng: np.random.Generator, *, n: int, count: int, attend: int) -> list[list[int]]:
    """Draw who attends what: everyone is dealt out once before anyone is drawn again."""
    dealt = rng.permutation(n).tolist()
    attended: list[list[int]] = []
    for _ in range(count):
        people, dealt = dealt[:attend], dealt[attend:]
        others = [person for person in range(n) if person not in people]
        more = rng.choice(others, size=attend - len(people), replace=False).tolist() if others else []
        attended.append(sorted(people + more))
    return attended
