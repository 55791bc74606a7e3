"""How far a score could have come out otherwise: the bootstrap over pairs, and over the same references for two."""

from dataclasses import asdict, dataclass
from math import nan

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.hypotheses.measures.metrics import Counts
from mensura.errors import BadParameter
from mensura.scores.matching import Candidates, Pairing, ScoredPairs, optimal
from mensura.scores.matching.arrays import Floats, Integers
from mensura.stats import Estimate, record_generator
from mensura.stats.estimate import without_interval

SCORES = ("precision", "recall", "f", "mean_pair_f", "traditional_f", "nacc")
# Fewer units give intervals that cover too seldom.
LEAST = 10
# Columns of the table of units.
_REFERENCES, _HYPOTHESES, _RECALL, _PRECISION, _F, _PAIRED, _COST, _SILENCE = range(8)
CASES = "cases"


@dataclass(frozen=True, slots=True)
class Units:
    """What is resampled: pairs, references alone and hypotheses alone, and what each adds to the sums.

    `reference` and `hypothesis` are positions of the cases, -1 for none; `forced` marks pairs of equal identifiers.
    """

    sums: Floats
    reference: Integers
    hypothesis: Integers
    forced: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.sums)


def units_of(pairing: Pairing, *, counted: tuple[NDArray[np.bool_], NDArray[np.bool_]]) -> Units:
    """Take a pairing apart into units; references and hypotheses that were only named are not `counted`."""
    costs = pairing.likeness.costs
    kept = counted[0][pairing.pairs.reference] & counted[1][pairing.pairs.hypothesis]
    pairs = pairing.pairs.only(kept)
    i, j = pairs.reference, pairs.hypothesis
    alone_i = np.setdiff1d(np.flatnonzero(counted[0]), i)
    alone_j = np.setdiff1d(np.flatnonzero(counted[1]), j)
    reference = np.concatenate((i, alone_i, np.full(len(alone_j), -1))).astype(np.int64)
    hypothesis = np.concatenate((j, np.full(len(alone_i), -1), alone_j)).astype(np.int64)
    forced = np.zeros(len(reference), np.bool_)
    forced[: len(i)] = (np.arange(len(kept)) < pairing.forced)[kept]
    sums = _sums(reference, hypothesis, costs)
    _add_pairs(sums, pairs, costs)
    return Units(sums, reference, hypothesis, forced)


def _sums(reference: Integers, hypothesis: Integers, costs: tuple[Floats, Floats]) -> Floats:
    """What lone cases add: their number and their cost."""
    sums = np.zeros((len(reference), 8))
    has_reference, has_hypothesis = reference >= 0, hypothesis >= 0
    sums[:, _REFERENCES], sums[:, _HYPOTHESES] = has_reference, has_hypothesis
    sums[has_reference, _SILENCE] = costs[0][reference[has_reference]]
    sums[:, _COST] = sums[:, _SILENCE]
    sums[has_hypothesis, _COST] += costs[1][hypothesis[has_hypothesis]]
    return sums


def _add_pairs(sums: Floats, pairs: ScoredPairs, costs: tuple[Floats, Floats]) -> None:
    """Add to the first rows what their pairs gain and save."""
    rows = slice(0, len(pairs))
    sums[rows, _RECALL], sums[rows, _PRECISION], sums[rows, _F] = pairs.recall, pairs.precision, pairs.f
    sums[rows, _PAIRED] = 1
    sums[rows, _COST] -= pairs.precision * costs[1][pairs.hypothesis] + pairs.recall * costs[0][pairs.reference]


def scores_of(sums: Floats) -> Floats:
    """Turn sums of units (last axis) into the scores named in `SCORES`; NaN where there is nothing to divide by."""
    references, hypotheses = sums[..., _REFERENCES], sums[..., _HYPOTHESES]
    with np.errstate(divide="ignore", invalid="ignore"):
        precision = sums[..., _PRECISION] / hypotheses
        recall = sums[..., _RECALL] / references
        f = np.where(precision + recall > 0, 2 * precision * recall / (precision + recall), precision + recall)
        mean_f = sums[..., _F] / np.maximum(references, hypotheses)
        hits, found = sums[..., _PAIRED] / hypotheses, sums[..., _PAIRED] / references
        traditional = np.where(hits + found > 0, 2 * hits * found / (hits + found), hits + found)
        nacc = 1 - sums[..., _COST] / sums[..., _SILENCE]
    scores = np.stack((precision, recall, f, mean_f, traditional, nacc), axis=-1)
    return np.where(np.isfinite(scores), scores, np.nan)


def intervals(units: Units, *, resamples: int, level: float = 0.95) -> dict[str, Estimate]:
    """Estimate every score with a percentile interval, drawing pairs and lone cases with replacement.

    The pairing is kept, as in the source: pairing every sample anew would be expensive. Sampling thus answers how the
    scores vary with the cases met, not with the choice among pairings.
    """
    if len(units) == 0:
        return {name: without_interval(nan, n=0, reason="no cases") for name in SCORES}
    value = scores_of(units.sums.sum(axis=0))
    if resamples == 0 or len(units) < LEAST:
        reason = f"a bootstrap needs at least {LEAST} cases" if resamples else "no interval asked for"
        return _bare(value, n=len(units), reason=reason)
    drawn = _drawn(units.sums, resamples=resamples)
    method = f"percentile bootstrap over {len(units)} pairs and lone cases, {len(drawn)} resamples, pairing kept"
    return _estimates(value, scores_of(drawn), n=len(units), method=method, level=level)


def repaired_intervals(units: Units, *, pairing: Pairing, resamples: int) -> dict[str, Estimate]:
    """Estimate every score with an interval for which every sample is paired anew (optimally).

    Pairs and lone cases are drawn with replacement as in `intervals`; what is drawn is then paired among itself.
    Pairs of equal identifiers stay together. Where pairs that share only very common values were not listed, a sample
    is paired without them, and the method says so.
    """
    if resamples == 0 or len(units) < LEAST:
        return intervals(units, resamples=resamples)
    costs = pairing.likeness.costs
    worth = pairing.shortlist.candidates.sparse().as_csr()
    rng = record_generator(units.sums)
    drawn = np.empty((resamples, units.sums.shape[1]))
    for sample in range(resamples):
        chosen = rng.integers(len(units), size=len(units))
        fixed, loose = chosen[units.forced[chosen]], chosen[~units.forced[chosen]]
        references, hypotheses = units.reference[loose], units.hypothesis[loose]
        references, hypotheses = references[references >= 0], hypotheses[hypotheses >= 0]
        partner = optimal(Candidates.from_csr(worth[references][:, hypotheses])).partner
        rows = np.flatnonzero(partner >= 0)
        pairs = pairing.likeness.pairs(references[rows], hypotheses[partner[rows]])
        total = units.sums[fixed].sum(axis=0)
        total += _sums(references, np.full(len(references), -1), costs).sum(axis=0)
        total += _sums(np.full(len(hypotheses), -1), hypotheses, costs).sum(axis=0)
        gained = np.zeros((len(pairs), units.sums.shape[1]))
        _add_pairs(gained, pairs, costs)
        drawn[sample] = total + gained.sum(axis=0)
    among = "" if pairing.shortlist.common is None else " among listed pairs"
    method = (
        f"percentile bootstrap over {len(units)} pairs and lone cases, {resamples} resamples, each paired anew{among}"
    )
    value = scores_of(units.sums.sum(axis=0))
    return _estimates(value, scores_of(drawn), n=len(units), method=method, level=0.95)


def shared_partners(counts: Counts, hits: Counts, *, n: int) -> dict[str, Estimate]:
    """Return the scores of a pairing in which cases share partners; the bootstrap over pairs does not hold for it."""
    values = {**asdict(counts), "mean_pair_f": nan, "traditional_f": hits.f}
    reason = "cases share partners"
    return {name: without_interval(each, n=n, reason=reason, population=CASES) for name, each in values.items()}


@dataclass(frozen=True, slots=True)
class Advantage:
    """First detector minus second on the same truth, for every score, and a test of it reference by reference."""

    differences: dict[str, Estimate]
    p: float
    references: int


def difference(first: Units, second: Units, *, references: int, resamples: int) -> Advantage:
    """Compare two detectors on the same references.

    References are drawn with replacement and take their pairs in both detectors with them; lone hypotheses of each
    detector are drawn on their own. The p-value exchanges the detectors' F at random, reference by reference.
    """
    from mensura.stats import paired_permutation

    if references == 0:
        raise BadParameter("Two detectors can only be compared on references, and there are none.")
    value = scores_of(first.sums.sum(axis=0)) - scores_of(second.sums.sum(axis=0))
    rng = record_generator(first.sums, second.sums)
    parts = [_by_reference(units, references) for units in (first, second)]
    results = []
    for _ in range(resamples):
        counts = np.bincount(rng.integers(references, size=references), minlength=references).astype(float)
        totals = []
        for shared, alone in parts:
            lone = np.bincount(rng.integers(max(1, len(alone)), size=len(alone)), minlength=len(alone))
            totals.append(counts @ shared + lone.astype(float) @ alone)
        results.append(scores_of(totals[0]) - scores_of(totals[1]))
    method = f"percentile bootstrap over {references} shared references, {resamples} resamples, pairings kept"
    if references < LEAST or resamples == 0:
        estimates = _bare(value, n=references, reason=f"a bootstrap needs at least {LEAST} references")
    else:
        estimates = _estimates(value, np.array(results), n=references, method=method, level=0.95)
    test = paired_permutation(first=parts[0][0][:, _F], second=parts[1][0][:, _F], rng=rng)
    return Advantage(estimates, test.p, references)


def _by_reference(units: Units, references: int) -> tuple[Floats, Floats]:
    known = units.reference >= 0
    shared = np.zeros((references, units.sums.shape[1]))
    shared[units.reference[known]] = units.sums[known]
    return shared, units.sums[~known]


def _drawn(sums: Floats, *, resamples: int) -> Floats:
    # Large data sets need few samples for narrow intervals, and drawing them is what takes time.
    size = len(sums)
    resamples = min(resamples, max(200, 20_000_000 // size))
    rng = record_generator(sums)
    drawn = np.empty((resamples, sums.shape[1]))
    for sample in range(resamples):
        counts = np.bincount(rng.integers(size, size=size), minlength=size)
        drawn[sample] = counts @ sums
    return drawn


def _bare(value: Floats, *, n: int, reason: str) -> dict[str, Estimate]:
    named = zip(SCORES, value, strict=True)
    return {name: without_interval(each, n=n, reason=reason, population=CASES) for name, each in named}


def _estimates(value: Floats, drawn: Floats, *, n: int, method: str, level: float) -> dict[str, Estimate]:
    estimates = {}
    tail = (1 - level) / 2
    for place, name in enumerate(SCORES):
        known = drawn[:, place][~np.isnan(drawn[:, place])]
        undefined = bool(np.isnan(value[place])) or len(known) < 0.99 * len(drawn)
        if undefined or np.ptp(known) <= 1e-12:
            reason = "undefined in some resamples" if undefined else "all samples give the same"
            estimates[name] = without_interval(value[place], n=n, reason=reason, population=CASES)
            continue
        low, high = np.quantile(known, (tail, 1 - tail))
        estimates[name] = Estimate(float(value[place]), float(low), float(high), n, method, CASES)
    return estimates
