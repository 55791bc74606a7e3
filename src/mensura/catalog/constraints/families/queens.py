"""n queens: one queen a row, none attacks another; the value is her column."""

import numpy as np

from mensura.catalog.constraints.families.network import Array, check_size, network
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter


def queens(rng: np.random.Generator, *, n: int = 8) -> Problem:
    """Put n queens on a board so that none attacks another."""
    if n < 1:
        raise BadParameter(f"Queens need a board of at least 1; got n={n}.")
    check_size(links=n * (n - 1) // 2)
    apart = {d: _attack(n, d) for d in range(1, n)}
    links = [(i, j) for i in range(n) for j in range(i + 1, n)]
    place = {f"x{i}": (0.0, float(i)) for i in range(n)}
    return network("queens", n=n, values=range(n), links=links, tables=(apart[j - i] for i, j in links), place=place)


def _attack(n: int, rows: int) -> Array:
    """Make the table of two queens so many rows apart.

    It depends on the difference of the columns only, so it is a view of one line: 2 MB for a thousand queens.
    """
    line = np.ones(2 * n - 1, dtype=bool)
    line[[n - 1 + step for step in (0, rows, -rows)]] = False
    return np.lib.stride_tricks.as_strided(line[n - 1 :], shape=(n, n), strides=(1, -1), writeable=False)
