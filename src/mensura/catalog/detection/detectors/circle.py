"""Those around a few names at a certain time: whom they dealt with, what they acquired, and who leads them."""

from collections.abc import Iterable

import numpy as np

from mensura.catalog.detection.detectors.clusters import AssetCluster
from mensura.catalog.detection.detectors.picture import Integers, Picture

SOCIAL = ("call", "meeting", "transfer")
PLACED = ("visit", "incident")


class Acquaintances:
    """Reports by the names in them."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        reports = picture.reports
        everything = np.arange(len(reports.actor))
        names = np.concatenate((reports.actor, reports.other))
        self._reports = _by(names, np.concatenate((everything, everything)))
        self._at = {kind: _by(reports.target[part], part) for kind in PLACED for part in (reports.of(kind),)}

    def seen(self, kind: str, target: int, begin: float, end: float) -> Integers:
        """Return the reports of visits or incidents at a target between two days."""
        part = self._at[kind].get(target, np.empty(0, np.int64))
        day = self.picture.reports.day[part]
        return part[(day >= begin) & (day <= end)]

    def window(self, cluster: AssetCluster) -> tuple[float, float]:
        """Return the days in which those behind a cluster may have prepared it."""
        return cluster.last - 1.6 * self.picture.days_mean, cluster.last + 10.0

    def dealings(self, name: int, cluster: AssetCluster) -> dict[int, float]:
        """Return whom someone called, met or passed things to in the time of a cluster, and how often."""
        reports = self.picture.reports
        part = self._during(name, cluster)
        ties: dict[int, float] = {}
        for row in part[reports.of_kind(part, *SOCIAL)].tolist():
            other = int(reports.other[row] if reports.actor[row] == name else reports.actor[row])
            if other >= 0 and other != name:
                ties[other] = ties.get(other, 0.0) + 1.0
        return ties

    def acquired(self, team: Iterable[int], cluster: AssetCluster) -> frozenset[int]:
        """Return the assets that a team dealt with in the time of a cluster."""
        items = self.picture.reports.item
        return frozenset(item for name in team for item in items[self._during(name, cluster)].tolist() if item >= 0)

    def leader(self, team: tuple[int, ...], cluster: AssetCluster) -> int | None:
        """Return the one who called or met most of the others, if it is two or more."""
        members = set(team)
        reach = {name: sum(other in members for other in self.dealings(name, cluster)) for name in team}
        best = max(reach, key=lambda name: (reach[name], -name), default=None)
        return best if best is not None and reach[best] >= 2 else None

    def _during(self, name: int, cluster: AssetCluster) -> Integers:
        begin, end = self.window(cluster)
        part = self._reports.get(name, np.empty(0, np.int64))
        day = self.picture.reports.day[part]
        return part[(day >= begin) & (day <= end)]


def _by(keys: Integers, rows: Integers) -> dict[int, Integers]:
    """Return rows by key; negative keys are unknown and left out."""
    order = np.argsort(keys, kind="stable")
    once, first = np.unique(keys[order], return_index=True)
    parts = np.split(rows[order], first[1:])
    return {key: part for key, part in zip(once.tolist(), parts, strict=False) if key >= 0}
