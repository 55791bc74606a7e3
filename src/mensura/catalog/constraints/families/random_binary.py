"""Random binary problems: n variables of m values, a share p1 of links, a share p2 of pairs forbidden in each."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from mensura.catalog.constraints.families.network import (
    Array,
    check_size,
    draw_links,
    draw_tables,
    network,
    pairs_at,
)
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter


def random_binary(
    rng: np.random.Generator,
    *,
    n: int = 10,
    m: int = 5,
    p1: float = 0.5,
    p2: float = 0.3,
    model: Literal["A", "B", "E"] = "B",
) -> Problem:
    """Draw a random binary problem.

    Model B has exactly `round(p1 n (n - 1) / 2)` links with `round(p2 m²)` forbidden pairs each; model A draws every
    link and every pair by chance; model E draws `round(p2 m² n (n - 1) / 2)` forbidden pairs over all links, with
    replacement (p1 is not used).

    References
    ----------
    .. [1] Achlioptas et al. (2001), Constraints 6, 329-344, for model E and for what A and B are.
    """
    links, tables = _MODELS[model](rng, n, m, *_shares(n, m, p1, p2))
    share = float(1 - np.mean(tables)) if len(links) else 0.0
    return network("random", n=n, values=range(m), links=links, tables=tables, model=model, forbidden_share=share)


def max_discsp(rng: np.random.Generator, *, n: int = 10, m: int = 5, p1: float = 0.5, p2: float = 0.6) -> Problem:
    """Violate as few constraints of a random binary problem (model B) as can be: each costs 1."""
    links, tables = _model_b(rng, n, m, *_shares(n, m, p1, p2))
    return network("max-discsp", n=n, values=range(m), links=links, tables=1.0 - tables, objective="min")


def _shares(n: int, m: int, p1: float, p2: float) -> tuple[float, float]:
    if n < 1 or m < 1:
        raise BadParameter(f"A random problem needs at least one variable and one value; got n={n}, m={m}.")
    for name, share, of in (("p1", p1, "links"), ("p2", p2, "forbidden pairs")):
        if not 0 <= share <= 1:
            raise BadParameter(f"{name} is a share of {of} from 0 to 1; got {share:g}.")
    return p1, p2


Drawn = tuple[Sequence[tuple[int, int]], Array]


def _model_a(rng: np.random.Generator, n: int, m: int, p1: float, p2: float) -> Drawn:
    check_size(links=n * (n - 1) // 2)
    links = pairs_at(np.flatnonzero(rng.random(n * (n - 1) // 2) < p1), n=n)
    check_size(links=len(links), cells=m * m)
    return links, rng.random((len(links), m, m)) >= p2


def _model_b(rng: np.random.Generator, n: int, m: int, p1: float, p2: float) -> Drawn:
    links = draw_links(rng, n=n, count=round(p1 * n * (n - 1) / 2))
    return links, draw_tables(rng, m=m, links=len(links), forbidden=round(p2 * m * m))


def _model_e(rng: np.random.Generator, n: int, m: int, p1: float, p2: float) -> Drawn:
    check_size(links=n * (n - 1) // 2, cells=m * m)
    allowed = np.ones((n * (n - 1) // 2, m, m), dtype=bool)
    allowed.reshape(-1)[rng.integers(max(allowed.size, 1), size=round(p2 * allowed.size))] = False
    drawn = ~allowed.all(axis=(1, 2))
    return pairs_at(np.flatnonzero(drawn), n=n), allowed[drawn]


_MODELS = {"A": _model_a, "B": _model_b, "E": _model_e}
