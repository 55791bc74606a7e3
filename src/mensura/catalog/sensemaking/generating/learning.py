"""Tasks 1-3 of a generated exam: attacks drawn from groups with their own rate, centre and dispersion."""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.model import LearningBlock, LearningTask
from mensura.catalog.sensemaking.exam.place import Attack, GridPoint
from mensura.catalog.sensemaking.exam.roads import RoadNetwork
from mensura.catalog.sensemaking.generating.setter import Setter, draw_until, far_apart


def make_plane_task(by: Setter, number: int, groups: tuple[str, ...]) -> LearningTask:
    """Make Task 1 or 2: attacks scatter round centres on the plane."""
    rates = _rates(by, len(groups))
    sigmas = by.rng.uniform(by.design.least_sigma, by.design.largest_sigma, size=len(groups))
    centres = _overlapping(by, sigmas)

    def attack(group: int) -> GridPoint:
        while True:
            x, y = np.rint(by.rng.normal(centres[group], sigmas[group]))
            if 0 <= x < by.grid.width and 0 <= y < by.grid.height:
                return GridPoint(float(x), float(y))

    return _blocks(by, number, groups, rates, attack)


def make_road_task(by: Setter, network: RoadNetwork, roads: str) -> LearningTask:
    """Make Task 3: attacks fall off with distance along the roads from centres on the roads."""
    groups, points = by.groups, network.points
    rates = _rates(by, len(groups))

    def draw() -> list[GridPoint] | None:
        some = [points[int(i)] for i in by.rng.choice(len(points), size=len(groups), replace=False)]
        return some if far_apart(some, by.design.separation) else None

    chosen = draw_until(draw, what="centres far enough apart on the roads")
    miles = by.grid.miles_per_unit * network.distances(chosen, points)
    chance = by.probs.distance_likelihood(miles)
    chance /= chance.sum(axis=1, keepdims=True)

    def attack(group: int) -> GridPoint:
        return points[int(by.rng.choice(len(points), p=chance[group]))]

    return _blocks(by, 3, groups, rates, attack, roads=roads)


def _blocks(
    by: Setter,
    number: int,
    groups: tuple[str, ...],
    rates: NDArray[np.float64],
    attack: Callable[[int], GridPoint],
    *,
    roads: str | None = None,
) -> LearningTask:
    rng = by.rng
    shown, blocks = getattr(by.design, f"shown_{number}"), getattr(by.design, f"blocks_{number}")

    def sample(first: bool) -> tuple[NDArray[np.int64], list[GridPoint]] | None:
        drawn = rng.choice(len(groups), size=shown, p=rates)
        places = [attack(int(group)) for group in drawn]
        # Before the first judgement every group must have been seen at two places, or its spread is unknown.
        seen = [{place for place, g in zip(places, drawn, strict=True) if g == k} for k in range(len(groups))]
        return None if first and min(len(each) for each in seen) < 2 else (drawn, places)

    made = []
    for block in range(1, blocks + 1):
        drawn, places = draw_until(partial(sample, block == 1), what="sample with every group in it twice")
        truth = int(rng.choice(len(groups), p=rates))
        made.append(
            LearningBlock(
                number=block,
                trial=block * (shown + 1),
                file=f"task{number}_{block}.csv",
                attacks=tuple(Attack(groups[int(g)], place) for g, place in zip(drawn, places, strict=True)),
                probe=attack(truth),
                truth=groups[truth],
            )
        )
    return LearningTask(number, by.heading(number), groups, tuple(made), roads)


def _rates(by: Setter, count: int) -> NDArray[np.float64]:
    """Different base rates, none below the least."""

    def draw() -> NDArray[np.float64] | None:
        rates = by.rng.dirichlet(np.full(count, 4.0))
        different = rates.min() >= by.design.least_base_rate and np.ptp(rates) >= 0.05
        return np.asarray(rates) if different else None

    return draw_until(draw, what="base rates that differ")


def _overlapping(by: Setter, sigmas: NDArray[np.float64]) -> NDArray[np.float64]:
    """Centres whose nearest neighbours are near enough to be confused and far enough to be learned."""
    scale = (sigmas[:, None] + sigmas[None]) / 2
    design, grid, margin = by.design, by.grid, by.design.largest_sigma
    low, high = (margin, margin), (grid.width - margin, grid.height - margin)

    def draw() -> NDArray[np.float64] | None:
        centres = by.rng.uniform(low, high, size=(len(sigmas), 2))
        gaps = np.hypot(*np.moveaxis(centres[:, None] - centres[None], -1, 0)) / scale
        np.fill_diagonal(gaps, np.inf)
        nearest = gaps.min(axis=1)
        fit = nearest.min() >= design.least_gap and nearest.max() <= design.largest_gap
        return np.asarray(centres) if fit else None

    return draw_until(draw, what="centres that overlap as wanted")
