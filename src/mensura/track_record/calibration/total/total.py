"""The expected total score: its exact distribution, and how unlikely the score that was reached."""

from dataclasses import dataclass, field, replace
from math import log2

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.calibration.total.lattice import bracket_below

ATOMS = 1 << 17
"""Exact up to so many distinct totals: seventeen different two-way questions, or thousands of equal ones."""
CURVE = np.linspace(-4, 4, 81)
"""Where the distribution of the total is told, in deviations from its mean."""


@dataclass(frozen=True)
class Total:
    """What the stated probabilities themselves expected of the total score, and what came."""

    observed: float
    mean: float
    variance: float
    tail: float
    """Probability of a total as small as the one reached or smaller, if the stated probabilities are right."""
    error: float
    """The tail is right within this bound."""
    method: str
    curve: tuple[Floats, Floats] = field(default_factory=lambda: (np.empty(0), np.empty(0)))
    """Totals, and the probability of each or less: the distribution that the stated probabilities imply."""

    @property
    def low(self) -> float:
        """The total that would be fallen short of once in forty times."""
        return self._quantile(0.025)

    @property
    def high(self) -> float:
        """The total that would be exceeded once in forty times."""
        return self._quantile(0.975)

    def _quantile(self, level: float) -> float:
        totals, chances = self.curve
        reached = np.flatnonzero(chances >= level)
        return float(totals[reached[0]]) if len(reached) else float("nan")


def expected_total(sheet: Sheet, rule: Rule, *, work: float = 2e8) -> Total:
    """Compare the total score with the distribution that the stated probabilities imply.

    The distribution is exact while it has at most 2¹⁷ different totals. Beyond, payoffs are rounded to a lattice whose
    distribution is computed whole (question by question, or by its frequencies), and the tail of the sum before
    rounding is bracketed: Bernstein's inequality bounds how far rounding can have moved it, and the bracket is the
    stated error.

    Parameters
    ----------
    sheet : Sheet
        What was said and what happened; questions are taken as independent. Where forecasts were revised, payoffs of
        a question are averages over time, and chances those of the last forecast, which knew most.
    rule : Rule
        How it is paid.
    work : float
        How many lattice steps may be spent; more make a finer lattice.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 20-21.
    .. [2] Boucheron, Lugosi and Massart (2013), Concentration Inequalities, corollary 2.11: Bernstein's inequality.

    Examples
    --------
    >>> from mensura.scores import rule
    >>> half_right = Sheet.binary([0.7] * 10, [1] * 5 + [0] * 5)
    >>> total = expected_total(half_right, rule("quadratic"))
    >>> round(total.mean, 6), round(total.variance, 6), round(total.tail, 4), total.method
    (0.4, 0.336, 0.1503, 'exact')
    """
    payoffs, chances = _questions(sheet, rule)
    observed = sheet.mean(sheet.scores(rule)) * float(sheet.weights.sum())
    if not sheet.independent:
        payoffs, chances = _average(payoffs, chances, sheet)
    payoffs = np.where(chances > 0, payoffs, 0.0)
    # What was called impossible once and possible later can cost infinity; the rest is told given that it does not.
    endless = np.isinf(payoffs)
    kept = np.where(endless, 0.0, chances).sum(axis=1)
    finite = float(np.exp(np.log(np.maximum(kept, 1e-300)).sum())) if endless.any() else 1.0
    if endless.any():
        chances = np.where(endless, 0.0, chances) / np.maximum(kept, 1e-300)[:, np.newaxis]
        payoffs = np.where(endless, 0.0, payoffs)
    total = _finite_total(payoffs, chances, observed, work)
    return total if finite == 1.0 else _with_infinity(total, finite)


def _finite_total(payoffs: Floats, chances: Floats, observed: float, work: float) -> Total:
    means = (payoffs * chances).sum(axis=1)
    spread = payoffs - means[:, np.newaxis]
    mean, variance = float(means.sum()), float((chances * spread**2).sum())
    if np.isnan(observed) or variance <= 0:
        tail = 1.0 if variance <= 0 and observed >= mean - 1e-9 else float("nan")
        tail = 0.0 if np.isneginf(observed) else tail
        return Total(observed, mean, variance, tail, 0.0, "exact: nothing was left to chance")
    total = _distribution(payoffs, chances, mean, variance, observed, work)
    if np.isneginf(observed):
        return replace(total, tail=0.0, error=0.0, method="exact: what was called impossible happened")
    return total


def _with_infinity(total: Total, finite: float) -> Total:
    """Add the probability that the total is minus infinity to a distribution given that it is not."""
    totals, chances = total.curve
    return replace(
        total,
        mean=float("-inf"),
        variance=float("nan"),
        tail=1 - finite * (1 - total.tail),
        error=finite * total.error,
        method=f"{total.method}; minus infinity has probability {1 - finite:.2g}",
        curve=(totals, 1 - finite * (1 - chances)),
    )


def _distribution(
    payoffs: Floats, chances: Floats, mean: float, variance: float, observed: float, work: float
) -> Total:
    exact = _exact(payoffs, chances, work)
    if exact is not None:
        totals, weights = exact
        slight = 1e-10 * max(1.0, float(np.abs(payoffs).sum(axis=0).max()))
        tail = min(1.0, float(weights[totals <= observed + slight].sum()))
        return Total(observed, mean, variance, tail, 0.0, "exact", (totals, np.cumsum(weights)))
    deviation = variance**0.5
    reached = observed - mean if np.isfinite(observed) else -10 * deviation
    where = np.append(CURVE * deviation, reached)
    bracket, points = bracket_below(payoffs, chances, where, work=work)
    tail, error = float(bracket.value[-1]), bracket.error_at(-1)
    curve = mean + where[:-1], np.maximum.accumulate(bracket.value[:-1])
    return Total(observed, mean, variance, tail, error, f"lattice of {points} points", curve)


def _questions(sheet: Sheet, rule: Rule) -> tuple[Floats, Floats]:
    """Return payoffs and chances of each outcome of each forecast, padded to one width."""
    width = max(block.probabilities.shape[1] for block in sheet)
    payoffs, chances = [], []
    for block in sheet:
        p, table = block.probabilities, rule.payoffs(block.probabilities)
        pad = ((0, 0), (0, width - p.shape[1]))
        chances.append(np.pad(p, pad))
        payoffs.append(np.pad(table, pad))
    return np.concatenate(payoffs), np.concatenate(chances)


def _average(payoffs: Floats, chances: Floats, sheet: Sheet) -> tuple[Floats, Floats]:
    """Average the payoffs of each question over its revisions; the last forecast holds all that was known by then."""
    index, count = sheet.clusters.index, sheet.clusters.count
    weights = sheet.weights[:, np.newaxis]
    means = np.zeros((count, payoffs.shape[1]))
    np.add.at(means, index, np.where(weights > 0, payoffs, 0.0) * np.where(weights > 0, weights, 1.0))
    last = np.zeros(count, dtype=np.int64)
    np.maximum.at(last, index, np.arange(len(index)))
    return means, chances[last]


def _exact(payoffs: Floats, chances: Floats, work: float) -> tuple[Floats, Floats] | None:
    """Return every possible total with its probability; None when there are too many different ones."""
    if (found := _exact_steps(payoffs, chances, work)) is not None:
        return found
    # Each different question at least doubles the totals.
    if len(np.unique(payoffs[:, 0])) > log2(ATOMS):
        return None
    kinds, counts = np.unique(np.concatenate([payoffs, chances], axis=1), axis=0, return_counts=True)
    width = payoffs.shape[1]
    if _courses(kinds[:, width:], counts) > ATOMS:
        return None
    scale = max(1.0, float(np.abs(payoffs).sum(axis=0).max()))
    totals, weights = np.zeros(1), np.ones(1)
    for kind, count in zip(kinds, counts, strict=True):
        possible = kind[width:] > 0
        own_totals, own_weights = np.zeros(1), np.ones(1)
        for _ in range(count):
            steps, parts = kind[:width][possible], kind[width:][possible]
            own_totals, own_weights = _merge(own_totals, own_weights, steps, parts, scale)
        totals, weights = _merge(totals, weights, own_totals, own_weights, scale)
    return totals, weights


def _exact_steps(payoffs: Floats, chances: Floats, work: float) -> tuple[Floats, Floats] | None:
    """Add whole steps exactly, where the payoffs of every question lie whole steps of one size apart."""
    lowest = np.where(chances > 0, payoffs, np.inf).min(axis=1, keepdims=True)
    gaps = np.where(chances > 0, payoffs - lowest, 0.0)
    apart = gaps[gaps > 1e-12]
    if not len(apart):
        return None
    step = apart.min()
    shifts = np.rint(gaps / step)
    span = int(shifts.max(axis=1).sum())
    if span >= ATOMS or span * len(payoffs) > 4 * work or (np.abs(gaps / step - shifts) > 1e-9).any():
        return None
    from mensura.track_record.calibration.total._lattice import convolve

    weights: Floats = convolve(shifts.astype(np.int64), np.asarray(chances, dtype=np.float64), 2 * span + 2)
    weights = weights[span + 1 : 2 * span + 2]
    reached = weights > 0
    return float(lowest.sum()) + step * np.flatnonzero(reached), weights[reached]


def _courses(chances: Floats, counts: np.ndarray) -> float:
    """Count how many different totals there can be: so many of each outcome of each kind of question."""
    from scipy.special import gammaln

    outcomes = (chances > 0).sum(axis=1)
    ways = (gammaln(counts + outcomes) - gammaln(counts + 1) - gammaln(outcomes)).sum()
    return float(np.exp(min(ways, 700.0)) * (1 - 1e-9))


def _merge(totals: Floats, weights: Floats, steps: Floats, parts: Floats, scale: float) -> tuple[Floats, Floats]:
    """Add two independent sums, and take equal totals together."""
    sums, products = (totals[:, np.newaxis] + steps).ravel(), (weights[:, np.newaxis] * parts).ravel()
    order = np.argsort(sums, kind="stable")
    sums, products = sums[order], products[order]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(sums) > 1e-12 * scale]))
    return sums[starts], np.add.reduceat(products, starts)
