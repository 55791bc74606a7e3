"""Outlines of objects: where the corners of a shape lie, for drawings and for rasters alike."""

from functools import cache
from math import cos, pi, sin

Point = tuple[float, float]
PITCH = 32.0
"""From one place of the three by three to the next."""
EDGE = 16.0
"""From the rim of a figure to its places; marks stand there."""
SIDE = 3 * PITCH + 2 * EDGE
RADII = (5.5, 10.0, 15.0)
"""By level of size."""


def _ring(*radii: float, count: int, start: float = 0.0) -> tuple[Point, ...]:
    steps = [(start + turn / count) * 2 * pi for turn in range(count)]
    return tuple(
        (radii[n % len(radii)] * sin(angle), -radii[n % len(radii)] * cos(angle)) for n, angle in enumerate(steps)
    )


def _around(*corners: Point) -> tuple[Point, ...]:
    """Repeat corners at every quarter of a turn."""
    quarters = ((1, 0), (0, 1), (-1, 0), (0, -1))
    return tuple((x * c - y * s, x * s + y * c) for c, s in quarters for x, y in corners)


_BOWL = tuple((cos(n * pi / 16), -0.5 + 1.2 * sin(n * pi / 16)) for n in range(17))
SHAPES: dict[str, tuple[tuple[Point, ...], ...]] = {
    "plain": (
        _ring(0.95, count=36),
        ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)),
        _around((-0.3, -0.95), (0.3, -0.95), (0.3, -0.3)),
        _ring(1, count=4),
        ((0, -1), (0.7, 0.8), (-0.7, 0.8)),
        ((0, -1), (0.85, -0.1), (0.3, -0.1), (0.3, 1), (-0.3, 1), (-0.3, -0.1), (-0.85, -0.1)),
        _BOWL,
        ((-0.9, -0.9), (0.9, -0.9), (0.9, -0.3), (0.3, -0.3), (0.3, 0.95), (-0.3, 0.95), (-0.3, -0.3), (-0.9, -0.3)),
        ((-0.6, -1), (0, -1), (0, 0.4), (0.8, 0.4), (0.8, 1), (-0.6, 1)),
        ((-0.6, -1), (0.9, -0.5), (-0.2, 0), (-0.2, 1), (-0.6, 1)),
    ),
    "other": (
        _ring(1, count=8, start=1 / 16),
        _ring(1, 0.4, count=8),
        _ring(1, 0.4, count=8, start=1 / 8),
        _ring(0.95, 0.75, 0.5, 0.75, count=16),
        ((0, -1), (0.65, -0.3), (0, 1), (-0.65, -0.3)),
        ((0, -0.9), (0.9, 0.2), (0.9, 0.9), (0, -0.1), (-0.9, 0.9), (-0.9, 0.2)),
        ((-0.9, -0.8), (-0.4, -0.8), (-0.4, 0.2), (0.4, 0.2), (0.4, -0.8), (0.9, -0.8), (0.9, 0.9), (-0.9, 0.9)),
        ((-0.35, -1), (0.35, -1), (0.35, -0.2), (0.9, 0.9), (-0.9, 0.9), (-0.35, -0.2)),
        ((-0.7, -0.9), (0.8, 0.9), (-0.7, 0.9)),
        ((-0.2, -1), (0.8, -1), (0.8, -0.5), (0.3, -0.5), (0.3, 1), (-0.8, 1), (-0.8, 0.3), (-0.2, 0.3)),
    ),
}
"""By palette and level of shape, pointing up, in a circle of radius one; y grows downwards as on a page."""


@cache
def outline(symbols: str, shape: int, size: int, turn: int, flip: int, place: int) -> tuple[Point, ...]:
    """Return the corners of an object: mirrored left to right where `flip`, then turned clockwise by quarters."""
    across, down = EDGE + PITCH * (place % 3 + 0.5), EDGE + PITCH * (place // 3 + 0.5)
    points = []
    for x, y in SHAPES[symbols][shape]:
        x = -x if flip else x
        for _ in range(turn):
            x, y = -y, x
        points.append((round(across + RADII[size] * x, 2), round(down + RADII[size] * y, 2)))
    return tuple(points)


@cache
def ring_place(mark: int) -> Point:
    """Return where a mark stands: eight around the rim, clockwise from the top."""
    x, y = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))[mark]
    return SIDE / 2 + x * (SIDE / 2 - 7), SIDE / 2 + y * (SIDE / 2 - 7)


def covers(points: tuple[Point, ...], x: float, y: float) -> bool:
    """Return whether a point lies inside an outline, by counting the edges to its right."""
    inside = False
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside
