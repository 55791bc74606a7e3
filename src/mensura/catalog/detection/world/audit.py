"""Audit: whether numbers, order, counts, gaps or weekdays, each by itself, tell what is hidden in generated worlds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from mensura.catalog.detection.world.exploitation import ATTACK
from mensura.catalog.detection.world.making import ThreatWorld
from mensura.catalog.detection.world.tables import evidence_tables

# A sign tells if it sorts better than chance by this much, and by chance alone would do so less often than this.
MARGIN = 0.03
LEVEL = 0.001


@dataclass(frozen=True, slots=True)
class Sign:
    """How well a number sorts what is hidden from the rest: area under the ROC curve, 0.5 for not at all.

    `p` is the chance of as much by accident, corrected for the number of signs looked at (Bonferroni).
    """

    hidden: str
    sign: str
    area: float
    p: float

    @property
    def tells(self) -> bool:
        """Whether what is hidden can be guessed from this sign."""
        return abs(self.area - 0.5) > MARGIN and self.p < LEVEL


def audit(worlds: Iterable[ThreatWorld], rng: Generator) -> list[Sign]:
    """Try every sign on every world, reports within their kind, and pool the ranks; the most telling comes first."""
    from scipy.stats import norm

    sums: dict[tuple[str, str], Any] = {}
    for world in worlds:
        for hidden, flags, strata, signs in _looks(world, rng):
            for sign, values in signs.items():
                sums[hidden, sign] = sums.get((hidden, sign), 0) + _ranked(flags, strata, values)
    found = [
        Sign(*names, area=0.5 + excess / pairs, p=min(1.0, len(sums) * 2 * norm.sf(abs(excess) / variance**0.5)))
        for names, (excess, pairs, variance) in sums.items()
        if variance > 0
    ]
    return sorted(found, key=lambda each: -abs(each.area - 0.5))


def _ranked(flags: Any, strata: Any, values: Any) -> Any:
    """Return by how much rank sums exceed what is expected, of how many pairs, and the variance by permutation."""
    from scipy.stats import rankdata

    total = np.zeros(3)
    for stratum in np.unique(strata):
        here = strata == stratum
        ranks, flag = rankdata(values[here]), flags[here]
        one, size = int(flag.sum()), len(flag)
        if 0 < one < size:
            pairs = one * (size - one)
            total += ranks[flag].sum() - one * (size + 1) / 2, pairs, pairs / size * ranks.var(ddof=1)
    return total


def _looks(world: ThreatWorld, rng: Generator) -> Iterator[tuple[str, Any, Any, dict[str, Any]]]:
    """Return what is hidden, where it is so, what may be compared, and the signs."""
    society, reports, tables = world.society, world.evidence, evidence_tables(world, rng)
    groups, names, size = np.arange(society.groups), np.arange(society.identities), len(reports)
    listed = tables["memberships"]["group"].numbers
    place = np.searchsorted(listed, groups)
    signs: dict[str, Any] = {
        "number": groups,
        "place in the table": place,
        "names listed": np.bincount(listed, minlength=len(groups)),
    }
    yield "threat group", society.threat, np.zeros_like(groups), signs
    bearer = np.empty(len(names), np.int64)
    bearer[society.identity] = np.repeat(np.arange(society.persons), np.diff(society.alias_start))
    told: dict[str, Any] = {
        f"{name} listed": np.bincount(tables[name]["name"].numbers, minlength=len(names))
        for name in ("capabilities", "resources", "memberships")
    }
    told |= {"number": names, "in no table": sum(told.values()) == 0}
    yield "name of a threat", np.isin(bearer, society.threat_persons()), np.zeros_like(names), told
    seen = np.bincount(np.concatenate((reports.actor, reports.other)) + 1, minlength=len(names) + 1)[1:]
    several = np.diff(society.alias_start)[bearer] > 1
    yield "one of several names", several, np.zeros_like(names), told | {"times reported": seen}
    first, last = (np.searchsorted(reports.reported, reports.reported, side=side) for side in ("left", "right"))
    signs = {
        "weekend": reports.day % 7 >= 5,
        "place within the day": (np.arange(size) - first) / (last - first),
        "delay": reports.reported - reports.day,
        "gaps": sum((getattr(reports, name) < 0).astype(int) for name in ("actor", "other", "item", "target")),
        "deals with oneself": (reports.actor == reports.other) & (reports.actor >= 0),
    }
    part = reports.event >= 0
    yield "report of an exploitation", part, reports.kind, signs
    yield "report of an attack", part & (world.exploitations.context[reports.event] == ATTACK), reports.kind, signs
