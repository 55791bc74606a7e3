"""Families by name: "queens:n=8" becomes a problem; so does a file."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np

from mensura.catalog.constraints.families.chain import Chain, Single
from mensura.catalog.constraints.families.colouring import colouring, weighted_colouring
from mensura.catalog.constraints.families.meetings import meetings
from mensura.catalog.constraints.families.proteins import proteins
from mensura.catalog.constraints.families.queens import queens
from mensura.catalog.constraints.families.random_binary import max_discsp, random_binary
from mensura.catalog.constraints.families.robots import robots
from mensura.catalog.constraints.families.scale_free import scale_free
from mensura.catalog.constraints.families.sensors import sensors
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.problem.sharing import by_sides, grouped
from mensura.dialogue.parameters import Parameter, read_parameters
from mensura.errors import BadParameter, nearest, unknown

FAMILIES: Mapping[str, Callable[..., Problem | Chain]] = {
    "queens": queens,
    "colouring": colouring,
    "random": random_binary,
    "scale-free": scale_free,
    "robots": robots,
    "proteins": proteins,
    "meetings": meetings,
    "sensors": sensors,
    "max-discsp": max_discsp,
    "weighted-colouring": weighted_colouring,
}
ProblemName = Annotated[
    str,
    f"A family of problems ({', '.join(FAMILIES)}) with its parameters, as in queens:n=4, or a file (.json, .yaml, "
    ".xml or .col).",
]
TRIES = 1000
"""Instances that are drawn at most until one is as solvable as is wanted."""


def any_family(
    *, solvable: Literal["any", "yes", "no"] = "any", per_agent: int = 1, private: bool = False
) -> tuple[str, int, bool]:
    """Return what every family takes.

    `solvable` draws until the oracle says so; `per_agent` gives each agent so many variables; `private` splits every
    constraint between two agents, each of which knows only what it forbids or asks itself.
    """
    return solvable, per_agent, private


SHARED = read_parameters(any_family, leave_out=())


def find_problem(text: str, rng: np.random.Generator) -> Problem:
    """Return a problem from what a user wrote: a family with its parameters, or a file.

    >>> problem = find_problem("queens:n=4", np.random.default_rng(1))
    >>> len(problem.constraints), problem.notes["family"]
    (6, 'queens:n=4')
    """
    return find_chain(text, rng).problem


def find_chain(text: str, rng: np.random.Generator) -> Chain:
    """Return the problems that follow from what a user wrote: one, but for robots, who solve one for each move."""
    from mensura.catalog.constraints.formats.find import is_file, load

    if is_file(text):
        return Single(load(text))
    name, given, (solvable, per_agent, private) = read_family(text)
    for _ in range(TRIES):
        drawn = FAMILIES[name](rng, **given)
        if isinstance(drawn, Chain):
            if (solvable, per_agent, private) != ("any", 1, False):
                raise BadParameter(f"The family {name} is a chain of problems; it takes none of {', '.join(SHARED)}.")
            return drawn
        if per_agent != 1:
            drawn = grouped(drawn, per_agent)
        if private:
            drawn = by_sides(drawn, rng)
        if solvable == "any" or _is(drawn, solvable):
            return Single(replace(drawn, notes={"family": text, **drawn.notes}))
    raise BadParameter(f"None of {TRIES} problems {text!r} was {'' if solvable == 'yes' else 'un'}solvable; ease it.")


def agent_names(text: str) -> tuple[str, ...]:
    """Return the agents of a problem without drawing it."""
    from mensura.catalog.constraints.formats.find import is_file, load

    if is_file(text):
        return tuple(load(text).agents)
    name, given, (_, per_agent, _) = read_family(text)
    n = COUNTS[name](given) if name in COUNTS else int(given["n"])
    if name == "meetings" and per_agent > 1:
        # People hold several variables already; to be shared out anew, these are counted.
        n = given["count"] * given["attend"]
    return tuple(f"x{i}" for i in range(-(-n // per_agent)))


def is_private(text: str) -> bool:
    """Return whether a constraint is kept from an agent that holds one of its variables, without drawing a problem."""
    from mensura.catalog.constraints.formats.find import is_file, load

    if not is_file(text):
        _, _, (_, _, private) = read_family(text)
        return private
    problem = load(text)
    told = [(one.known_to, {problem.owner[name] for name in one.scope}) for one in problem.constraints]
    return any(known is not None and not holders <= set(known) for known, holders in told)


COUNTS: Mapping[str, Callable[[dict[str, Any]], int]] = {
    "proteins": lambda given: len(given["sequence"]),
    "scale-free": lambda given: len(given["degrees"].split()) or int(given["n"]),
}
"""How many variables a family has, where that is not its n."""


def read_family(text: str) -> tuple[str, dict[str, Any], tuple[str, int, bool]]:
    """Read the name and all parameters of a family, its own and those that all have."""
    name, _, rest = text.partition(":")
    if name not in FAMILIES:
        raise unknown(
            "family of problems", name, known=FAMILIES, see=f"There are {', '.join(FAMILIES)}; or give a file."
        )
    own = read_parameters(FAMILIES[name], leave_out=("rng",))
    known = {**own, **SHARED}
    given: dict[str, Any] = {key: parameter.default for key, parameter in known.items()}
    for part in filter(None, rest.split(",")):
        key, _, value = (one.strip() for one in part.partition("="))
        if key not in known:
            near = nearest(key, known)
            hint = f"Did you mean {near}?" if near else f"It has {', '.join(known)}."
            raise BadParameter(f"The family {name} has no parameter {key!r}. {hint}")
        given[key] = _value(name, known[key], value)
    if given["per_agent"] < 1:
        raise BadParameter(f"An agent holds at least one variable; got per_agent={given['per_agent']}.")
    return name, {key: given[key] for key in own}, any_family(**{key: given[key] for key in SHARED})


def _value(family: str, parameter: Parameter, value: str) -> Any:
    try:
        return parameter.read(value)
    except BadParameter as error:
        raise BadParameter(f"{family}: {str(error).removeprefix('--')}") from None


def _is(problem: Problem, wanted: str) -> bool:
    """Ask the oracle; what it does not know is neither solvable nor unsolvable."""
    from mensura.catalog.constraints.oracle.find import truth_of

    return truth_of(problem).solvable is (wanted == "yes")
