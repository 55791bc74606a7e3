"""Roads and regions of a generated exam."""

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam import GridPoint, GridSize, Regions, Road, RoadNetwork
from mensura.catalog.sensemaking.generating.design import Design
from mensura.catalog.sensemaking.generating.drawing import draw_until


def make_roads(rng: np.random.Generator, *, grid: GridSize, design: Design) -> RoadNetwork:
    """Make a network of roads that run from edge to edge, alternately across and upward.

    A road across and a road upward must cross, so every place on the roads can be reached from every other.
    """
    across, upward = (design.roads + 1) // 2, design.roads // 2
    roads: list[Road] = []
    for index in range(across):
        walk = _walk(
            rng, length=grid.width, start=_start(rng, index, across, grid.height), top=grid.height, design=design
        )
        roads.append(Road(str(len(roads) + 1), tuple(GridPoint(float(i), float(j)) for i, j in walk)))
    for index in range(upward):
        walk = _walk(
            rng, length=grid.height, start=_start(rng, index, upward, grid.width), top=grid.width, design=design
        )
        roads.append(Road(str(len(roads) + 1), tuple(GridPoint(float(j), float(i)) for i, j in walk)))
    return RoadNetwork(tuple(roads))


def make_regions(rng: np.random.Generator, *, grid: GridSize, network: RoadNetwork, groups: int = 4) -> Regions:
    """Divide the map into one region per group, the cells nearest to its seed.

    Each region holds at least a tenth of the map and a twelfth of the road points, so that sites can lie in it.
    """
    x, y = np.meshgrid(np.arange(grid.width), np.arange(grid.height), indexing="ij")
    on_road = np.array(network.points, dtype=int).T

    def draw() -> Regions | None:
        seeds = rng.uniform([0, 0], [grid.width, grid.height], size=(groups, 2))
        distance = [(x - a) ** 2 + (y - b) ** 2 for a, b in seeds]
        owners = np.argmin(distance, axis=0).astype(np.uint8) + 1
        cells = np.bincount(owners.ravel(), minlength=groups + 1)[1:]
        points = np.bincount(owners[tuple(on_road)], minlength=groups + 1)[1:]
        if cells.min() < owners.size / 10 or points.min() < points.sum() / 12:
            return None
        return Regions(grid.width, grid.height, owners.tobytes())

    return draw_until(draw, what="four regions with roads in each")


def _start(rng: np.random.Generator, index: int, count: int, size: int) -> int:
    """Spread the roads over the map, each somewhere in its own strip."""
    strip = size / count
    return int(index * strip + rng.uniform(0.2, 0.8) * strip)


def _walk(rng: np.random.Generator, *, length: int, start: int, top: int, design: Design) -> list[tuple[int, int]]:
    turns = rng.random(length) < design.wander
    sides: NDArray[np.int64] = rng.choice([-1, 1], size=length)
    drift = int(rng.choice([-1, 1]))
    place, walk = start, []
    for step in range(length):
        walk.append((step, place))
        if turns[step]:
            side = drift if rng.random() < 0.7 else int(sides[step])
            place = min(max(place + side, 0), top - 1)
    return walk
