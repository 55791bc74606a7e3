"""Integer programmes: which of many things to take, none of them in part, so that they are worth most."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Row = tuple[Mapping[int, float], float]
"""Weights by the place of a thing, and how much their sum may be at most."""


def most_worth(worth: Any, rows: Sequence[Row], *, seconds: float | None = None) -> tuple[Any, float | None]:
    """Return which things to take, None where none was found in time, and the bound that is known."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    values = [value for weights, _ in rows for value in weights.values()]
    at = [(place, column) for place, (weights, _) in enumerate(rows) for column in weights]
    matrix = csr_array((values, tuple(zip(*at, strict=True))), shape=(len(rows), len(worth)))
    solved = milp(
        -worth,
        integrality=np.ones(len(worth)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, -np.inf, [most for _, most in rows]),
        options={"mip_rel_gap": 1e-7} | ({"time_limit": seconds} if seconds is not None else {}),
    )
    taken = None if solved.x is None else solved.x > 0.5
    return taken, None if solved.mip_dual_bound is None else -float(solved.mip_dual_bound)
