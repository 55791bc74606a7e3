"""Networks of binary constraints among variables x0, x1, ...: what most families are made of."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Objective, Problem
from mensura.errors import BadParameter

Array = np.ndarray[Any, Any]
MOST_LINKS, MOST_CELLS = 5_000_000, 1_000_000_000


def names_of(n: int) -> list[str]:
    """Return the names of n variables."""
    return [f"x{i}" for i in range(n)]


def network(
    name: str,
    *,
    n: int,
    values: Sequence[Any],
    links: Iterable[tuple[int, int]],
    tables: Iterable[Array],
    objective: Objective = "satisfy",
    place: Mapping[str, tuple[float, float]] | None = None,
    **notes: Any,
) -> Problem:
    """Make a problem of n variables with one domain, each its own agent, with a table for each link."""
    names = names_of(n)
    constraints = tuple(Constraint((names[i], names[j]), table) for (i, j), table in zip(links, tables, strict=True))
    return Problem(
        name=name,
        objective=objective,
        domains={"values": tuple(values)},
        variables=dict.fromkeys(names, "values"),
        agents={name: (name,) for name in names},
        constraints=constraints,
        place=place,
        notes={**notes, "links_per_variable": len(constraints) / n},
    )


def draw_links(rng: np.random.Generator, *, n: int, count: int) -> list[tuple[int, int]]:
    """Draw so many different pairs of n variables, each set of them equally likely, and sort them."""
    check_size(links=count)
    return pairs_at(np.sort(rng.choice(n * (n - 1) // 2, size=count, replace=False)), n=n)


def pairs_at(places: Array, *, n: int) -> list[tuple[int, int]]:
    """Return the pairs (0, 1), (0, 2) ... (n - 2, n - 1) at some places, without listing all of them."""
    starts = np.concatenate([[0], np.cumsum(np.arange(n - 1, 0, -1))])
    first = np.searchsorted(starts, places, side="right") - 1
    return list(zip(first.tolist(), (places - starts[first] + first + 1).tolist(), strict=True))


def check_size(*, links: int, cells: int = 1) -> None:
    """Refuse what would fill the memory."""
    if links > MOST_LINKS or links * cells > MOST_CELLS:
        raise BadParameter(
            f"The problem would have {links:,} links of {cells:,} cells; there may be {MOST_LINKS:,} links and "
            f"{MOST_CELLS:,} cells. Make it smaller."
        )


def draw_tables(rng: np.random.Generator, *, m: int, links: int, forbidden: int) -> Array:
    """Draw a table for each link, in which exactly so many of the m · m pairs are forbidden."""
    check_size(links=links, cells=m * m)
    allowed = np.ones((links, m * m), dtype=bool)
    allowed[:, :forbidden] = False
    return rng.permuted(allowed, axis=1).reshape(links, m, m)
