"""Several variables per agent, for algorithms that want one: as one of product values, or as agents of their own."""

from dataclasses import replace
from typing import Literal

from mensura.catalog.constraints.families.find import agent_names
from mensura.catalog.constraints.formats.find import is_file, load
from mensura.catalog.constraints.problem.compiling import Compiled, product_domain, virtual_agents
from mensura.catalog.constraints.problem.problem import Problem

Several = Literal["product", "virtual", "as-is"]


def compiled(problem: Problem, several: Several) -> Compiled:
    """Return a problem as its agents are to solve it; one whose agents hold a variable each stays as it is."""
    if several == "as-is" or all(len(held) == 1 for held in problem.agents.values()):
        meaning = {name: tuple({name: value} for value in values) for name, values in problem.values.items()}
        return Compiled(problem, problem, meaning, {agent: agent for agent in problem.agents})
    made = product_domain(problem) if several == "product" else virtual_agents(problem)
    return replace(made, problem=replace(made.problem, notes=problem.notes))


def agents_of(text: str, several: Several) -> tuple[str, ...]:
    """Return who takes part, without drawing the problem."""
    if several != "virtual":
        return agent_names(text)
    if is_file(text):
        problem = load(text)
        alone = all(len(held) == 1 for held in problem.agents.values())
        return tuple(problem.agents if alone else problem.variables)
    name, colon, rest = text.partition(":")
    parts = [part for part in rest.split(",") if part.partition("=")[0].strip() != "per_agent"]
    return agent_names(f"{name}{colon}{','.join(parts)}")
