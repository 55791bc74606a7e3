"""Difficulty: how far load predicts which puzzles are failed, or how hard a calibration found them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mensura.catalog.puzzles.grammar.load import PARTS
from mensura.exhibit import Exhibit
from mensura.exhibit.exhibit import Cell
from mensura.stats import Estimate, bootstrap_estimate, record_generator, without_interval

LEAST = 20
"""Items below which no relation is estimated."""
RESAMPLES = 999
EVERY = "all kinds, within kind"


@dataclass(frozen=True)
class Faced:
    """How hard an item with a known load was: by one answer, 1 where it was wrong; or as a calibration measured."""

    item: str
    kind: str
    load: Mapping[str, float]
    hard: float


def difficulty_exhibit(faced: Sequence[Faced], *, measured: bool = False) -> list[Exhibit]:
    """Show the rank correlation of each part of the load with difficulty; nothing without loads."""
    known = [one for one in faced if one.load]
    if not known:
        return []
    kinds = sorted({one.kind for one in known})
    rows: list[Sequence[Cell]] = []
    for part in PARTS:
        cells = [relation([one for one in known if one.kind == kind], part) for kind in kinds]
        rows.append((part, relation(known, part), *cells))
    of = "the difficulty b that was calibrated" if measured else "the share of wrong answers"
    words = (
        f"Rank correlation of load with {of}, with 95 % intervals over items: 1 where every one "
        "of more load is harder, 0 where load says nothing. Over all kinds, ranks are taken within each. "
        f"Nothing is said of fewer than {LEAST} items, or where all have one load or are equally hard. "
        "Difficulty is not challenge: what is hard for one subject may be hard-wired in another."
    )
    title = f"How far load predicts {'calibrated ' if measured else ''}difficulty"
    return [Exhibit(title, words, ("part of the load", EVERY, *kinds), rows)]


def relation(faced: Sequence[Faced], part: str) -> Estimate:
    """Estimate the rank correlation of a part of the load with difficulty, over items."""
    items: dict[tuple[str, str], list[Faced]] = {}
    for one in faced:
        items.setdefault((one.kind, one.item), []).append(one)
    told = [
        (kind, held[0].load.get(part), float(np.mean([one.hard for one in held]))) for (kind, _), held in items.items()
    ]
    rows = [(kind, load, wrong) for kind, load, wrong in told if load is not None]
    if len(rows) < LEAST:
        return without_interval(float("nan"), n=len(rows), reason=f"fewer than {LEAST} items")
    ranked = np.array([_ranks(rows, place) for place in (1, 2)]).T
    if not ranked.std(axis=0).all():
        return without_interval(float("nan"), n=len(rows), reason="all have one load, or are equally hard")
    found = bootstrap_estimate(
        ranked, statistic=_correlation, rng=record_generator(ranked.ravel()), kind="percentile", resamples=RESAMPLES
    )
    return Estimate(found.value, found.low, found.high, found.n, f"rank correlation, {found.method}", "items")


def _ranks(rows: Sequence[tuple[str, float, float]], place: int) -> list[float]:
    """Rank within each kind, around 0."""
    from scipy.stats import rankdata

    kinds = np.array([row[0] for row in rows])
    values = np.array([row[place] for row in rows], dtype=float)
    ranks = np.zeros(len(rows))
    for kind in np.unique(kinds):
        own = kinds == kind
        found = rankdata(values[own])
        ranks[own] = (found - found.mean()) / own.sum()
    return [float(one) for one in ranks]


def _correlation(rows: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]") -> float:
    spread = rows.std(axis=0)
    return float(np.atleast_2d(np.corrcoef(rows.T))[0, 1]) if spread.all() else 0.0
