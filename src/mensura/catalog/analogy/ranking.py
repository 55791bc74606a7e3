"""Ranking: how well closeness orders answers whose levels are known, with intervals over those who wrote them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.stats import Estimate, record_generator, resampled_estimate, rule_of_three, without_interval

Floats = NDArray[np.float64]
RESAMPLES = 4999
PERFECT = "rule of three over {unit}"


@dataclass(frozen=True)
class Rated:
    """Answers with how close each was said to be, its level (0 the nearest), its task and who wrote it.

    `closeness` is NaN where nothing was said: such an answer is put where it hurts most in each comparison, so that
    leaving out never pays.
    """

    closeness: Floats
    level: NDArray[np.int64]
    task: NDArray[np.str_]
    unit: NDArray[np.str_]
    units: str = "participants"
    """What the writers are called in the method of an interval."""

    @classmethod
    def of(
        cls,
        closeness: Sequence[float],
        *,
        level: Sequence[int],
        task: Sequence[str],
        unit: Sequence[str],
        units: str = "participants",
    ) -> "Rated":
        """Take lists of the same length."""
        return cls(
            np.array(closeness, dtype=float), np.array(level, dtype=np.int64), np.array(task), np.array(unit), units
        )

    @cached_property
    def numbers(self) -> tuple[NDArray[np.int64], int]:
        """The number of each answer's writer, and how many writers there are."""
        names, places = np.unique(self.unit, return_inverse=True)
        return places, len(names)

    def area(self, nearer: Sequence[int], further: Sequence[int]) -> Estimate:
        """Estimate the chance that an answer of nearer levels is said to be closer than one of further levels."""
        return self._estimate(self._area(nearer, further), perfect=1.0)

    def area_difference(self, other: "Rated", nearer: Sequence[int], further: Sequence[int]) -> Estimate:
        """Estimate by how much this area exceeds that of someone else who spoke of the same answers.

        Each resample draws the same writers for both, so that what makes a writer hard for both cancels.
        """
        if not self.of_the_same(other):
            raise ValueError("areas are compared over the same answers")
        ours, theirs = self._area(nearer, further), other._area(nearer, further)
        return self._estimate(lambda weights: ours(weights) - theirs(weights), perfect=None)

    def of_the_same(self, other: "Rated") -> bool:
        """Say whether both speak of answers of the same writers, tasks and levels."""
        mine, others = (
            sorted(zip(one.level.tolist(), one.task.tolist(), one.unit.tolist(), strict=True)) for one in (self, other)
        )
        return mine == others

    def mean_area(self, pairs: Sequence[tuple[int, int]]) -> Estimate:
        """Estimate the mean of several such chances, each of two levels."""
        areas = [self._area([one], [other]) for one, other in pairs]
        return self._estimate(lambda weights: np.mean([area(weights) for area in areas], axis=0), perfect=1.0)

    def order_within(self) -> Estimate:
        """Estimate Spearman's correlation of closeness with nearness within each task, the mean over tasks."""
        if not len(self.level):
            return without_interval(float("nan"), n=0, reason="nothing was asked")
        parts = [self._correlation(self.task == task) for task in np.unique(self.task)]

        def mean(weights: Floats) -> Floats:
            found = np.array([part(weights) for part in parts])
            # A task of which a resample drew one level only has no order.
            known = ~np.isnan(found)
            with np.errstate(invalid="ignore"):
                whole: Floats = np.where(known, found, 0.0).sum(axis=0) / known.sum(axis=0)
            return whole

        return self._estimate(mean, perfect=None)

    def _area(self, nearer: Sequence[int], further: Sequence[int]) -> Callable[[Floats], Floats]:
        near, far = (np.isin(self.level, levels) for levels in (nearer, further))
        high = np.where(np.isnan(self.closeness[near]), -np.inf, self.closeness[near])
        low = np.where(np.isnan(self.closeness[far]), np.inf, self.closeness[far])
        wins = (high[:, None] > low[None, :]) + 0.5 * (high[:, None] == low[None, :])
        units = self.numbers[0]

        def area(weights: Floats) -> Floats:
            ours, theirs = weights[:, units[near]], weights[:, units[far]]
            with np.errstate(invalid="ignore", divide="ignore"):
                found: Floats = ((ours @ wins) * theirs).sum(axis=1) / (ours.sum(axis=1) * theirs.sum(axis=1))
            return found

        return area

    def _correlation(self, held: NDArray[np.bool_]) -> Callable[[Floats], Floats]:
        nearness = -self.level[held].astype(float)
        filled = hurting(self.closeness[held], nearness)
        units, whole = self.numbers[0][held], not np.isnan(self.closeness[held]).any()

        def correlation(weights: Floats) -> Floats:
            found = _spearman(weights[:, units], filled, nearness)
            # Ties among what was said make ranks vary less, and so an order that runs the wrong way worse: without
            # this a left-out answer, which is tied with nothing, could help a little.
            return found if whole else np.where(found < 0, -1.0, found)

        return correlation

    def _estimate(self, statistic: Callable[[Floats], Floats], *, perfect: float | None) -> Estimate:
        _, count = self.numbers

        def drawn(index: NDArray[np.int64], axis: int = -1) -> Any:
            rows = index.reshape(-1, index.shape[-1])
            weights = np.zeros((len(rows), count))
            np.add.at(weights, (np.arange(len(rows))[:, None], rows), 1.0)
            found = statistic(weights)
            return found.reshape(index.shape[:-1]) if index.ndim > 1 else found[0]

        rng = record_generator(np.nan_to_num(self.closeness, nan=-1.0), self.level)
        found = resampled_estimate(drawn, units=count, unit=self.units, rng=rng, resamples=RESAMPLES)
        if perfect is not None and found.value == perfect and not found.has_interval and count >= 10:
            low, high = rule_of_three(1.0, n=count)
            return Estimate(1.0, low, high, count, PERFECT.format(unit=self.units))
        return found


def correlation(closeness: Sequence[float], nearness: Sequence[float]) -> float:
    """Return Spearman's correlation of closeness with nearness; what is unknown is put where it hurts most.

    >>> correlation([0.9, 0.5, 0.1], [3, 2, 1]), correlation([0.9, 0.5, float("nan")], [3, 2, 1])
    (1.0, -1.0)
    """
    values = Rated.of(
        closeness, level=[-round(one) for one in nearness], task=[""] * len(closeness), unit=[""] * len(closeness)
    )
    return float(values._correlation(np.ones(len(closeness), dtype=bool))(np.ones((1, 1)))[0])


def _spearman(weights: Floats, one: Floats, other: Floats) -> Floats:
    """Return Spearman's correlation under rows of weights, which say how often each value stands there.

    Who says the same of all (the first values) tells no order, 0; where all others are the same there is none to tell.
    """
    ranks = [_ranks(weights, values) for values in (one, other)]
    whole = weights.sum(axis=1, keepdims=True)
    centred = [rank - (weights * rank).sum(axis=1, keepdims=True) / np.maximum(whole, 1) for rank in ranks]
    product = (weights * centred[0] * centred[1]).sum(axis=1)
    told, levels = ((weights * centre**2).sum(axis=1) for centre in centred)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = np.where(told > 1e-9, product / np.sqrt(told * levels), 0.0)
    return np.where(levels > 1e-9, np.clip(found, -1.0, 1.0), np.nan)


def _ranks(weights: Floats, values: Floats) -> Floats:
    below = (values[None, :] < values[:, None]).astype(float)
    same = (values[None, :] == values[:, None]).astype(float)
    found: Floats = weights @ below.T + (weights @ same.T + 1) / 2
    return found


def hurting(closeness: Floats, nearness: Floats) -> Floats:
    """Return closeness with what is unknown put where it makes the rank correlation with nearness least.

    What was said keeps its order. The places are those of a merge of two lists, found exactly: unknown ones go in from
    the nearest, which hurts most at the bottom, to the furthest.

    >>> hurting(np.array([0.9, np.nan, 0.1]), np.array([3.0, 2.0, 1.0])).argsort().tolist()
    [1, 2, 0]
    """
    unknown = np.isnan(closeness)
    if not unknown.any():
        return closeness
    answered = np.flatnonzero(~unknown)
    blocks = [answered[closeness[answered] == value] for value in np.unique(closeness[answered])]
    lost = sorted(np.flatnonzero(unknown).tolist(), key=lambda place: -nearness[place])
    order = _worst_merge(blocks, lost, nearness - nearness.mean())
    filled = np.empty(len(closeness))
    for rank, members in enumerate(order):
        filled[members] = rank
    return filled


def _worst_merge(blocks: Sequence[NDArray[np.int64]], lost: Sequence[int], weight: Floats) -> list[list[int]]:
    """Merge blocks of ties and lost places so that the sum of weight times rank is least."""
    sizes = np.cumsum([0, *(len(block) for block in blocks)])
    cost = np.full((len(blocks) + 1, len(lost) + 1), np.inf)
    cost[0, 0] = 0.0
    came = np.zeros(cost.shape, dtype=bool)
    for done in range(len(blocks) + 1):
        for placed in range(len(lost) + 1):
            before = sizes[done] + placed
            if done:
                block = blocks[done - 1]
                middle = sizes[done - 1] + placed + (len(block) + 1) / 2
                other = cost[done - 1, placed] + weight[block].sum() * middle
                if other < cost[done, placed]:
                    cost[done, placed], came[done, placed] = other, True
            if placed:
                other = cost[done, placed - 1] + weight[lost[placed - 1]] * before
                if other < cost[done, placed]:
                    cost[done, placed], came[done, placed] = other, False
    order: list[list[int]] = []
    done, placed = len(blocks), len(lost)
    while done or placed:
        if came[done, placed]:
            done -= 1
            order.append(blocks[done].tolist())
        else:
            placed -= 1
            order.append([lost[placed]])
    return order[::-1]
