"""Roads and distances along them: shortest paths on the network, as the cow walks."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.errors import Invalid


@dataclass(frozen=True, slots=True)
class Road:
    """One road: its points in order."""

    name: str
    points: tuple[GridPoint, ...]


@dataclass(frozen=True)
class RoadNetwork:
    """Roads joined where they share a point or cross between points; distances are in grid units.

    >>> across, upward = (GridPoint(0, 1), GridPoint(2, 1)), (GridPoint(1, 0), GridPoint(1, 2))
    >>> cross = RoadNetwork((Road("1", across), Road("2", upward)))
    >>> round(float(cross.distances([GridPoint(0, 1)], [GridPoint(1, 2)])[0, 0]), 6)
    2.0
    """

    roads: tuple[Road, ...]

    @cached_property
    def points(self) -> tuple[GridPoint, ...]:
        """All road points in file order, each once: the candidates for a group's centre."""
        return tuple(dict.fromkeys(point for road in self.roads for point in road.points))

    def distances(self, sources: Sequence[GridPoint], targets: Sequence[GridPoint]) -> NDArray[np.float64]:
        """Shortest distances along the roads from each source to each target; infinite where no road leads."""
        graph, index = self._graph
        rows = [self._node(place, index) for place in sources]
        columns = [self._node(place, index) for place in targets]
        # Sites are asked about again and again, and one search from a place gives its distances to all others.
        if new := sorted(set(rows) - self._reached.keys()):
            from scipy.sparse.csgraph import dijkstra

            self._reached.update(zip(new, dijkstra(graph, directed=False, indices=new), strict=True))
        return np.array([self._reached[row][columns] for row in rows]).reshape(len(rows), len(columns))

    def nearest(self, place: GridPoint) -> GridPoint:
        """Find the road point nearest to a place, where a click beside the road is meant to be."""
        return self.points[int(np.argmin(((self._places - np.array(place)) ** 2).sum(axis=1)))]

    def __contains__(self, place: object) -> bool:
        return place in self._graph[1]

    @cached_property
    def _reached(self) -> dict[int, NDArray[np.float64]]:
        return {}

    @cached_property
    def _places(self) -> NDArray[np.float64]:
        return np.array(self.points, dtype=float)

    def _node(self, place: GridPoint, index: dict[GridPoint, int]) -> int:
        try:
            return index[place]
        except KeyError:
            raise Invalid(
                f"({place.x:g}, {place.y:g}) is not on a road; the nearest road point is "
                f"({self.nearest(place).x:g}, {self.nearest(place).y:g})."
            ) from None

    @cached_property
    def _graph(self) -> tuple[object, dict[GridPoint, int]]:
        from scipy.sparse import csr_array

        pieces = [(first, second) for road in self.roads for first, second in pairwise(road.points) if first != second]
        index = {point: number for number, point in enumerate(self.points)}
        edges: dict[tuple[int, int], float] = {}
        for (first, second), cuts in zip(pieces, _crossings(pieces), strict=True):
            along = sorted({first, second, *cuts}, reverse=first > second)
            for a, b in pairwise(along):
                one, other = (index.setdefault(p, len(index)) for p in (a, b))
                edges[min(one, other), max(one, other)] = float(np.hypot(a.x - b.x, a.y - b.y))
        rows, columns = np.array(list(edges)).T if edges else np.zeros((2, 0), dtype=int)
        graph = csr_array((np.array(list(edges.values())), (rows, columns)), shape=(len(index), len(index)))
        return graph, index


def _crossings(pieces: list[tuple[GridPoint, GridPoint]]) -> list[list[GridPoint]]:
    """Where each piece of road meets others inside itself: crossings, and ends of others that touch it."""
    cuts: list[list[GridPoint]] = [[] for _ in pieces]
    if not pieces:
        return cuts
    first, second = np.array([p[0] for p in pieces], dtype=float), np.array([p[1] for p in pieces], dtype=float)
    low, high = np.minimum(first, second), np.maximum(first, second)
    before = np.logical_and(*(low[:, None, axis] <= high[None, :, axis] for axis in (0, 1)))
    i, j = np.nonzero(np.triu(before & before.T, k=1))
    along, other, gap = second[i] - first[i], second[j] - first[j], first[j] - first[i]
    turn = _cross(along, other)
    with np.errstate(divide="ignore", invalid="ignore"):
        here, there = _cross(gap, other) / turn, _cross(gap, along) / turn
    crossing = (turn != 0) & (here >= 0) & (here <= 1) & (there >= 0) & (there <= 1)
    # Where both parameters are ends, the pieces share a point and nothing is cut.
    crossing &= ((here > 0) & (here < 1)) | ((there > 0) & (there < 1))
    for pair in np.flatnonzero(crossing):
        point = GridPoint(*(first[i[pair]] + here[pair] * along[pair]).tolist())
        cuts[i[pair]].append(point)
        cuts[j[pair]].append(point)
    parallel = np.flatnonzero(turn == 0)
    for one, two in ((i[parallel], j[parallel]), (j[parallel], i[parallel])):
        for ends in (first, second):
            inside = _inside(ends[two], first[one], second[one])
            for piece, end in zip(one[inside], ends[two][inside], strict=True):
                cuts[piece].append(GridPoint(*end.tolist()))
    return cuts


def _cross(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])


def _inside(point: NDArray[np.float64], start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether points lie on pieces, strictly between their ends."""
    along, gap = end - start, point - start
    share = (along * gap).sum(axis=1)
    return np.asarray((_cross(along, gap) == 0) & (share > 0) & (share < (along**2).sum(axis=1)))
