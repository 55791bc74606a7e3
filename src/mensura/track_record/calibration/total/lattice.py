"""Lattice: the distribution of a sum of many small payoffs, on equally spaced points, with a bound on its error."""

from dataclasses import dataclass
from math import exp, log

import numpy as np
from numpy.typing import NDArray

from mensura.scores.alternatives import Floats

CHANCE = 1e-9
"""Probability that the sum, or what rounding adds to it, strays further than the bound allows; counted in the bound."""
DIRECT = 1 << 17
"""Largest lattice that is added question by question."""
TRANSFORMED = 1 << 22
"""Largest lattice that is summed from its frequencies."""
FINE = 6000
"""Points per root of the number of questions: rounding then moves the sum by some thousandths of its deviation."""
MANY = 200
"""From so many questions on nearly all frequencies vanish, and few need to be looked at."""
NEGLIGIBLE = 1e-12
VANISHING = -35.0
SLOW = 4
"""A turn of one outcome by one frequency costs as much as so many steps of adding."""

Kinds = tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]
"""Different questions: their shifts, their chances, and how many of each there are."""


@dataclass(frozen=True)
class Bracket:
    """Probabilities, each between two bounds."""

    value: Floats
    low: Floats
    high: Floats

    def error_at(self, place: int) -> float:
        """How far the truth can lie from the value, at most."""
        return float(max(self.value[place] - self.low[place], self.high[place] - self.value[place]))


@dataclass(frozen=True)
class Lattice:
    """Payoffs of questions as whole numbers of steps, so placed that what rounding adds to their sum is known.

    Each outcome is rounded by its distance from the question's likeliest one, and the mean is put right again; what is
    left to chance of the rounding is bounded by Bernstein's inequality.
    """

    shifts: NDArray[np.int64]
    """Steps of each outcome from the question's likeliest one."""
    taken: NDArray[np.int64]
    """Whole steps taken from each question, which keep the running sum about zero."""
    chances: Floats
    step: float
    points: int
    centre: float
    """Mean of the sum of the shifts less what is taken."""
    slack: float
    """Rounding moves the sum by more than this with a probability below `CHANCE` to either side."""

    @classmethod
    def place(cls, payoffs: Floats, chances: Floats, *, points: int) -> "Lattice":
        """Choose the finest step whose points hold the sum but for a negligible probability."""
        likeliest = chances.argmax(axis=1)[:, np.newaxis]
        distance = np.where(chances > 0, payoffs - np.take_along_axis(payoffs, likeliest, axis=1), 0.0)
        step = 2.02 * _reach(distance, chances) / points
        while True:
            rounded = np.rint(distance / step)
            if 2 * _reach(rounded, chances) <= points - 4:
                break
            step *= 1.05
        means = (chances * rounded).sum(axis=1)
        taken = np.diff(np.rint(np.cumsum(means)), prepend=0.0)
        slack = _reach(rounded * step - distance, chances)
        centre = float((means - taken).sum())
        return cls(rounded.astype(np.int64), taken.astype(np.int64), chances, step, points, centre, slack)

    def added(self, deviations: Floats) -> Bracket:
        """Bracket the probability of sums at most so far above their mean, adding question by question."""
        from mensura.track_record.calibration.total._lattice import convolve

        shifts = np.where(self.chances > 0, self.shifts - self.taken[:, np.newaxis], 0)
        weights: Floats = convolve(shifts, np.asarray(self.chances, dtype=np.float64), self.points)
        cumulative = np.concatenate([[0.0], np.cumsum(weights)])
        return self._bracket(cumulative[self._places(deviations)], 2 * CHANCE)

    def transformed(self, deviations: Floats, *, work: float) -> Bracket | None:
        """Bracket the same from the frequencies that matter; None where they are too many for the work allowed."""
        numbers, left_out = self._frequencies()
        kinds = _kinds(self.shifts, self.chances)
        if len(numbers) * kinds[0].size > work / SLOW:
            return None
        return self._bracket(self._sum(self._places(deviations), numbers, kinds), 2 * CHANCE + left_out)

    def _places(self, deviations: Floats) -> NDArray[np.int64]:
        """Count the points up to each deviation, and up to the deviations that rounding could have made of it."""
        # A hair more, so that a total that is reached counts as reached.
        at = (np.stack([deviations, deviations - self.slack, deviations + self.slack]) + 1e-9 * self.step) / self.step
        places: NDArray[np.int64] = np.floor(at + self.centre).astype(np.int64) + self.points // 2 + 1
        return np.clip(places, 0, self.points)

    def _bracket(self, found: Floats, unsure: float) -> Bracket:
        value, low, high = np.clip(found, 0.0, 1.0)
        return Bracket(value, np.clip(low - unsure, 0, 1), np.clip(high + unsure, 0, 1))

    def _frequencies(self) -> tuple[NDArray[np.int64], float]:
        """Find the frequencies that matter, and bound what all others together could add.

        The modulus of a question's characteristic function is at most exp(−Σ pₐp_b (1 − cos θ(hₐ − h_b))), so that one
        transform of the distances between outcomes bounds every frequency.
        """
        apart = np.zeros(self.points)
        for one in range(self.shifts.shape[1]):
            for other in range(one):
                gaps = np.abs(self.shifts[:, one] - self.shifts[:, other]) % self.points
                both = self.chances[:, one] * self.chances[:, other]
                apart += np.bincount(gaps, weights=both, minlength=self.points)
        turned = np.fft.rfft(apart).real
        exponents = turned - turned[0]
        # The weights of all frequencies together are at most log M + 1, so that those far down add next to nothing.
        numbers = np.flatnonzero(exponents[1:] > VANISHING) + 1
        largest = np.exp(np.minimum(exponents[numbers], 0.0)) * self._weights(numbers)
        needed = largest > NEGLIGIBLE
        left_out = float(largest[~needed].sum()) + exp(VANISHING) * (log(self.points) + 1)
        return numbers[needed], left_out

    def _weights(self, numbers: NDArray[np.int64]) -> Floats:
        weights: Floats = 2 / (self.points * np.sin(np.pi * numbers / self.points))
        weights[numbers == self.points // 2] /= 2
        return weights

    def _sum(self, places: NDArray[np.int64], numbers: NDArray[np.int64], kinds: "Kinds") -> Floats:
        """Add frequencies up to cumulative probabilities at so many points from the lowest one on."""
        from mensura.track_record.calibration.total._lattice import spectrum

        turn = 2 * np.pi / self.points
        # What is taken turns each frequency by whole steps, told apart only within one turn.
        back = np.exp(-1j * turn * (numbers * (int(self.taken.sum()) % self.points) % self.points))
        angles: NDArray[np.float64] = np.asarray(turn * numbers, dtype=np.float64)
        products = spectrum(*kinds, angles) * back
        counts = places[..., np.newaxis]
        # Σ exp(−iθm) over the first so many points is a ratio of sines at the middle of them.
        middle = (counts - 1) / 2 - self.points // 2
        parts = (products * np.exp(-1j * angles * middle)).real * np.sin(angles * counts / 2)
        total: Floats = places / self.points + (parts * self._weights(numbers)).sum(axis=-1)
        return total


def bracket_below(payoffs: Floats, chances: Floats, deviations: Floats, *, work: float) -> tuple[Bracket, int]:
    """Bracket the probability that the sum of payoffs lies at most so far above its mean.

    Parameters
    ----------
    payoffs, chances : ndarray
        One row per question, one column per outcome.
    deviations : ndarray
        Distances of sums from their mean.
    work : float
        How many steps may be spent; more make a finer lattice.

    Returns
    -------
    Bracket, int
        The probabilities between their bounds, and how many points the lattice has.

    Examples
    --------
    >>> payoffs, chances = np.tile([[0.0, 1.0]], (400, 1)), np.full((400, 2), 0.5)
    >>> bracket, points = bracket_below(payoffs, chances, np.array([0.5]), work=1e7)
    >>> bracket.value.round(4), bracket.error_at(0) < 1e-3
    (array([0.5199]), True)
    """
    questions = len(payoffs)
    if questions >= MANY:
        wanted = min(FINE * questions**0.5, work / 40, TRANSFORMED)
        lattice = Lattice.place(payoffs, chances, points=1 << max(10, int(np.log2(wanted))))
        bracket = lattice.transformed(deviations, work=work)
        if bracket is not None:
            return bracket, lattice.points
    lattice = Lattice.place(payoffs, chances, points=int(np.clip(work / questions, 256, DIRECT)))
    return lattice.added(deviations), lattice.points


def _kinds(shifts: NDArray[np.int64], chances: Floats) -> Kinds:
    """Gather equal questions."""
    marks = np.zeros(len(shifts), dtype=np.uint64)
    for column in (*shifts.T, *chances.T):
        marks = marks * np.uint64(0x9E3779B97F4A7C15) ^ np.ascontiguousarray(column).view(np.uint64)
    _, first, inverse, counts = np.unique(marks, return_index=True, return_inverse=True, return_counts=True)
    same = (shifts[first][inverse] == shifts).all() and (chances[first][inverse] == chances).all()
    if len(counts) == len(shifts) or not same:
        return shifts, chances.astype(np.float64), np.ones(len(shifts), dtype=np.int64)
    return shifts[first], chances[first].astype(np.float64), counts.astype(np.int64)


def _reach(values: Floats, chances: Floats) -> float:
    """Bound by Bernstein's inequality how far the sum strays from its mean but with a negligible probability."""
    centred = values - (chances * values).sum(axis=1, keepdims=True)
    variance = float((chances * centred**2).sum())
    third = float(np.abs(centred[chances > 0]).max()) * log(1 / CHANCE) / 3
    return third + float(np.sqrt(third**2 + 2 * variance * log(1 / CHANCE)))
