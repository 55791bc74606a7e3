"""The expected total score: its exact distribution, and how unlikely the score that was reached."""

from dataclasses import dataclass, field, replace
from math import log

import numpy as np

from mensura.catalog.forecasting.calibration.lattice import bracket_below
from mensura.catalog.forecasting.calibration.sheet import Sheet
from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule

ATOMS = 1 << 17
"""Exact up to so many distinct totals: seventeen different two-way questions, or thousands of equal ones."""
SAMPLE = 500
"""Where so many questions drawn evenly are all different, the rest need not be looked at."""
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
    exact = _exact(payoffs, chances)
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
    """Give payoffs and chances of each outcome of each forecast, padded to one width."""
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


def _exact(payoffs: Floats, chances: Floats) -> tuple[Floats, Floats] | None:
    """Add question by question, merging equal totals; None when there are too many different ones."""
    questions, width = payoffs.shape
    both = np.concatenate([payoffs, chances], axis=1)
    if questions > SAMPLE and not _worth_trying(*_kinds(both[:: questions // SAMPLE], width)):
        return None
    kinds_payoffs, kinds_chances, counts = _kinds(both, width)
    if not _worth_trying(kinds_payoffs, kinds_chances, counts):
        return None
    scale = max(1.0, float(np.abs(payoffs).sum(axis=0).max()))
    totals, weights = np.zeros(1), np.ones(1)
    for k in np.argsort(-counts):
        possible = kinds_chances[k] > 0
        steps, parts = kinds_payoffs[k][possible], kinds_chances[k][possible]
        for _ in range(counts[k]):
            totals, weights = _merge(
                (totals[:, np.newaxis] + steps).ravel(), (weights[:, np.newaxis] * parts).ravel(), scale
            )
            if len(totals) > ATOMS:
                return None
    return totals, weights


def _kinds(both: Floats, width: int) -> tuple[Floats, Floats, np.ndarray]:
    kinds, counts = np.unique(both, axis=0, return_counts=True)
    return kinds[:, :width], kinds[:, width:], counts


def _worth_trying(payoffs: Floats, chances: Floats, counts: np.ndarray) -> bool:
    """Say whether totals can stay few: few different questions, or payoffs that are multiples of one step."""
    from scipy.special import gammaln

    outcomes = (chances > 0).sum(axis=1)
    courses = (gammaln(counts + outcomes) - gammaln(counts + 1) - gammaln(outcomes)).sum()
    if courses <= log(ATOMS) + 1e-6:
        return True
    gaps = np.abs(payoffs - payoffs[:, :1])[chances > 0]
    gaps = gaps[gaps > 1e-12]
    steps = gaps / gaps.min() if len(gaps) else gaps
    return bool((np.abs(steps - np.rint(steps)) < 1e-9).all())


def _merge(totals: Floats, weights: Floats, scale: float) -> tuple[Floats, Floats]:
    order = np.argsort(totals, kind="stable")
    totals, weights = totals[order], weights[order]
    starts = np.flatnonzero(np.concatenate([[True], np.diff(totals) > 1e-12 * scale]))
    return totals[starts], np.add.reduceat(weights, starts)
