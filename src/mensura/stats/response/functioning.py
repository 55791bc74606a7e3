"""Functioning: whether an item is harder for one group than for another of the same ability."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mensura.errors import BadData
from mensura.stats.comparisons.multiplicity import holm
from mensura.stats.estimate import Estimate, without_interval
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import Floats
from mensura.stats.response.calibration import CalibratedItems
from mensura.stats.response.curves import WIDE, Curves
from mensura.stats.response.likelihood import NODES, grid
from mensura.stats.response.responses import ResponseMatrix
from mensura.stats.wording import listed, several

LEAST_OF_GROUP = 5
LEVEL = 0.05
ROUNDS = 10
LEAST_ANCHORS = 3
Rows = NDArray[np.bool_]
Priors = tuple[tuple[float, float], tuple[float, float]]
"""Mean and standard deviation of the abilities of both groups."""


@dataclass(frozen=True)
class Functioning:
    """How one item differs between two groups of the same ability."""

    logits: Estimate
    """How much easier it is for the first group, in logits."""
    odds_ratio: Estimate
    """Mantel and Haenszel's common odds ratio over sums of right anchors; unknown where sums cannot be matched."""
    p: float
    adjusted: float
    """p after Holm over all items."""
    differs: bool


@dataclass(frozen=True)
class GroupFunctioning(Finding):
    """Which items function differently in two groups."""

    groups: tuple[str, str]
    persons: tuple[int, int]
    means: tuple[float, float]
    """Mean ability of each group by the anchors, on the scale of the calibration."""
    items: dict[str, Functioning]
    anchors: tuple[str, ...]
    """The items that abilities were matched by: those that were not found to differ."""

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        first, second = self.groups
        found = [name for name, one in self.items.items() if one.differs]
        who = f"{first} ({self.persons[0]}) and {second} ({self.persons[1]})"
        if not found:
            return (
                f"No item is found to be harder for one of {who} than for others of the same ability; "
                "that does not prove that there is none."
            )
        easier = [f"{name} easier for {first if self.items[name].logits.value > 0 else second}" for name in found]
        return (
            f"{several(len(found), 'item')} of {len(self.items)} differ between {who} at the same ability: "
            f"{listed(easier)}. The chance of any false alarm is at most {LEVEL:g}."
        )


def group_functioning(
    matrix: ResponseMatrix, calibrated: CalibratedItems, *, first: Sequence[int], names: tuple[str, str]
) -> GroupFunctioning:
    r"""Test each item for a difference between two groups of persons of the same ability.

    For each answer the model gives the chance of being right from the person's *other* answers and the ability
    distribution of their group. In the logistic regression with that chance as offset, an intercept and the ability as
    nuisance, the effect of the group is tested by Rao's score test. Distributions of the groups are estimated, so
    groups of different ability are not mistaken for items that differ; missing answers need no care. Items that differ
    are taken out of what abilities are matched by, until none is found any more. p-values are Holm's over items.
    Only differences in one direction along the whole scale are looked for (uniform ones).

    Parameters
    ----------
    matrix : ResponseMatrix
        Answers of both groups.
    calibrated : CalibratedItems
        Calibrated on both together, or on one of them.
    first : sequence of int
        The rows of the first group; all others are the second.
    names : (str, str)
        What the groups are called.
    """
    held = [matrix.items.index(name) for name in calibrated.items]
    right, curves = matrix.right[:, held], calibrated.curves
    group = np.zeros(len(right), dtype=bool)
    group[list(first)] = True
    for name, rows in zip(names, (group, ~group), strict=True):
        if rows.sum() < LEAST_OF_GROUP:
            many = several(int(rows.sum()), "person")
            raise BadData(f"Differential functioning needs {LEAST_OF_GROUP} persons in each group; {name} has {many}.")
    anchors = np.ones(len(held), dtype=bool)
    priors: Priors = ((0.0, 1.0), (0.0, 1.0))
    for _ in range(ROUNDS):
        priors = _group_priors(right[:, anchors], _of(curves, anchors), group, start=priors)
        found = [_score_test(right, curves, group, anchors, place, priors) for place in range(len(held))]
        adjusted = np.array(holm([p for *_, p in found]).adjusted)
        kept = ~(adjusted < LEVEL)
        if kept.sum() < LEAST_ANCHORS or (kept == anchors).all():
            break
        anchors = kept
    made = {}
    for place, name in enumerate(calibrated.items):
        size, error, p = found[place]
        logits = Estimate(size, size - WIDE * error, size + WIDE * error, len(right), "score test, one step")
        odds = mantel_haenszel(right, group, item=place, anchors=anchors)
        made[name] = Functioning(logits, odds, p, float(adjusted[place]), bool(adjusted[place] < LEVEL))
    kept_names = tuple(name for name, here in zip(calibrated.items, anchors, strict=True) if here)
    return GroupFunctioning(
        names, (int(group.sum()), int((~group).sum())), (priors[0][0], priors[1][0]), made, kept_names
    )


def mantel_haenszel(right: Floats, group: Rows, *, item: int, anchors: Rows) -> Estimate:
    """Estimate the common odds ratio of being right, first group over second, over sums of the anchors and the item.

    The interval is that of Robins, Breslow and Greenland (1986). Persons with a missing answer are left out.
    """
    matched = anchors.copy()
    matched[item] = True
    rows = ~np.isnan(right[:, matched]).any(axis=1)
    sums = right[rows][:, matched].sum(axis=1).astype(int)
    answer, first = right[rows, item] == 1, group[rows]
    width = int(matched.sum()) + 1
    a, b, c, d = (
        np.bincount(sums[chosen], minlength=width).astype(float)
        for chosen in (first & answer, first & ~answer, ~first & answer, ~first & ~answer)
    )
    total = a + b + c + d
    held = total > 0
    a, b, c, d, total = (part[held] for part in (a, b, c, d, total))
    over, under = a * d / total, b * c / total
    if not over.sum() or not under.sum():
        return without_interval(float("nan"), n=int(rows.sum()), reason="no sums that both groups have")
    ratio = over.sum() / under.sum()
    agree, differ = (a + d) / total, (b + c) / total
    spread = (agree * over).sum() / (2 * over.sum() ** 2) + (differ * under).sum() / (2 * under.sum() ** 2)
    spread += (agree * under + differ * over).sum() / (2 * over.sum() * under.sum())
    error = WIDE * np.sqrt(spread)
    low, high = ratio * np.exp(-error), ratio * np.exp(error)
    return Estimate(float(ratio), float(low), float(high), int(rows.sum()), "Mantel-Haenszel")


def _score_test(
    right: Floats, curves: Curves, group: Rows, anchors: Rows, item: int, priors: Priors
) -> tuple[float, float, float]:
    """Return size and standard error of the group's effect in logits, and p; `priors` are those by all anchors."""
    others = anchors.copy()
    others[item] = False
    rows = ~np.isnan(right[:, item])
    answer, mine, rest = right[rows, item], group[rows], right[rows][:, others]
    if not others.any() or mine.all() or not mine.any():
        return float("nan"), float("nan"), float("nan")
    ability, _ = grid(NODES)
    likely = np.exp(_shifted(_of(curves, others).log_likelihood(rest, ability)))
    found = _group_priors(right[:, others], _of(curves, others), group, start=priors)
    first, second = (np.exp(-0.5 * ((ability - mean) / sd) ** 2) for mean, sd in found)
    posterior = likely * np.where(mine[:, None], first / first.sum(), second / second.sum())
    posterior = posterior / posterior.sum(axis=1, keepdims=True)
    one = np.zeros(len(anchors), dtype=bool)
    one[item] = True
    offset = posterior @ _of(curves, one).right(ability)[0]
    offset = np.log(offset / (1 - offset))
    nuisance = np.column_stack([np.ones(len(answer)), posterior @ ability])
    return _group_effect(answer, offset, nuisance, mine.astype(float))


def _group_effect(answer: Floats, offset: Floats, nuisance: Floats, mine: Floats) -> tuple[float, float, float]:
    turn = np.zeros(nuisance.shape[1])
    for _ in range(25):
        chance = 1 / (1 + np.exp(-(offset + nuisance @ turn)))
        weight = chance * (1 - chance)
        information = nuisance.T @ (nuisance * weight[:, None]) + 1e-9 * np.eye(len(turn))
        change = np.linalg.solve(information, nuisance.T @ (answer - chance))
        turn = turn + np.clip(change, -2, 2)
        if np.abs(change).max() < 1e-9:
            break
    freed = mine - nuisance @ np.linalg.solve(information, nuisance.T @ (weight * mine))
    spread = float((weight * freed**2).sum())
    if spread < 1e-9:
        return float("nan"), float("nan"), float("nan")
    score = float((freed * (answer - chance)).sum())
    return score / spread, 1 / np.sqrt(spread), _two_sided(score, freed, chance)


def _two_sided(score: float, weights: Floats, chance: Floats) -> float:
    """Return how likely a weighted sum of residuals as large as this is, by the saddlepoint (Lugannani and Rice 1980).

    Of a handful of machines the sum is far from normal: one wrong answer to an easy item is a long tail.
    """
    from scipy.special import ndtr

    spread = float((chance * (1 - chance) * weights**2).sum())
    if abs(score) < 1e-3 * np.sqrt(spread):
        return 1.0
    at = score / spread
    for _ in range(60):
        raised = chance * np.exp(np.clip(at * weights, -50, 50))
        tilted = raised / (1 - chance + raised)
        slope = float((weights * (tilted - chance)).sum())
        bend = float((weights**2 * tilted * (1 - tilted)).sum())
        change = float(np.clip((score - slope) / max(bend, 1e-12), -2, 2))
        at += change
        if abs(change) < 1e-9:
            break
    height = float(np.log1p(chance * np.expm1(np.clip(at * weights, -50, 50))).sum() - at * (weights * chance).sum())
    deviance = 2 * (at * score - height)
    if abs(at) > 40 or deviance <= 0:
        return float(2 * ndtr(-abs(score) / np.sqrt(spread)))
    signed, leverage = np.sqrt(deviance), abs(at) * np.sqrt(bend)
    density = np.exp(-deviance / 2) / np.sqrt(2 * np.pi)
    return float(np.clip(2 * (ndtr(-signed) + density * (1 / leverage - 1 / signed)), 0, 1))


def _group_priors(right: Floats, curves: Curves, group: Rows, *, start: Priors) -> Priors:
    """Estimate mean and standard deviation of the abilities in each group, given the items."""
    ability, _ = grid(NODES)
    likely = np.exp(_shifted(curves.log_likelihood(right, ability)))
    first, second = (_prior(likely[rows], ability, at) for rows, at in zip((group, ~group), start, strict=True))
    return first, second


def _prior(likely: Floats, ability: Floats, start: tuple[float, float]) -> tuple[float, float]:
    mean, sd = start
    for _ in range(200):
        posterior = likely * np.exp(-0.5 * ((ability - mean) / sd) ** 2)
        shares = (posterior / posterior.sum(axis=1, keepdims=True)).mean(axis=0)
        before = mean, sd
        mean = float(shares @ ability)
        # A handful of machines may be all alike: their distribution keeps some width.
        sd = max(float(np.sqrt(shares @ (ability - mean) ** 2)), 0.2)
        if max(abs(mean - before[0]), abs(sd - before[1])) < 1e-4:
            break
    return mean, sd


def _shifted(values: Floats) -> Floats:
    return np.asarray(values - values.max(axis=1, keepdims=True))


def _of(curves: Curves, chosen: Rows) -> Curves:
    return Curves(curves.a[chosen], curves.b[chosen], curves.c[chosen])
