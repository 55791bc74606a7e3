"""Reading XML: XCSP 2.1 with agents, as FRODO has it, and XDisCSP 1.0 of DisChoco, which differ in their head only."""

import re
from collections.abc import Mapping
from math import inf
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from mensura.catalog.constraints.formats.functional import parse_functional
from mensura.catalog.constraints.formats.words import read_values
from mensura.catalog.constraints.problem.constraint import Constraint, shape_of
from mensura.catalog.constraints.problem.problem import Objective, Problem
from mensura.errors import BadFile

INFINITE = {"infinity": inf, "+infinity": inf, "-infinity": -inf}
Values = Mapping[str, tuple[Any, ...]]


def problem_of(root: Element, *, name: str) -> Problem:
    """Read a problem from the root of an instance."""
    head = root.find("presentation")
    if root.tag != "instance" or head is None:
        raise BadFile("XML of constraints is an <instance> with a <presentation>.")
    domains = {
        _need(one, "name"): read_values(re.sub(r"\s*\.\.\s*", "..", one.text or "").split())
        for one in root.findall("domains/domain")
    }
    written = {_need(one, "name"): one for one in root.findall("variables/variable")}
    variables = {variable: _need(one, "domain") for variable, one in written.items()}
    for variable, domain in variables.items():
        if domain not in domains:
            raise BadFile(f"The variable {variable} has the unknown domain {domain!r}.")
    agents: dict[str, tuple[str, ...]] = {_need(one, "name"): () for one in root.findall("agents/agent")}
    for variable, one in written.items():
        owner = one.get("agent", variable)
        agents[owner] = (*agents.get(owner, ()), variable)
    values = {variable: domains[domain] for variable, domain in variables.items()}
    rules = _Rules(root, values)
    constraints = tuple(made for one in root.findall("constraints/constraint") for made in rules.constraints(one))
    held = {agent: held for agent, held in agents.items() if held}
    objective: Objective = "max" if head.get("maximize") == "true" else "min"
    return Problem(head.get("name", name), objective, domains, variables, held, constraints)


class _Rules:
    """The relations and predicates that constraints refer to."""

    def __init__(self, root: Element, values: Values) -> None:
        self.values = values
        self.relations = {_need(one, "name"): one for one in root.findall("relations/relation")}
        self.predicates = {
            _need(one, "name"): one for kind in ("predicate", "function") for one in root.findall(f"{kind}s/{kind}")
        }
        self.made: dict[tuple[Any, ...], np.ndarray[Any, Any]] = {}

    def constraints(self, one: Element) -> list[Constraint]:
        scope = tuple(_need(one, "scope").split())
        reference = _need(one, "reference")
        known = tuple((one.get("agent") or "").split()) or None
        if known == ("PUBLIC",):
            known = None
        shape = shape_of(scope, self.values)
        if reference.lower() == "global:alldifferent":
            pairs = [(a, b) for i, a in enumerate(scope) for b in scope[i + 1 :]]
            return [Constraint(pair, _differ(*(self.values[name] for name in pair)), known) for pair in pairs]
        if reference in self.relations:
            # Constraints on the same domains share one table.
            key = (reference, *(self.values[name] for name in scope))
            if key not in self.made:
                self.made[key] = self._relation(self.relations[reference], scope, shape)
            return [Constraint(scope, self.made[key], known)]
        if reference in self.predicates:
            return [Constraint(scope, self._predicate(self.predicates[reference], one, scope, shape), known)]
        raise BadFile(f"The constraint on {' '.join(scope)} refers to {reference!r}, which is not in the file.")

    def _relation(self, one: Element, scope: tuple[str, ...], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
        kind, name = one.get("semantics", "supports"), _need(one, "name")
        places = [{str(value): i for i, value in enumerate(self.values[variable])} for variable in scope]
        if kind not in ("supports", "conflicts", "soft"):
            raise BadFile(f"The relation {name} has the semantics {kind!r}; it is supports, conflicts or soft.")
        table: Any = (
            np.full(shape, _cost(one.get("defaultCost", "0"), name))
            if kind == "soft"
            else np.full(shape, kind == "conflicts")
        )
        cost = 0.0
        for part in filter(None, ((one.text or "").strip() or "").split("|")):
            price, colon, words = part.rpartition(":")
            if colon:
                cost = _cost(price.strip(), name)
            place = words.split()
            if len(place) != len(scope) or not all(word in at for word, at in zip(place, places, strict=True)):
                raise BadFile(f"The relation {name} holds {part.strip()!r}, which are not values of {' '.join(scope)}.")
            at = tuple(known[word] for word, known in zip(place, places, strict=True))
            table[at] = cost if kind == "soft" else kind == "supports"
        return np.asarray(table)

    def _predicate(
        self, rule: Element, one: Element, scope: tuple[str, ...], shape: tuple[int, ...]
    ) -> np.ndarray[Any, Any]:
        name = _need(rule, "name")
        declared = (rule.findtext("parameters") or "").split()[1::2]
        formula = parse_functional(rule.findtext(".//functional") or "", declared)
        given = (one.findtext("parameters") or " ".join(scope)).split()
        if len(given) != len(declared):
            raise BadFile(f"The predicate {name} takes {len(declared)} parameters; a constraint gives it {len(given)}.")
        table = np.zeros(shape)
        for place in np.ndindex(shape):
            chosen = {variable: self.values[variable][i] for variable, i in zip(scope, place, strict=True)}
            table[place] = formula({p: _actual(word, chosen, name) for p, word in zip(declared, given, strict=True)})
        return table if rule.tag == "function" else table.astype(bool)


def _actual(word: str, chosen: Mapping[str, Any], name: str) -> Any:
    if word in chosen:
        return chosen[word]
    try:
        return int(word)
    except ValueError:
        raise BadFile(
            f"The predicate {name} is given {word!r}, which is not a number or variable of its scope."
        ) from None


def _differ(one: tuple[Any, ...], two: tuple[Any, ...]) -> np.ndarray[Any, Any]:
    return np.array([[a != b for b in two] for a in one])


def _cost(word: str, name: str) -> float:
    try:
        return INFINITE[word.lower()] if word.lower() in INFINITE else float(word)
    except ValueError:
        raise BadFile(f"The relation {name} has the cost {word!r}, which is not a number.") from None


def _need(one: Element, name: str) -> str:
    found = one.get(name)
    if not found:
        raise BadFile(f"A <{one.tag}> has no {name}.")
    return found
