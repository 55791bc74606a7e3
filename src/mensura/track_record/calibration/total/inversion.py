"""Inversion: the distribution of a sum of payoffs from its characteristic function, with a bound on its error."""

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from mensura.scores.alternatives import Floats

CHANCE = 1e-12
"""Probability that the sum leaves the window it is told in."""
NOISE = 7.0
"""The noise that is added stays within this number of its deviations, except with chance 1e-12."""
DEEP = 7.5
"""Frequencies beyond this number of inverse deviations of the noise are damped to nothing: exp(−28)."""
SLIGHT = 1e-12
"""Payoffs that differ by less, as those of ignorance do by rounding, are equal."""
UNSURE = 1e-10
"""More than all that is left out: what leaves the window, noise beyond the step, frequencies that have vanished."""
BLOCK = 64
"""Frequencies are looked at in blocks; a block that has vanished is left."""
VANISHED = 1e-32
"""Square of a modulus that no further question can make matter again."""
MOST = 1 << 16
"""Frequencies at most: the step is then some thousandths of the deviation."""
SOON = 100
"""After about this number of different questions nearly all frequencies have vanished."""


@dataclass(frozen=True)
class Cumulative:
    """The distribution of a sum to which noise of at most one step was added, on equally spaced points.

    The probability of a sum at most x lies between the values here at x less a step and at x and a step more.
    """

    start: float
    spacing: float
    chances: Floats
    step: float
    whole: float = 0.0
    """Distance of possible sums where all lie whole steps apart: between two of them noise changes nothing."""

    def below(self, total: float) -> tuple[float, float]:
        """Return the probability of a sum at most so large, and how far that can be off."""
        at = (total + self.whole / 2 - self.start) / self.spacing
        reach = 0.0 if self.whole else self.step / self.spacing
        low, high = (self.chances[int(np.clip(x, 0, len(self.chances) - 1))] for x in (at - reach, at + reach + 1))
        value = float(np.interp(at, np.arange(len(self.chances)), self.chances))
        return value, float(max(value - low, high - value)) + UNSURE

    def curve(self, low: float, high: float, *, points: int) -> tuple[Floats, Floats]:
        """Return totals between two ends, and the probability of each or less."""
        first, last = np.clip((np.array([low, high]) - self.start) / self.spacing, 0, len(self.chances) - 1)
        places = np.unique(np.linspace(first, last, points).astype(np.int64))
        return self.start + self.spacing * places.astype(float), np.maximum.accumulate(self.chances[places])


def invert(payoffs: Floats, chances: Floats, *, work: float) -> Cumulative:
    r"""Return the distribution of the sum of independent payoffs.

    Normal noise of deviation τ is added, so that frequencies beyond 7.5/τ do not matter; the sum itself then lies
    within the stated step 7τ. The characteristic function is multiplied question by question at multiples of 2π over
    the width of a window that Chernoff's inequality chooses, and one Fourier transform adds them up:

    .. math:: F(x) = \frac{x - a}{w} + \Re \sum_k \frac{\varphi(t_k)}{i \pi k} (e^{-i t_k a} - e^{-i t_k x})

    Parameters
    ----------
    payoffs, chances : ndarray
        One row per question, one column per outcome.
    work : float
        How many turns of an outcome by a frequency may be spent; more make a smaller step.

    References
    ----------
    .. [1] Boucheron, Lugosi and Massart (2013), Concentration Inequalities, section 2.2: Chernoff's inequality.

    Examples
    --------
    >>> coins = invert(np.tile([[0.0, 1.0]], (400, 1)), np.full((400, 2), 0.5), work=1e7)
    >>> round(coins.below(200)[0], 6), coins.below(200)[1] < 1e-9
    (0.519935, True)
    """
    likeliest = np.take_along_axis(payoffs, chances.argmax(axis=1)[:, np.newaxis], axis=1)
    gaps = np.where((chances > 0) & (np.abs(payoffs - likeliest) > SLIGHT), payoffs - likeliest, 0.0)
    gaps, chances, counts = _kinds(gaps, chances)
    means = (chances * gaps).sum(axis=1)
    low, high = (_reach(side * (gaps - means[:, np.newaxis]), chances, counts) for side in (-1, 1))
    # A tenth more than the sum needs, for the noise.
    wide = 1.1 * (low + high)
    frequencies = float(np.clip(work / (min(len(gaps), SOON) * gaps.shape[1]), 1 << 10, MOST))
    whole = _whole(gaps)
    # So many that noise stays below half of what lies between two possible sums.
    enough = 1.2 * NOISE * DEEP * wide / (np.pi * whole) if whole else np.inf
    frequencies, whole = (enough, whole) if enough * gaps.size <= work / 4 else (frequencies, 0.0)
    blocks = int(frequencies // BLOCK + 1)
    deviation = DEEP * wide / (2 * np.pi * blocks * BLOCK)
    numbers = np.arange(1, blocks * BLOCK + 1)
    angles = 2 * np.pi / wide * numbers
    products = _spectrum(gaps, chances, counts, 2 * np.pi / wide, blocks)
    mean = float(counts @ means)
    start = mean - low - 0.05 * (low + high)
    parts = products * np.exp(-1j * angles * start - (deviation * angles) ** 2 / 2) / (1j * np.pi * numbers)
    points = 2 * len(numbers)
    found = np.arange(points) / points + parts.real.sum() - np.fft.fft(np.append(0.0, parts), points).real
    start += float(likeliest.sum())
    return Cumulative(start, wide / points, np.clip(found, 0.0, 1.0), NOISE * deviation, whole)


def _spectrum(
    gaps: Floats, chances: Floats, counts: NDArray[np.int64], spacing: float, blocks: int
) -> NDArray[np.complex128]:
    """Multiply the characteristic functions of all kinds of questions at 1, 2, ... times the spacing.

    A block of frequencies that have all vanished is left as it is.
    """
    found = np.ones((blocks, BLOCK), np.complex128)
    alive, held = np.arange(blocks), found.copy()
    first, within = 1j * spacing * (np.arange(blocks) * BLOCK + 1), 1j * spacing * np.arange(BLOCK)
    # Those that leave most to chance come first: frequencies vanish soonest.
    order = np.argsort(-(chances * gaps**2).sum(axis=1), kind="stable")
    for gap, chance, count in zip(gaps[order], chances[order], counts[order], strict=True):
        factor = np.exp(np.multiply.outer(first[alive], gap)) @ (chance[:, None] * np.exp(gap[:, None] * within))
        if count > 1:
            factor = np.abs(factor) ** count * np.exp(1j * count * np.angle(factor))
        held *= factor
        left = (held.real**2 + held.imag**2).max(axis=1) > VANISHED
        if not left.all():
            found[alive] = held
            alive, held = alive[left], held[left]
    found[alive] = held
    return found.ravel()


def _kinds(gaps: Floats, chances: Floats) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Gather equal questions: their payoffs, their chances, and how many of each there are."""
    rows = np.concatenate([gaps, chances], axis=1)
    mark = rows @ np.sqrt(np.arange(2.0, 2.0 + rows.shape[1]))
    _, first, inverse, counts = np.unique(mark, return_index=True, return_inverse=True, return_counts=True)
    if not np.array_equal(rows[first][inverse], rows):
        first, counts = np.arange(len(rows)), np.ones(len(rows), dtype=np.int64)
    return gaps[first], np.ascontiguousarray(chances[first]), counts


def _whole(gaps: Floats) -> float:
    """Return the smallest distance of payoffs where all are whole multiples of it, else 0."""
    step = float(np.abs(gaps[gaps != 0]).min())
    return step if (np.abs(gaps / step - np.rint(gaps / step)) <= 1e-9).all() else 0.0


def _reach(values: Floats, chances: Floats, counts: NDArray[np.int64]) -> float:
    """Bound by Chernoff's inequality how far the sum rises above its mean but with a negligible probability."""
    variance = float(counts @ (chances * values**2).sum(axis=1))
    rates = np.sqrt(2 * log(1 / CHANCE) / variance) * np.array([0.1, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.3])
    with np.errstate(over="ignore"):
        grown = (float(counts @ np.log((chances * np.exp(rate * values)).sum(axis=1))) for rate in rates)
        return float(min((growth + log(1 / CHANCE)) / rate for growth, rate in zip(grown, rates, strict=True)))
