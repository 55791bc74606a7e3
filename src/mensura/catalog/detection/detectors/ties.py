"""Who deals with whom: a weighted graph of names, and who is close to some of them."""

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.detectors.picture import Integers, Picture

WEIGHTS = {"call": 1.0, "meeting": 2.0, "transfer": 2.0}


class Graph:
    """Weighted ties between names as sparse rows."""

    def __init__(self, start: Integers, other: Integers, weight: NDArray[np.float64]) -> None:
        self.start, self.other, self.weight = start, other, weight

    @classmethod
    def of(cls, picture: Picture) -> "Graph":
        """Gather calls, meetings and transfers between known names."""
        reports = picture.reports
        parts = [(reports.of(kind), weight) for kind, weight in WEIGHTS.items()]
        chosen = np.concatenate([part for part, _ in parts])
        weight = np.concatenate([np.full(len(part), weight) for part, weight in parts])
        first, second = reports.actor[chosen], reports.other[chosen]
        known = (first >= 0) & (second >= 0) & (first != second)
        first, second, weight = first[known], second[known], weight[known]
        both = np.concatenate((first * picture.names + second, second * picture.names + first))
        keys, place = np.unique(both, return_inverse=True)
        total = np.bincount(place, np.concatenate((weight, weight)), minlength=len(keys))
        row = keys // picture.names
        start = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=picture.names)))).astype(np.int64)
        return cls(start, (keys % picture.names).astype(np.int64), total.astype(np.float64))

    def ties(self, name: int) -> dict[int, float]:
        """Return everyone a name deals with, and how much."""
        part = slice(self.start[name], self.start[name + 1])
        return dict(zip(self.other[part].tolist(), self.weight[part].tolist(), strict=True))


def closeness(graph: Graph, seeds: list[int]) -> dict[int, float]:
    """How much of each name's dealings are with the seeds, weighted by how many seeds it deals with."""
    total: dict[int, float] = {}
    partners: dict[int, int] = {}
    for seed in seeds:
        for other, weight in graph.ties(seed).items():
            total[other] = total.get(other, 0.0) + weight
            partners[other] = partners.get(other, 0) + 1
    return {name: total[name] * partners[name] / (1.0 + sum(graph.ties(name).values())) for name in total}
