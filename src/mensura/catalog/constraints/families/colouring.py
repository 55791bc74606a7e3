"""Graph colouring: neighbours differ; and the same with a price on each violation."""

from collections.abc import Sequence

import numpy as np

from mensura.catalog.constraints.families.network import check_size, draw_links, network
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter


def colouring(rng: np.random.Generator, *, n: int = 20, k: int = 3, links: int = 40, hidden: bool = False) -> Problem:
    """Colour a random graph of so many nodes, colours and links; `hidden` builds it round a colouring."""
    drawn = draw_hidden(rng, n=n, k=k, links=links) if hidden else draw_graph(rng, n=n, k=k, links=links)
    differ = ~np.eye(k, dtype=bool)
    return network("colouring", n=n, values=range(k), links=drawn, tables=[differ] * len(drawn))


def weighted_colouring(
    rng: np.random.Generator, *, n: int = 10, k: int = 3, links: int = 20, most: int = 10
) -> Problem:
    """Colour a random graph at the least cost: equal neighbours cost a whole number from 1 to `most`, drawn by link."""
    if most < 1:
        raise BadParameter(f"The largest cost of a link is at least 1; got most={most}.")
    drawn = draw_graph(rng, n=n, k=k, links=links)
    tables = [weight * np.eye(k) for weight in rng.integers(1, most + 1, size=len(drawn)).tolist()]
    return network("weighted-colouring", n=n, values=range(k), links=drawn, tables=tables, objective="min")


def draw_graph(rng: np.random.Generator, *, n: int, k: int, links: int) -> Sequence[tuple[int, int]]:
    """Draw a graph with exactly so many links."""
    _check(n, k)
    if not 0 <= links <= n * (n - 1) // 2:
        raise BadParameter(f"{n} nodes have 0 to {n * (n - 1) // 2} links; got links={links}.")
    return draw_links(rng, n=n, count=links)


def draw_hidden(rng: np.random.Generator, *, n: int, k: int, links: int) -> Sequence[tuple[int, int]]:
    """Draw a graph among those that a random colouring with parts of equal size colours rightly."""
    _check(n, k)
    check_size(links=n * (n - 1) // 2)
    part = rng.permutation(np.arange(n) % k)
    first, second = np.triu_indices(n, 1)
    apart = np.flatnonzero(part[first] != part[second])
    if not 0 <= links <= len(apart):
        raise BadParameter(f"{n} nodes in {k} hidden parts have 0 to {len(apart)} links; got links={links}.")
    drawn = np.sort(rng.choice(apart, size=links, replace=False))
    return list(zip(first[drawn].tolist(), second[drawn].tolist(), strict=True))


def _check(n: int, k: int) -> None:
    if n < 1 or k < 1:
        raise BadParameter(f"A graph to colour needs at least one node and one colour; got n={n}, k={k}.")
