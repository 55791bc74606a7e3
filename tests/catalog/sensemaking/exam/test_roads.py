import heapq
from itertools import pairwise

import numpy as np
import pytest

from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.exam.roads import Road, RoadNetwork
from mensura.errors import Invalid


def _road(*points):
    return Road(str(points[0]), tuple(GridPoint(*point) for point in points))


def test_distance_follows_the_road_and_not_the_crow():
    network = RoadNetwork((_road((0, 0), (0, 3), (4, 3)),))
    assert network.distances([GridPoint(0, 0)], [GridPoint(4, 3)])[0, 0] == pytest.approx(7.0)


def test_roads_that_cross_between_points_are_joined():
    network = RoadNetwork((_road((0, 0), (1, 1)), _road((0, 1), (1, 0))))
    assert network.distances([GridPoint(0, 0)], [GridPoint(1, 0)])[0, 0] == pytest.approx(2**0.5)


def test_a_road_that_ends_on_another_is_joined_to_it():
    network = RoadNetwork((_road((0, 0), (4, 0)), _road((2, 0), (2, 2))))
    assert network.distances([GridPoint(0, 0)], [GridPoint(2, 2)])[0, 0] == pytest.approx(4.0)


def test_roads_that_overlap_along_a_stretch_are_joined():
    network = RoadNetwork((_road((0, 0), (4, 0)), _road((2, 0), (6, 0), (6, 2))))
    assert network.distances([GridPoint(0, 0)], [GridPoint(6, 2)])[0, 0] == pytest.approx(8.0)


def test_places_without_a_road_between_them_are_infinitely_far():
    network = RoadNetwork((_road((0, 0), (1, 0)), _road((5, 5), (6, 5))))
    assert np.isinf(network.distances([GridPoint(0, 0)], [GridPoint(6, 5)])[0, 0])


def test_a_place_off_the_road_is_refused_with_the_nearest_road_point():
    network = RoadNetwork((_road((0, 0), (1, 0)),))
    with pytest.raises(Invalid, match=r"\(3, 4\) is not on a road; the nearest road point is \(1, 0\)"):
        network.distances([GridPoint(3, 4)], [GridPoint(0, 0)])


def test_random_grid_roads_agree_with_a_plain_dijkstra():
    rng = np.random.default_rng(3)
    for _ in range(20):
        roads, edges = [], {}
        for name in range(4):
            steps = rng.integers(-1, 2, size=(30, 2))
            walk = np.cumsum(np.vstack([rng.integers(5, 15, size=2), steps]), axis=0)
            # Only steps along the axes, so that no two roads cross between points.
            walk = walk[np.concatenate([[True], np.abs(np.diff(walk, axis=0)).sum(axis=1) == 1])]
            points = [GridPoint(*walk[0].tolist())]
            for point in walk[1:]:
                if abs(point - np.array(points[-1])).sum() == 1:
                    points.append(GridPoint(*point.tolist()))
            roads.append(Road(str(name), tuple(points)))
            for a, b in pairwise(points):
                edges.setdefault(a, {})[b] = edges.setdefault(b, {})[a] = 1.0
        network = RoadNetwork(tuple(roads))
        start = network.points[0]
        found = network.distances([start], network.points)[0]
        expected = _dijkstra(edges, start)
        np.testing.assert_allclose(found, [expected.get(point, np.inf) for point in network.points])


def _dijkstra(edges, start):
    done, queue = {}, [(0.0, start)]
    while queue:
        distance, place = heapq.heappop(queue)
        if place in done:
            continue
        done[place] = distance
        for other, length in edges.get(place, {}).items():
            heapq.heappush(queue, (distance + length, other))
    return done
