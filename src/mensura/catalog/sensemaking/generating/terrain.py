"""Roads and regions of a generated exam."""

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.exam.regions import Regions
from mensura.catalog.sensemaking.exam.roads import Road, RoadNetwork
from mensura.catalog.sensemaking.generating.setter import Setter, draw_until


def make_roads(by: Setter) -> RoadNetwork:
    """Make a network of roads that run from edge to edge, alternately across and upward.

    A road across and a road upward must cross, so every place on the roads can be reached from every other.
    """
    sizes = (by.grid.width, by.grid.height)
    roads: list[Road] = []
    for upward, count in ((False, (by.design.roads + 1) // 2), (True, by.design.roads // 2)):
        length, top = reversed(sizes) if upward else sizes
        for index in range(count):
            walk = _walk(by, length=length, start=_start(by, index, count, top), top=top)
            points = (GridPoint(float(j), float(i)) if upward else GridPoint(float(i), float(j)) for i, j in walk)
            roads.append(Road(str(len(roads) + 1), tuple(points)))
    return RoadNetwork(tuple(roads))


def make_regions(by: Setter, network: RoadNetwork) -> Regions:
    """Divide the map into one region per group, the cells nearest to its seed.

    Each region holds at least a tenth of the map and a twelfth of the road points, so that sites can lie in it.
    """
    grid, groups = by.grid, len(by.groups)
    x, y = np.meshgrid(np.arange(grid.width), np.arange(grid.height), indexing="ij")
    on_road = np.array(network.points, dtype=int).T

    def draw() -> Regions | None:
        seeds = by.rng.uniform([0, 0], [grid.width, grid.height], size=(groups, 2))
        distance = [(x - a) ** 2 + (y - b) ** 2 for a, b in seeds]
        owners = np.argmin(distance, axis=0).astype(np.uint8) + 1
        cells = np.bincount(owners.ravel(), minlength=groups + 1)[1:]
        points = np.bincount(owners[tuple(on_road)], minlength=groups + 1)[1:]
        if cells.min() < owners.size / 10 or points.min() < points.sum() / 12:
            return None
        return Regions(grid.width, grid.height, owners.tobytes())

    return draw_until(draw, what="four regions with roads in each")


def _start(by: Setter, index: int, count: int, size: int) -> int:
    """Spread the roads over the map, each somewhere in its own strip."""
    strip = size / count
    return int(index * strip + by.rng.uniform(0.2, 0.8) * strip)


def _walk(by: Setter, *, length: int, start: int, top: int) -> list[tuple[int, int]]:
    rng = by.rng
    turns = rng.random(length) < by.design.wander
    sides: NDArray[np.int64] = rng.choice([-1, 1], size=length)
    drift = int(rng.choice([-1, 1]))
    place, walk = start, []
    for step in range(length):
        walk.append((step, place))
        if turns[step]:
            side = drift if rng.random() < 0.7 else int(sides[step])
            place = min(max(place + side, 0), top - 1)
    return walk
