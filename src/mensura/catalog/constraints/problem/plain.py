"""Problems as plain data, which is what our JSON files hold."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any

import numpy as np

from mensura.catalog.constraints.problem.constraint import Constraint, check_domains, costing, forbidding
from mensura.catalog.constraints.problem.problem import Objective, Problem
from mensura.errors import BadData

OBJECTIVES = ("satisfy", "min", "max")
KEYS = ("name", "objective", "domains", "variables", "agents", "constraints", "place", "notes")


def read_problem(data: Mapping[str, Any]) -> Problem:
    """Read a problem from plain data, or say in a sentence what is wrong with it.

    Without `agents` each variable is an agent of its own; without costs the problem is to be satisfied.

    >>> problem = read_problem({
    ...     "domains": {"colour": ["red", "blue"]},
    ...     "variables": {"x": "colour", "y": "colour"},
    ...     "constraints": [{"scope": ["x", "y"], "forbidden": [["red", "red"], ["blue", "blue"]]}],
    ... })
    >>> problem.objective, problem.cost({"x": "red", "y": "red"})
    ('satisfy', 1.0)
    """
    if not isinstance(data, Mapping):
        raise BadData(f"A problem is an object with domains, variables and constraints; got {type(data).__name__}.")
    if strange := [key for key in data if key not in KEYS]:
        raise BadData(f"A problem holds {', '.join(KEYS)}; got {strange[0]!r}.")
    domains = {str(name): tuple(values) for name, values in _mapping(data, "domains", list).items()}
    variables = {str(name): str(domain) for name, domain in _mapping(data, "variables", str).items()}
    if not variables:
        raise BadData("The problem has no variables.")
    if lost := next((one for one in variables.items() if one[1] not in domains), None):
        raise BadData(f"The variable {lost[0]!r} has the unknown domain {lost[1]!r}.")
    check_domains(domains)
    held = {str(name): texts(one, f"What {name} holds") for name, one in _mapping(data, "agents", list).items()}
    agents = held or {variable: (variable,) for variable in variables}
    written = data.get("constraints", [])
    if not isinstance(written, Sequence) or not all(isinstance(one, Mapping) for one in written):
        raise BadData("Constraints are a list of objects with a scope and forbidden tuples or costs.")
    objective = _objective(data.get("objective"), costs=any("costs" in one for one in written))
    values = {variable: domains[domain] for variable, domain in variables.items()}
    constraints = tuple(_constraint(one, values, -inf if objective == "max" else inf) for one in written)
    place = {str(name): _point(name, xy) for name, xy in _mapping(data, "place", list).items()} or None
    name = str(data.get("name", ""))
    return Problem(
        name, objective, domains, variables, agents, constraints, place, dict(_mapping(data, "notes", object))
    )


def data_of(problem: Problem) -> dict[str, Any]:
    """Return a problem as plain data; what is read from it is equal."""
    data: dict[str, Any] = {
        "name": problem.name,
        "objective": problem.objective,
        "domains": {name: list(values) for name, values in problem.domains.items()},
        "variables": dict(problem.variables),
        "agents": {agent: list(variables) for agent, variables in problem.agents.items()},
        "constraints": [_written(problem, constraint) for constraint in problem.constraints],
    }
    if problem.place is not None:
        data["place"] = {name: list(xy) for name, xy in problem.place.items()}
    return {**data, "notes": dict(problem.notes)} if problem.notes else data


def number(cost: float) -> float | int:
    """Return a cost as it is written: whole numbers without a decimal point."""
    return int(cost) if cost == int(cost) else float(cost)


def tuples_of(problem: Problem, constraint: Constraint, cells: np.ndarray[Any, Any]) -> list[list[Any]]:
    """Return the tuples of values at which an array of the shape of the table is true."""
    domains = [problem.values[variable] for variable in constraint.scope]
    return [[domain[i] for domain, i in zip(domains, place, strict=True)] for place in np.argwhere(cells).tolist()]


def _written(problem: Problem, constraint: Constraint) -> dict[str, Any]:
    written: dict[str, Any] = {"scope": list(constraint.scope)}
    forbidden = ~constraint.allowed
    if not constraint.hard:
        priced = (constraint.table != 0) & ~forbidden
        rows = zip(tuples_of(problem, constraint, priced), constraint.table[priced].tolist(), strict=True)
        written["costs"] = [[*values, number(cost)] for values, cost in rows]
    if constraint.hard or forbidden.any():
        written["forbidden"] = tuples_of(problem, constraint, forbidden)
    if constraint.known_to is not None:
        written["known_to"] = list(constraint.known_to)
    return written


def _constraint(data: Mapping[str, Any], values: Mapping[str, tuple[Any, ...]], worst: float) -> Constraint:
    scope = texts(data.get("scope"), "The scope of a constraint")
    if strange := [key for key in data if key not in ("scope", "forbidden", "costs", "known_to")]:
        raise BadData(f"A constraint holds scope, forbidden or costs, and known_to; got {strange[0]!r}.")
    if "forbidden" not in data and "costs" not in data:
        raise BadData(f"The constraint on {', '.join(map(str, scope))} has neither forbidden tuples nor costs.")
    forbidden, costs = (_rows(data.get(key, []), scope, key) for key in ("forbidden", "costs"))
    if "costs" in data:
        made = costing(scope, costs, values, forbidden=forbidden, worst=worst)
    else:
        made = forbidding(scope, forbidden, values)
    known = data.get("known_to")
    return made if known is None else Constraint(made.scope, made.table, texts(known, "What a constraint is known to"))


def texts(data: Any, what: str) -> tuple[str, ...]:
    """Read a list of names, or refuse it in a sentence."""
    if isinstance(data, (list, tuple)) and all(isinstance(name, str) for name in data):
        return tuple(data)
    raise BadData(f"{what} is a list of names; got {data!r:.60}.")


def _point(name: str, data: Sequence[Any]) -> tuple[float, float]:
    if len(data) == 2 and all(isinstance(part, (int, float)) for part in data):
        return data[0], data[1]
    raise BadData(f"The place of {name} is two numbers; got {data!r:.60}.")


def _rows(rows: Any, scope: Sequence[str], key: str) -> Sequence[Sequence[Any]]:
    if isinstance(rows, Sequence) and all(
        isinstance(row, Sequence) and not isinstance(row, str) and row for row in rows
    ):
        return rows
    raise BadData(f"The constraint on {', '.join(map(str, scope))} needs a list of lists as {key}; got {rows!r}.")


def _objective(given: Any, *, costs: bool) -> Objective:
    """Read the objective; without costs there is nothing to make small or large."""
    if given not in (None, *OBJECTIVES):
        raise BadData(f"The objective is satisfy, min or max; got {given!r}.")
    if given == "satisfy" and costs:
        raise BadData("The objective is satisfy, and a constraint has costs; say min or max.")
    return (given or "min") if costs else "satisfy"


def _mapping(data: Mapping[str, Any], key: str, kind: type) -> Mapping[str, Any]:
    found = data.get(key) or {}
    kinds = (list, tuple) if kind is list else kind
    if isinstance(found, Mapping) and all(isinstance(value, kinds) for value in found.values()):
        return found
    of = " of lists" if kind is list else " of names" if kind is str else ""
    raise BadData(f"{key.capitalize()} are an object{of}; got {found!r:.100}.")
