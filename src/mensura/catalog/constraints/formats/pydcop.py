"""The YAML of pyDCOP: domains, variables, constraints by expression or table, agents."""

from collections.abc import Mapping
from math import isinf
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.constraints.formats.expression import parse_expression
from mensura.catalog.constraints.formats.words import read_values, write_values
from mensura.catalog.constraints.problem.constraint import Constraint, check_domains, read_cost, shape_of
from mensura.catalog.constraints.problem.plain import number, texts, tuples_of
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadFile
from mensura.yaml_file import parse_yaml

OURS = "mensura"
"""The key under which we keep what pyDCOP does not know; it passes over keys that it does not know."""


def read_pydcop(text: str, path: str | Path) -> Problem:
    """Read a problem from YAML.

    Every variable is an agent of its own, as every variable is a computation of its own in pyDCOP; where its hints of
    distribution say for all variables who must host them, these are the agents.
    """
    data = parse_yaml(text, path)
    if not isinstance(data, Mapping) or data.get("objective") not in ("min", "max"):
        raise BadFile("pyDCOP's YAML is an object whose objective is min or max.")
    ours = _section(data, OURS)
    domains = {str(name): _domain(name, one) for name, one in _section(data, "domains").items()}
    check_domains(domains)
    written = {str(name): one for name, one in _section(data, "variables").items()}
    variables = {name: str(_get(one, "domain", name)) for name, one in written.items()}
    if lost := [name for name, domain in variables.items() if domain not in domains]:
        raise BadFile(f"The variable {lost[0]} has the unknown domain {variables[lost[0]]!r}.")
    values = {name: domains[domain] for name, domain in variables.items()}
    fixed = {name: _get(one, "initial_value", name) for name, one in _section(data, "external_variables").items()}
    constraints = [
        _by_expression(name, str(one["cost_function"]), values, fixed)
        for name, one in written.items()
        if "cost_function" in one
    ]
    constraints += [
        _constraint(str(name), one, values, fixed, _section(ours, name))
        for name, one in _section(data, "constraints").items()
    ]
    agents = _agents(data, variables)
    return Problem(str(data.get("name", "")), data["objective"], domains, variables, agents, tuple(constraints))


def write_pydcop(problem: Problem) -> str:
    """Write a problem as YAML that pyDCOP reads; what is forbidden costs infinitely much."""
    import yaml

    for name, values in problem.domains.items():
        write_values(values, what=f"the domain {name!r}")
    data: dict[str, Any] = {
        "name": problem.name,
        "objective": "max" if problem.objective == "max" else "min",
        # Its last release asks for a type, which is only a name.
        "domains": {name: {"values": list(values), "type": name} for name, values in problem.domains.items()},
        "variables": {name: {"domain": domain} for name, domain in problem.variables.items()},
        "constraints": {f"c{i}": _table(problem, one) for i, one in enumerate(problem.constraints)},
        "agents": {name: {"capacity": 1_000_000} for name in problem.agents},
        "distribution_hints": {"must_host": {name: list(held) for name, held in problem.agents.items()}},
    }
    if kept := {f"c{i}": more for i, one in enumerate(problem.constraints) if (more := _kept(one))}:
        data[OURS] = kept
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return str(yaml.dump(data, Dumper=dumper, sort_keys=False, allow_unicode=True, default_flow_style=None))


def _domain(name: str, one: Any) -> tuple[Any, ...]:
    values = _get(one, "values", name)
    if isinstance(values, str):
        values = [values]
    if not isinstance(values, list):
        raise BadFile(f"The domain {name} has a list of values; got {values!r:.60}.")
    if len(values) == 1 and isinstance(values[0], str) and ".." in values[0]:
        return read_values([values[0].replace(" ", "")])
    return tuple(values)


def _constraint(
    name: str, one: Any, values: Mapping[str, tuple[Any, ...]], fixed: Mapping[str, Any], ours: Mapping[str, Any]
) -> Constraint:
    kind = _get(one, "type", name)
    if kind == "intention":
        made = _by_expression(name, str(_get(one, "function", name)), values, fixed)
    elif kind == "extensional":
        made = _by_table(name, one, values)
    else:
        raise BadFile(f"The constraint {name} has the type {kind!r}; it is intention or extensional.")
    known = texts(ours["known_to"], f"What {name} is known to") if "known_to" in ours else None
    return Constraint(made.scope, made.allowed if ours.get("hard") else made.table, known)


def _by_expression(name: str, text: str, values: Mapping[str, tuple[Any, ...]], fixed: Mapping[str, Any]) -> Constraint:
    names, formula = parse_expression(text)
    if strange := [one for one in names if one not in values and one not in fixed]:
        raise BadFile(f"The expression of {name}, {text!r}, names the unknown variable {strange[0]!r}.")
    scope = tuple(one for one in names if one in values)
    table = np.zeros(shape_of(scope, values))
    for place in np.ndindex(table.shape):
        given = {one: values[one][i] for one, i in zip(scope, place, strict=True)}
        cost = formula({**fixed, **given})
        if not isinstance(cost, (int, float)) or cost != cost:
            raise BadFile(f"The expression of {name}, {text!r}, is {cost!r} for {given}, which is not a number.")
        table[place] = cost
    return Constraint(scope, table)


def _by_table(name: str, one: Mapping[str, Any], values: Mapping[str, tuple[Any, ...]]) -> Constraint:
    named = _get(one, "variables", name)
    scope = (named.strip(),) if isinstance(named, str) else texts(named, f"What {name} is about")
    default = np.nan if one.get("default") is None else read_cost(one["default"], scope)
    table = np.full(shape_of(scope, values), default)
    places = [{str(value): i for i, value in enumerate(values[variable])} for variable in scope]
    for cost, written in _section(one, "values").items():
        price = read_cost(cost, scope)
        for part in str(written).split("|"):
            words = part.split()
            if len(words) != len(scope) or not all(word in at for word, at in zip(words, places, strict=True)):
                raise BadFile(
                    f"The constraint {name} gives a cost to {part.strip()!r}, no values of {', '.join(scope)}."
                )
            table[tuple(at[word] for word, at in zip(words, places, strict=True))] = price
    if np.isnan(table).any():
        raise BadFile(f"The constraint {name} gives no cost to some values; give them, or a default.")
    return Constraint(scope, table)


def _kept(one: Constraint) -> dict[str, Any]:
    """Return what a table of costs does not tell of a constraint: who knows it, and that it has none at all."""
    kept: dict[str, Any] = {} if one.known_to is None else {"known_to": list(one.known_to)}
    return {**kept, "hard": True} if one.hard and one.table.all() else kept


def _agents(data: Mapping[str, Any], variables: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    hints = _section(_section(data, "distribution_hints"), "must_host")
    named = {str(agent): texts(names, f"What {agent} must host") for agent, names in hints.items()}
    held = {agent: tuple(name for name in names if name in variables) for agent, names in named.items()}
    if sorted(name for names in held.values() for name in names) == sorted(variables):
        return held
    return {name: (name,) for name in variables}


def _table(problem: Problem, one: Constraint) -> dict[str, Any]:
    costs = np.where(one.table, 0.0, problem.worst) if one.hard else one.table
    by_cost: dict[Any, str] = {}
    for cost in np.unique(costs).tolist():
        rows = tuples_of(problem, one, costs == cost)
        by_cost[cost if isinf(cost) else number(cost)] = " | ".join(" ".join(map(str, row)) for row in rows)
    return {"type": "extensional", "variables": list(one.scope), "values": by_cost}


def _section(data: Mapping[str, Any], key: str) -> Mapping[Any, Any]:
    found = data.get(key) or {}
    if not isinstance(found, Mapping):
        raise BadFile(f"{key} is an object with one entry for each; got {found!r:.60}.")
    return found


def _get(one: Any, key: str, name: str) -> Any:
    if not isinstance(one, Mapping) or key not in one:
        raise BadFile(f"{name} has no {key}.")
    return one[key]
