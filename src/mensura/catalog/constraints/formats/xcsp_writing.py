"""Writing XML: XCSP 2.1 as FRODO reads it, or XDisCSP 1.0 of DisChoco."""

from math import isinf
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from mensura.catalog.constraints.formats.words import write_values
from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.plain import number, tuples_of
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadData


def write_xcsp(problem: Problem, *, dischoco: bool) -> str:
    """Write a problem as XML; equal tables are written once."""
    for name in (*problem.variables, *problem.agents):
        if not name or len(name.split()) != 1:
            raise BadData(f"XML of constraints cannot hold a name with spaces, as {name!r}; save it as .json.")
    if dischoco and problem.objective == "max":
        raise BadData("DisChoco's format makes costs small; save a problem whose objective is max for FRODO.")
    root = Element("instance")
    SubElement(root, "presentation", _head(problem, dischoco=dischoco))
    agents = SubElement(root, "agents", nbAgents=str(len(problem.agents)))
    for i, name in enumerate(problem.agents):
        SubElement(agents, "agent", {"name": name, "id": str(i + 1)} if dischoco else {"name": name})
    domains = SubElement(root, "domains", nbDomains=str(len(problem.domains)))
    for name, values in problem.domains.items():
        one = SubElement(domains, "domain", name=name, nbValues=str(len(values)))
        one.text = " ".join(write_values(values, what=f"the domain {name!r}"))
    variables = SubElement(root, "variables", nbVariables=str(len(problem.variables)))
    for name, domain in problem.variables.items():
        SubElement(variables, "variable", name=name, domain=domain, agent=problem.owner[name])
    relations = SubElement(root, "relations")
    constraints = SubElement(root, "constraints", nbConstraints=str(len(problem.constraints)))
    known: dict[tuple[Any, ...], str] = {}
    for i, constraint in enumerate(problem.constraints):
        key = (*(problem.variables[name] for name in constraint.scope), constraint.hard, constraint.table.tobytes())
        if key not in known:
            known[key] = f"r{len(known)}"
            _relation(relations, problem, constraint, known[key], dischoco=dischoco)
        written = {"name": f"c{i}", "arity": str(len(constraint.scope)), "scope": " ".join(constraint.scope)}
        written["reference"] = known[key]
        if dischoco:
            written["model"] = "TKC" if constraint.known_to is None else "PKC"
        if constraint.known_to is not None:
            written["agent"] = " ".join(constraint.known_to)
        SubElement(constraints, "constraint", written)
    relations.set("nbRelations", str(len(known)))
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _head(problem: Problem, *, dischoco: bool) -> dict[str, str]:
    arity = max((len(one.scope) for one in problem.constraints), default=0)
    if not dischoco:
        maximize = "true" if problem.objective == "max" else "false"
        return {
            "name": problem.name,
            "maxConstraintArity": str(arity),
            "maximize": maximize,
            "format": "XCSP 2.1_FRODO",
        }
    simple = all(len(held) == 1 for held in problem.agents.values())
    told = all(one.known_to is None for one in problem.constraints)
    return {
        "name": problem.name,
        "type": "DisCSP" if problem.objective == "satisfy" else "DCOP",
        "model": "Simple" if simple else "Complex",
        "constraintModel": "TKC" if told else "PKC",
        "format": "XDisCSP 1.0",
    }


def _relation(relations: Element, problem: Problem, constraint: Constraint, name: str, *, dischoco: bool) -> None:
    one = SubElement(relations, "relation", name=name, arity=str(len(constraint.scope)))
    if constraint.hard:
        rows = tuples_of(problem, constraint, ~constraint.table)
        one.set("semantics", "conflicts")
        one.set("nbTuples", str(len(rows)))
        one.text = "|".join(" ".join(map(str, row)) for row in rows)
        return
    one.set("semantics", "soft")
    one.set("defaultCost", "0")
    parts: list[str] = []
    costs = constraint.table
    for cost in np.unique(costs[costs != 0]).tolist():
        rows = tuples_of(problem, constraint, costs == cost)
        word = f"{'-' if cost < 0 else ''}infinity" if isinf(cost) else repr(number(cost))
        # In XCSP a cost holds until the next one; DisChoco's files repeat it before every tuple.
        parts += [f"{word}:" * (dischoco or not i) + " ".join(map(str, row)) for i, row in enumerate(rows)]
    one.set("nbTuples", str(len(parts)))
    one.text = "|".join(parts)
