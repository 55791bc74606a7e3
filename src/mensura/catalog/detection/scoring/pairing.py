"""Pairs hypothesised with reference cases of one type."""

from dataclasses import dataclass, replace
from math import nan

import numpy as np

from mensura.catalog.detection.scoring.arrays import Integers
from mensura.catalog.detection.scoring.assignment import Assignment, Candidates, greedy, optimal, unique
from mensura.catalog.detection.scoring.candidates import Found
from mensura.catalog.detection.scoring.comparison import Comparison, Pairs
from mensura.catalog.detection.scoring.crowd import MOST_OPEN, greedy_with_common, optimal_with_common
from mensura.catalog.detection.scoring.likeness import Table
from mensura.catalog.detection.scoring.options import Options
from mensura.catalog.detection.scoring.specification import CaseType
from mensura.errors import BadParameter


@dataclass(frozen=True, slots=True)
class Pairing:
    """How the cases of one type were paired.

    `pairs` are one-to-one, those paired by force first. `greedy_gap` is what greedy choice would lose of the mean
    objective per case, and `unique` whether no other pairing is as good; both are about the pairs not forced.
    """

    pairs: Pairs
    forced: int
    greedy_gap: float
    unique: bool | None
    found: Found
    comparison: Comparison


def pair(
    kind: CaseType, comparison: Comparison, *, options: Options, force: bool, known: Pairs | None = None
) -> Pairing:
    """Pair one-to-one: equal identifiers by force, the rest optimally or greedily among the candidates.

    `known` are all candidates where they were compared before.
    """
    forced = _forced(comparison) if force else (np.empty(0, np.int64), np.empty(0, np.int64))
    if known is None:
        found = comparison.candidates(kind, options, skip=forced)
    else:
        found = comparison.listed(known, kind, options, skip=forced)
    best, quick, entries = _solve(found)
    if options.pairs == "greedy" and quick is None:
        raise BadParameter(
            f"More than {MOST_OPEN} pairs of {kind.name} are left open to the greedy choice, which would take too "
            f"long. Raise the threshold, or pair optimally."
        )
    chosen = quick if options.pairs == "greedy" and quick else best
    rows = np.flatnonzero(chosen.partner >= 0)
    reference = np.concatenate((forced[0], rows))
    hypothesis = np.concatenate((forced[1], chosen.partner[rows]))
    cases = max(len(comparison.reference), len(comparison.hypotheses))
    return Pairing(
        pairs=_named_pairs(kind, comparison, reference, hypothesis),
        forced=len(forced[0]),
        greedy_gap=nan if quick is None else (best.total - quick.total) / max(cases, 1),
        unique=unique(entries, best),
        found=replace(found, candidates=entries),
        comparison=comparison,
    )


def _solve(found: Found) -> tuple[Assignment, Assignment | None, Candidates]:
    if found.common is None:
        return optimal(found.candidates), greedy(found.candidates), found.candidates
    best, entries = optimal_with_common(found.candidates, found.common)
    return best, greedy_with_common(found.candidates, found.common), entries


def many_pairs(kind: CaseType, pairing: Pairing, *, how: str) -> Pairs:
    """Pair so that several hypotheses may share a reference (many-to-one), or every candidate counts (many-to-many)."""
    found = pairing.found
    if found.common is None:
        sparse = found.candidates.sparse()
        rows = np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.start))
        columns = sparse.columns
        if how == "many-to-one":
            order = np.lexsort((rows, -sparse.worth, columns))
            _, first = np.unique(columns[order], return_index=True)
            rows, columns = rows[order][first], columns[order][first]
    elif how == "many-to-one" and found.survey is not None and found.survey.best_row is not None:
        columns = np.flatnonzero(found.survey.best_row >= 0)
        rows = found.survey.best_row[columns]
    else:
        counted = "" if found.survey is None else f" ({found.survey.per_reference.sum()})"
        raise BadParameter(
            f"There are too many candidate pairs of {kind.name}{counted} for {how} pairing, which "
            f"{'lists every one' if how == 'many-to-many' else 'looks at every one'}. Raise the threshold."
        )
    forced = slice(0, pairing.forced)
    reference = np.concatenate((pairing.pairs.reference[forced], rows))
    hypothesis = np.concatenate((pairing.pairs.hypothesis[forced], columns))
    return _named_pairs(kind, pairing.comparison, reference, hypothesis)


def all_pairs(comparison: Comparison, kind: CaseType, *, options: Options) -> Pairs:
    """List every candidate pair of a type with its scores."""
    nobody = np.empty(0, np.int64)
    words = f"local pairing of {kind.name} (pairing them globally does not)"
    sparse = comparison.candidates(kind, options, skip=(nobody, nobody), listed_for=words).candidates.sparse()
    return comparison.pairs(np.repeat(np.arange(sparse.shape[0]), np.diff(sparse.start)), sparse.columns)


def nested_table(comparison: Comparison, pairs: Pairs, *, crisp: bool) -> Table:
    """Credit between all cases of a type, for pairing within the context of two supercases."""
    ones = np.ones(len(pairs))
    return Table(
        {thing.uid: place for place, thing in enumerate(comparison.reference)},
        {thing.uid: place for place, thing in enumerate(comparison.hypotheses)},
        pairs.reference,
        pairs.hypothesis,
        pairs.f,
        ones if crisp else pairs.recall,
        ones if crisp else pairs.precision,
    )


def _forced(comparison: Comparison) -> tuple[Integers, Integers]:
    place = {thing.uid: position for position, thing in enumerate(comparison.hypotheses)}
    pairs = [(position, place[thing.uid]) for position, thing in enumerate(comparison.reference) if thing.uid in place]
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return both[:, 0], both[:, 1]


def _named_pairs(kind: CaseType, comparison: Comparison, reference: Integers, hypothesis: Integers) -> Pairs:
    pairs = comparison.pairs(reference, hypothesis)
    if not kind.open:
        return pairs
    # Where one side only names an object of an open type, the name is all there is to get right.
    named = np.array(
        [
            comparison.reference[i].implied or comparison.hypotheses[j].implied
            for i, j in zip(reference, hypothesis, strict=True)
        ],
        np.bool_,
    )
    filled = (np.where(named, 1.0, each) for each in (pairs.recall, pairs.precision, pairs.f))
    return Pairs(reference, hypothesis, *filled)
