"""The expected total score: its exact distribution, and how unlikely the score that was reached."""

from dataclasses import dataclass, field, replace
from math import log

import numpy as np
from numpy.typing import NDArray

from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule
from mensura.track_record.calibration.sheet import Block, Sheet
from mensura.track_record.calibration.total.inversion import SLIGHT, invert

ATOMS = 1 << 15
"""Exact up to this many different totals of either half: thirty different binary questions or a thousand equal ones."""
CURVE = 5
"""The distribution of the total is given within this number of deviations of its mean."""
POINTS = 201
MANY = 1000
"""More questions are not merged one by one."""
NORMAL = 2e-3
"""Where the total is normal within this, nothing finer is looked for."""


@dataclass(frozen=True)
class Total:
    """The total score that the stated probabilities themselves expected, and the actual one."""

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

    The distribution is exact while either half of the questions has at most 2¹⁵ different totals, or where payoffs
    lie whole steps of one size apart. Beyond, it is computed with a stated step (`inversion.invert`): the tail lies
    between the probabilities of totals one step lower and one step higher, and that bracket is the stated error. From
    about a million questions on it is normal within two thousandths, by the inequality of Berry and Esseen.

    The sheet has one forecast of each question, questions independent. Where forecasts were revised give the first
    ones; of the others, and of averages, no tail can be told from what was stated. `work` is how many turns of an
    outcome by a frequency may be spent; more make a smaller step.

    References
    ----------
    .. [1] Brown and Shuford (1973), RAND R-1185, pp. 20-21.
    .. [2] Shevtsova (2010), Doklady Mathematics 82, 862-864: the constant of Berry and Esseen is at most .56.

    Examples
    --------
    >>> from mensura.scores import rule
    >>> half_right = Sheet.binary([0.7] * 10, [1] * 5 + [0] * 5)
    >>> total = expected_total(half_right, rule("quadratic"))
    >>> round(total.mean, 6), round(total.variance, 6), round(total.tail, 4), total.method
    (0.4, 0.336, 0.1503, 'exact')
    """
    observed = float(sheet.scores(rule).sum())
    if not sheet.independent:
        return Total(observed, *(float("nan"),) * 4, "none: several forecasts of one question")
    mean = variance = third = largest = widest = 0.0
    for block in sheet:
        payoffs, chances = _payoffs(block, rule), block.probabilities
        means = np.einsum("ij,ij->i", payoffs, chances)[:, np.newaxis]
        spread = np.where(chances > 0, np.abs(payoffs - means), 0.0)
        mean, variance = mean + float(means.sum()), variance + float(np.einsum("ij,ij,ij", chances, spread, spread))
        third += float(np.einsum("ij,ij,ij,ij", chances, spread, spread, spread))
        largest, widest = max(largest, float(np.abs(payoffs).max())), max(widest, float(spread.max()))
    slight = SLIGHT * max(1.0, largest)
    if np.isnan(observed) or widest <= slight:
        tail = 1.0 if observed >= mean - slight * len(sheet) else float("nan")
        tail = 0.0 if np.isneginf(observed) else tail
        return Total(observed, mean, variance, tail, 0.0, "exact: nothing was left to chance")
    total = _distribution(sheet, rule, (mean, variance, third), observed, work)
    if np.isneginf(observed):
        return replace(total, tail=0.0, error=0.0, method="exact: what was called impossible happened")
    return total


def _distribution(sheet: Sheet, rule: Rule, moments: tuple[float, float, float], observed: float, work: float) -> Total:
    mean, variance, third = moments
    ends = mean - CURVE * variance**0.5, mean + CURVE * variance**0.5
    if (error := 0.56 * third / variance**1.5) <= NORMAL:
        from scipy.special import ndtr

        totals = np.linspace(*ends, POINTS)
        tail, *curve = ndtr((np.append(observed, totals) - mean) / variance**0.5)
        return Total(observed, mean, variance, float(tail), error, "normal", (totals, np.array(curve)))
    payoffs, chances = _questions(sheet, rule)
    halves = _halves(payoffs, chances)
    if halves is not None:
        (totals, weights), others = halves[0], np.linspace(*ends, POINTS)
        curve = (totals, np.cumsum(weights)) if len(halves[1][0]) == 1 else (others, _below(halves, others))
        return Total(observed, mean, variance, float(_below(halves, np.array([observed]))[0]), 0.0, "exact", curve)
    found = invert(payoffs, chances, work=work)
    tail, error = found.below(observed) if np.isfinite(observed) else (0.0, 0.0)
    method = "exact" if found.whole else f"inversion with a step of {found.step:.2g}"
    return Total(observed, mean, variance, tail, error, method, found.curve(*ends, points=POINTS))


def _questions(sheet: Sheet, rule: Rule) -> tuple[Floats, Floats]:
    """Return payoffs and chances of each outcome of each forecast, padded to one width."""
    width, ends = max(block.probabilities.shape[1] for block in sheet), np.cumsum([len(b.outcomes) for b in sheet])
    payoffs, chances = np.zeros((ends[-1], width)), np.zeros((ends[-1], width))
    for block, end in zip(sheet, ends, strict=True):
        rows = slice(end - len(block.outcomes), end), slice(block.probabilities.shape[1])
        payoffs[rows], chances[rows] = _payoffs(block, rule), block.probabilities
    return payoffs, chances


def _payoffs(block: Block, rule: Rule) -> Floats:
    """Return what each outcome pays, nothing for what was called impossible."""
    return np.where(block.probabilities > 0, rule.payoffs(block.probabilities), 0.0)


def _halves(payoffs: Floats, chances: Floats) -> list[tuple[Floats, Floats]] | None:
    """Return every possible total of either half of the questions with its probability; None if they are too many."""
    if len(payoffs) > MANY:
        return None
    kinds, counts = np.unique(np.concatenate([payoffs, chances], axis=1), axis=0, return_counts=True)
    width = payoffs.shape[1]
    if _courses(kinds[:, width:], counts) > 2 * log(ATOMS):
        return None
    halves = [(np.zeros(1), np.ones(1))]
    for kind in np.repeat(kinds, counts, axis=0):
        possible = kind[width:] > 0
        steps, parts = kind[:width][possible], kind[width:][possible]
        merged = _merge(*halves[-1], steps, parts)
        if len(merged[0]) > ATOMS:
            halves.append(_merge(np.zeros(1), np.ones(1), steps, parts))
        else:
            halves[-1] = merged
    halves.append((np.zeros(1), np.ones(1)))
    return halves[:2] if len(halves) <= 3 else None


def _below(halves: list[tuple[Floats, Floats]], totals: Floats) -> Floats:
    """Return the probability of each total or less: what one half leaves room for in the other."""
    (some, weights), (others, parts) = halves
    cumulative = np.concatenate([[0.0], np.cumsum(parts)])
    slight = 1e-10 * max(1.0, float(np.abs(some).max()), float(np.abs(others).max()))
    room = (np.searchsorted(others, total - some + slight, side="right") for total in totals)
    return np.minimum([float(weights @ cumulative[places]) for places in room], 1.0)


def _courses(chances: Floats, counts: NDArray[np.int64]) -> float:
    """Return the logarithm of how many different totals there can be, by the counts of outcomes of each kind."""
    from scipy.special import gammaln

    outcomes = (chances > 0).sum(axis=1)
    return float((gammaln(counts + outcomes) - gammaln(counts + 1) - gammaln(outcomes)).sum()) - 1e-6


def _merge(totals: Floats, weights: Floats, steps: Floats, parts: Floats) -> tuple[Floats, Floats]:
    """Add two independent sums, and take equal totals together."""
    sums, products = (totals[:, np.newaxis] + steps).ravel(), (weights[:, np.newaxis] * parts).ravel()
    order = np.argsort(sums, kind="stable")
    sums, products = sums[order], products[order]
    apart = SLIGHT * max(1.0, float(np.abs(sums).max()))
    starts = np.flatnonzero(np.concatenate([[True], np.diff(sums) > apart]))
    return sums[starts], np.add.reduceat(products, starts)
