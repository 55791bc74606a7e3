"""Understanding of a phenomenon: predict, achieve, explain and recreate, each from chance, 0, to truth, 1."""

from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData
from mensura.stats.adaptivity.courses import course_mean
from mensura.stats.estimate import Estimate
from mensura.stats.finding import Finding
from mensura.stats.intervals.sample import numbers
from mensura.stats.wording import listed, spoken

PARTS = ("predict", "achieve", "explain", "recreate")
"""The four numbers, by name."""
Edge = tuple[Hashable, Hashable]


@dataclass(frozen=True, slots=True)
class Understanding(Finding):
    """Four numbers from 0, chance, to 1, truth; they are never made one. None where a part was not measured."""

    predict: Estimate | None
    achieve: Estimate | None
    explain: Estimate | None
    recreate: Estimate | None

    @property
    def sentence(self) -> str:
        """Return it as a sentence."""
        parts = {field.name: getattr(self, field.name) for field in fields(self)}
        known = listed([f"{name} {spoken(found)}" for name, found in parts.items() if found is not None])
        missing = listed([name for name, found in parts.items() if found is None])
        open_ = f" Not measured: {missing}; without them understanding is not established." if missing else ""
        return f"Understanding, from chance (0) to truth (1): {known or 'nothing was measured'}.{open_}"


def understanding(
    *,
    predict: ArrayLike | None,
    achieve: ArrayLike | None,
    explain: ArrayLike | None,
    recreate: ArrayLike | None,
    level: float = 0.95,
) -> Understanding:
    """Estimate the four parts of understanding over courses.

    Parameters
    ----------
    predict, achieve, explain, recreate : array_like or None
        For each course its number from 0, chance, to 1, truth, below 0 where it was worse than chance; None where the
        part was not measured. All four must be named: none stands for the others.
    level : float
        Confidence level.

    Returns
    -------
    Understanding
        The means are taken before they are held within 0 and 1, so that a guesser's luck does not add up.

    Examples
    --------
    >>> print(understanding(predict=[0.9, 0.8, 0.9], achieve=[0.1, -0.1, 0.0], explain=None, recreate=None).achieve)
    0.00 [0.00, 0.25] (n=3, t)
    """
    parts = {"predict": predict, "achieve": achieve, "explain": explain, "recreate": recreate}
    return Understanding(**{k: None if v is None else _held(v, name=k, level=level) for k, v in parts.items()})


def graph_score(*, answer: Collection[Edge], truth: Collection[Edge], nodes: Collection[Hashable]) -> float:
    r"""Score a causal graph against the true one: 1 is the truth, 0 guessing, below 0 worse.

    :math:`(R - W)/m - F/k`: of the m pairs that are truly linked, R have the right direction and W the wrong one; both
    directions, or none, count for nothing where one is true. Of the k pairs that are not linked, F were said to be.
    So to name every correlation both ways earns nothing.

    Parameters
    ----------
    answer, truth : collection of (cause, effect)
        Edges.
    nodes : collection
        All nodes, linked or not.

    Examples
    --------
    >>> truth = [("power", "speed"), ("speed", "place")]
    >>> nodes = ["power", "speed", "place", "colour"]
    >>> graph_score(answer=truth, truth=truth, nodes=nodes)
    1.0
    >>> graph_score(answer=[("power", "speed"), ("speed", "power"), ("colour", "place")], truth=truth, nodes=nodes)
    -0.25
    """
    names = set(nodes)
    said, true = set(map(tuple, answer)), set(map(tuple, truth))
    stray = [edge for edge in said | true if not set(edge) <= names or len(set(edge)) != 2]
    if stray or not true:
        raise BadData(f"Edges join two of the nodes, and the true graph has at least one; got {stray or 'none'}.")
    right = linked = false = free = 0
    for pair in combinations(names, 2):
        ways = {pair, pair[::-1]}
        if not ways & true:
            free, false = free + 1, false + bool(ways & said)
            continue
        linked += 1
        if ways & said == ways & true:
            right += 1
        elif len(ways & said) == len(ways & true) == 1:
            right -= 1
    return right / linked - (false / free if free else 0.0)


def answers_score(*, answers: Sequence[Hashable], truths: Sequence[Hashable], options: Collection[Hashable]) -> float:
    """Score answers to interventions: accuracy from that of the best constant answer, 0, to 1.

    >>> answers_score(answers=["up", "none", "down", "up"], truths=["up", "none", "up", "up"], options=["up", "none"])
    0.0
    """
    if len(answers) != len(truths) or not truths or len(set(options)) < 2:
        raise BadData("Give one answer for each intervention, at least one, and at least two options.")
    constant = max(max(Counter(truths).values()) / len(truths), 1 / len(set(options)))
    if constant == 1:
        raise BadData("Every intervention has the same true answer, so a constant answer is as good as knowledge.")
    right = sum(one == other for one, other in zip(answers, truths, strict=True)) / len(truths)
    return (right - constant) / (1 - constant)


def skill(*, loss: ArrayLike, chance: ArrayLike) -> float:
    """Return how far proper losses (Brier, CRPS ...) lie below those of an uninformed forecast: 0 alike, 1 no loss.

    >>> round(skill(loss=[0.05, 0.1, 0.0], chance=[0.25, 0.25, 0.25]), 6)
    0.8
    """
    ours, theirs = numbers(loss, name="losses"), numbers(chance, name="losses of chance")
    if len(ours) != len(theirs) or not len(ours) or (ours < 0).any() or np.mean(theirs) <= 0:
        raise BadData("Give as many losses of chance as of the subject, from 0 up; those of chance not all 0.")
    return float(1 - ours.mean() / theirs.mean())


def _held(values: ArrayLike, *, name: str, level: float) -> Estimate:
    found = course_mean(np.maximum(numbers(values, name=name), -1), level=level)
    if found.value > 1 + 1e-9:
        raise BadData(f"{name} is at most 1, the truth; the mean is {found.value:.4g}.")
    value, low, high = (float(np.clip(part, 0, 1)) for part in (found.value, found.low, found.high))
    return replace(found, value=value, low=low, high=high)
