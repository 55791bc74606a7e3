"""Pairs two sides: one-to-one, optimally or greedily, or so that several may share a partner."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from mensura.errors import BadParameter
from mensura.scores.matching.arrays import Integers
from mensura.scores.matching.assignment import Matching, greedy, optimal, unique
from mensura.scores.matching.candidates import Shortlist
from mensura.scores.matching.crowd import MOST_OPEN, greedy_with_common, optimal_with_common
from mensura.scores.matching.likeness import Likeness, ScoredPairs


@dataclass(frozen=True, slots=True)
class Pairing:
    """How two sides were paired.

    `pairs` are one-to-one, those paired by force first. `greedy_gap` is what greedy choice would lose of the mean
    objective per case, and `unique` whether no other pairing, of these or of cases nested in them, is as good; both are
    about the pairs not forced.
    """

    pairs: ScoredPairs
    forced: int
    greedy_gap: float
    unique: bool
    shortlist: Shortlist
    likeness: Likeness


def pair(
    likeness: Likeness, shortlist: Shortlist, *, forced: tuple[Integers, Integers], how: str, what: str = "cases"
) -> Pairing:
    """Pair one-to-one: some by force, the rest among the candidates.

    Those `forced` are paired whatever they are worth; the shortlist leaves them out. ``greedy`` takes the largest entry
    left again and again, any other `how` the greatest sum. `what` is paired, for an error.
    """
    quick: Matching | None
    if shortlist.common is None:
        entries = shortlist.candidates
        best, quick = optimal(entries), greedy(entries)
    else:
        best, entries = optimal_with_common(shortlist.candidates, shortlist.common)
        quick = greedy_with_common(shortlist.candidates, shortlist.common)
    if how == "greedy" and quick is None:
        raise BadParameter(
            f"More than {MOST_OPEN} pairs of {what} are left open to the greedy choice, which would take too "
            f"long. Raise the threshold, or pair optimally."
        )
    chosen = quick if how == "greedy" and quick else best
    rows = np.flatnonzero(chosen.partner >= 0)
    pairs = likeness.pairs(np.concatenate((forced[0], rows)), np.concatenate((forced[1], chosen.partner[rows])))
    gap = nan if quick is None else (best.total - quick.total) / max(*likeness.shape, 1)
    found = replace(shortlist, candidates=entries)
    return Pairing(pairs, len(forced[0]), gap, unique(entries, best), found, likeness)


def many_pairs(pairing: Pairing, *, how: str, what: str = "cases") -> ScoredPairs:
    """Pair so that several hypotheses may share a reference (many-to-one), or every candidate counts (many-to-many)."""
    found = pairing.shortlist
    if found.common is None:
        rows, columns = found.candidates.positions()
        if how == "many-to-one":
            order = np.lexsort((rows, -found.candidates.sparse().worth, columns))
            _, first = np.unique(columns[order], return_index=True)
            rows, columns = rows[order][first], columns[order][first]
    elif how == "many-to-one" and found.survey is not None and found.survey.best_row is not None:
        columns = np.flatnonzero(found.survey.best_row >= 0)
        rows = found.survey.best_row[columns]
    else:
        counted = "" if found.survey is None else f" ({found.survey.per_reference.sum()})"
        raise BadParameter(
            f"There are too many candidate pairs of {what}{counted} for {how} pairing, which "
            f"{'lists every one' if how == 'many-to-many' else 'looks at every one'}. Raise the threshold."
        )
    forced = pairing.pairs.only(np.arange(pairing.forced))
    return pairing.likeness.pairs(
        np.concatenate((forced.reference, rows)), np.concatenate((forced.hypothesis, columns))
    )
