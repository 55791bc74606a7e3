"""Seeing: which thing lies at each of many points, in one compiled pass."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.machine_code import compiler

compiled = compiler(Path(__file__).parent, extra="pagi-world")
Floats = NDArray[np.float64]
Whole = NDArray[np.int64]


@compiled
def find_at(
    points: Floats, place: Floats, turn: Floats, far: Floats, first: Whole, count: Whole, corners: Floats
) -> Any:
    """Return for every point the first shape, in the order given, that holds it; -1 where none does.

    Parameters
    ----------
    place, turn
        Middle of each shape, and cosine and sine of its angle.
    far
        Its radius: of a circle where it has no corners, else of the circle around it.
    first, count
        Where its corners begin, counterclockwise in its own axes, and how many there are.
    """
    found = np.empty(len(points), np.int64)
    for n in range(len(points)):
        x, y = points[n, 0], points[n, 1]
        found[n] = -1
        for s in range(len(place)):
            dx, dy = x - place[s, 0], y - place[s, 1]
            if dx * dx + dy * dy > far[s] * far[s]:
                continue
            if count[s] == 0:
                found[n] = s
                break
            u, v = dx * turn[s, 0] + dy * turn[s, 1], dy * turn[s, 0] - dx * turn[s, 1]
            inside = True
            begin, end = first[s], first[s] + count[s]
            for k in range(begin, end):
                after = k + 1 if k + 1 < end else begin
                ex, ey = corners[after, 0] - corners[k, 0], corners[after, 1] - corners[k, 1]
                if ex * (v - corners[k, 1]) - ey * (u - corners[k, 0]) < 0:
                    inside = False
                    break
            if inside:
                found[n] = s
                break
    return found


@compiled
def near_any(points: Floats, spots: Floats, radius: float) -> Any:
    """Return for every point whether one of many spots is near."""
    found = np.zeros(len(points), np.bool_)
    for n in range(len(points)):
        for s in range(len(spots)):
            dx, dy = points[n, 0] - spots[s, 0], points[n, 1] - spots[s, 1]
            if dx * dx + dy * dy <= radius * radius:
                found[n] = True
                break
    return found
