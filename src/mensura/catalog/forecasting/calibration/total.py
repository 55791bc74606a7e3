"""The expected total score: its exact distribution, and how unlikely the score that was reached."""

from dataclasses import dataclass
from math import erf, exp, log, pi, sqrt

import numpy as np

from mensura.catalog.forecasting.calibration.sheet import Sheet
from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule

ATOMS = 1 << 17
"""Exact up to so many distinct totals: seventeen different two-way questions, or thousands of equal ones."""
FINE = 240
"""Points of the lattice per root of the number of questions: its step is a tenth of one question's deviation."""
LARGEST = 1 << 17
SAMPLE = 500
"""Where so many questions drawn evenly are all different, the rest need not be looked at."""
CHANCE = 1e-9
"""Probability that rounding strays further than the bound allows; it is counted in the bound."""


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


def expected_total(sheet: Sheet, rule: Rule, *, work: float = 2e8) -> Total:
    """Compare the total score with the distribution that the stated probabilities imply.

    The distribution is exact while it has at most 2¹⁷ different totals; beyond, payoffs are rounded to a lattice and
    the error of the tail is bounded (Hoeffding for the rounding, or Berry-Esseen where that is tighter). Where a fine
    lattice would cost more than `work` allows (8 800 questions by default) the normal curve corrected for skewness
    stands in, with the Berry-Esseen bound.

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
    .. [2] Shevtsova (2010), Doklady Mathematics 82, 862-864: the constant 0.56.

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
    if np.isinf(payoffs).any():
        unknown = "none: what was called impossible once was possible again later"
        return Total(observed, float("-inf"), float("nan"), float("nan"), float("nan"), unknown)
    means = (payoffs * chances).sum(axis=1)
    spread = payoffs - means[:, np.newaxis]
    variances = (chances * spread**2).sum(axis=1)
    mean, variance = float(means.sum()), float(variances.sum())
    if np.isneginf(observed):
        return Total(observed, mean, variance, 0.0, 0.0, "exact: what was called impossible happened")
    if np.isnan(observed) or variance <= 0:
        tail = 1.0 if variance <= 0 and observed >= mean - 1e-9 else float("nan")
        return Total(observed, mean, variance, tail, 0.0, "exact: nothing was left to chance")
    exact = _exact_tail(payoffs, chances, observed)
    if exact is not None:
        return Total(observed, mean, variance, exact, 0.0, "exact")
    normal = _Normal(
        observed, mean, variance, (chances * spread**3).sum(), 0.56 * (chances * np.abs(spread) ** 3).sum()
    )
    points = int(min(work / len(payoffs), LARGEST))
    if points < FINE * sqrt(len(payoffs)):
        return Total(observed, mean, variance, normal.tail, normal.error, "normal curve corrected for skewness")
    tail, error = _lattice_tail(spread, chances, observed - mean, points=points)
    error = min(error, abs(tail - normal.plain) + normal.bound)
    return Total(observed, mean, variance, tail, error, f"lattice of {points} points")


class _Normal:
    """Tail by the normal curve with one term for skewness, and the Berry-Esseen bound of its error."""

    def __init__(self, observed: float, mean: float, variance: float, third: float, bound: float) -> None:
        z = (observed - mean) / sqrt(variance)
        self.plain = (1 + erf(z / sqrt(2))) / 2
        skew = float(third) / variance**1.5
        bell = exp(-z * z / 2) / sqrt(2 * pi)
        self.tail = min(1.0, max(0.0, self.plain - bell * skew * (z * z - 1) / 6))
        self.bound = float(bound) / variance**1.5
        self.error = self.bound + abs(self.tail - self.plain)


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


def _exact_tail(payoffs: Floats, chances: Floats, observed: float) -> float | None:
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
            if len(totals) * len(steps) > ATOMS:
                return None
            totals, weights = _merge(
                (totals[:, np.newaxis] + steps).ravel(), (weights[:, np.newaxis] * parts).ravel(), scale
            )
    return float(min(1.0, weights[totals <= observed + 1e-10 * scale].sum()))


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


def _lattice_tail(spread: Floats, chances: Floats, observed: float, *, points: int) -> tuple[float, float]:
    """Convolve centred payoffs on a lattice; totals beyond the window are gathered at its ends."""
    from mensura.catalog.forecasting.calibration._lattice import convolve

    count = len(spread)
    deviation = float(np.sqrt((chances * spread**2).sum()))
    # Twelve deviations to each side: by Bernstein's inequality next to nothing lies beyond.
    step = 24 * deviation / points
    shifts = np.rint(spread / step).astype(np.int64)
    shifts[chances == 0] = 0
    rounding = (chances * (shifts * step - spread)).sum()
    weights = convolve(shifts, chances, points)
    positions = (np.arange(points) - points // 2) * step - rounding
    slack = step * np.sqrt(count * np.log(2 / CHANCE) / 2)
    cumulative = np.cumsum(weights)

    def below(limit: float) -> float:
        place = int(np.searchsorted(positions, limit + 1e-9 * deviation, side="right"))
        return float(cumulative[place - 1]) if place else 0.0

    low, high = below(observed - slack), below(observed + slack)
    tail = below(observed)
    return min(1.0, tail), max(tail - low, high - tail) + CHANCE
