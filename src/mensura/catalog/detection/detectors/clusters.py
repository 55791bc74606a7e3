"""Assets applied at one target in one stretch of time, and the mode that explains them best."""

from dataclasses import dataclass

import numpy as np

from mensura.catalog.detection.detectors.picture import Integers, Picture


@dataclass(frozen=True, slots=True)
class AssetCluster:
    """Reports of applications at one target, close in time."""

    target: int
    reports: Integers
    first: int
    last: int
    assets: frozenset[int]
    actors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A mode that may explain a cluster: how much of what it needs was seen, and how much of what was seen it needs."""

    mode: int
    coverage: float
    purity: float

    @property
    def fit(self) -> float:
        """Harmonic mean of coverage and purity."""
        total = self.coverage + self.purity
        return 2 * self.coverage * self.purity / total if total > 0 else 0.0


def find_clusters(picture: Picture, *, gap: float) -> list[AssetCluster]:
    """Cut the applications at every target where nothing was reported for longer than `gap` days."""
    reports = picture.reports
    chosen = reports.of("application")
    chosen = chosen[(reports.target[chosen] >= 0) & (reports.item[chosen] >= 0)]
    chosen = chosen[np.lexsort((reports.day[chosen], reports.target[chosen]))]
    target, day = reports.target[chosen], reports.day[chosen]
    cut = (np.diff(target) != 0) | (np.diff(day) > gap)
    return [_cluster(picture, part) for part in np.split(chosen, np.flatnonzero(cut) + 1) if len(part) > 1]


def read_cluster(picture: Picture, assets: frozenset[int], target: int) -> list[Interpretation]:
    """Return the modes that the target supports, best fit first."""
    readings = []
    for mode in sorted(picture.open_to.get(target, frozenset())):
        need = picture.needs[mode]
        shared = len(need & assets)
        if shared:
            readings.append(Interpretation(mode, shared / len(need), shared / len(assets)))
    return sorted(readings, key=lambda each: -each.fit)


def _cluster(picture: Picture, part: Integers) -> AssetCluster:
    reports, days, actors = picture.reports, picture.reports.day[part], picture.reports.actor[part]
    assets, known = frozenset(reports.item[part].tolist()), tuple(np.unique(actors[actors >= 0]).tolist())
    return AssetCluster(int(reports.target[part[0]]), part, int(days.min()), int(days.max()), assets, known)
