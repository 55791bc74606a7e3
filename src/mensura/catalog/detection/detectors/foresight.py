"""Attacks still in preparation: suspects seen at a target, whose circle has acquired what it takes to destroy it."""

from collections.abc import Iterable

import numpy as np

from mensura.catalog.detection.detectors.circle import Acquaintances
from mensura.catalog.detection.detectors.clusters import AssetCluster
from mensura.catalog.detection.detectors.picture import Integers, Picture, Record
from mensura.catalog.detection.world.truth import ATTACK

# Assets are brought to the target in the last two fifths of an attack; a visit tells of one about this much before
# its end, as a share of its usual length.
AHEAD = 0.35


def foresee_attacks(
    picture: Picture, suspects: Iterable[int], *, today: int, recent: float = 25.0, least_coverage: float = 0.5
) -> list[Record]:
    """Report attacks under way, from who was at a target of late and what those around them acquired.

    A target is in danger where a suspect was seen, and what the suspects there, the suspects they deal with, and
    visitors who deal with one another have acquired covers a destructive mode of the target by half or more and no
    worse than any peaceful one.

    Parameters
    ----------
    suspects : iterable of int
        Names in attacks or threat groups that are known or were found before.
    today : int
        Day on which the alert is raised.
    recent : float
        How many days back a visit still counts.
    """
    known = set(suspects)
    reports, circle = picture.reports, Acquaintances(picture)
    seen = reports.of("visit", "application")
    seen = seen[(reports.day[seen] > today - recent) & (reports.actor[seen] >= 0)]
    records = []
    for target in sorted(picture.open_to):
        cluster = _visits(picture, seen[reports.target[seen] == target], target)
        there = known.intersection(cluster.actors)
        if not there:
            continue
        dealings = {name: circle.dealings(name, cluster) for name in cluster.actors}
        team = there | {other for name in there for other in dealings[name] if other in known}
        team |= {other for name in cluster.actors for other in dealings[name] if other in cluster.actors}
        assets = circle.acquired(team, cluster) | cluster.assets
        mode, coverage = _likeliest(picture, assets, target)
        if mode is not None and coverage >= least_coverage:
            leader = circle.leader(tuple(sorted(team)), cluster)
            records.append(_alert(picture, target, mode, sorted(team), leader, today=today, confidence=coverage))
    return records


def _visits(picture: Picture, part: Integers, target: int) -> AssetCluster:
    days, items = picture.reports.day[part], picture.reports.item[part[picture.reports.of_kind(part, "application")]]
    assets, actors = frozenset(items[items >= 0].tolist()), tuple(np.unique(picture.reports.actor[part]).tolist())
    return AssetCluster(target, part, int(days.min(initial=0)), int(days.max(initial=0)), assets, actors)


def _likeliest(picture: Picture, assets: frozenset[int], target: int) -> tuple[int | None, float]:
    """The destructive mode that is covered best, None where a peaceful one is covered better."""
    covered = {mode: len(picture.needs[mode] & assets) / len(picture.needs[mode]) for mode in picture.open_to[target]}
    modes = sorted(mode for mode in covered if mode in picture.destructive)
    if not modes:
        return None, 0.0
    best = max(modes, key=lambda mode: covered[mode])
    peaceful = max((value for mode, value in covered.items() if mode not in picture.destructive), default=0.0)
    return (best, covered[best]) if covered[best] >= peaceful else (None, 0.0)


def _alert(
    picture: Picture, target: int, mode: int, team: list[int], leader: int | None, *, today: int, confidence: float
) -> Record:
    end = today + AHEAD * picture.days_mean
    record: Record = {
        "type": ATTACK,
        "uid": f"ahead-{today}-T{target}",
        "startingDate": max(0, round(end - picture.days_mean)),
        "endingDate": round(end),
        "minAssetApplicationEndingDate": round(end - picture.applying_share * picture.days_mean),
        "maxAssetApplicationEndingDate": round(end),
        "targetInExploitation": f"T{target}",
        "modeInExploitation": f"M{mode}",
        "deliberateActors": [f"I{name}" for name in team],
        "confidence": round(0.4 * confidence, 6),
    }
    if leader is not None:
        record["directingAgent"] = f"I{leader}"
    return record
