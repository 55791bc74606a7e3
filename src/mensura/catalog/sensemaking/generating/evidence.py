"""What INTs report on generated trials: frequencies follow the PROBS as nearly as so few trials allow."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam import Layer, Probs


def reports(
    rng: np.random.Generator, *, layer: Layer, truths: Sequence[str], groups: Sequence[str], probs: Probs
) -> list[str]:
    """Draw what a layer reports on every trial, given who attacked.

    Outcomes are dealt, not thrown: how often the attacker's likeliest outcome comes, how often the next, is as near
    to the rule's chances as whole numbers can be; only the order is random.
    """
    outcomes = probs.outcomes(layer, groups=groups)
    table = np.array([probs.likelihood(layer, outcome, groups=groups) for outcome in outcomes])
    chances = table / table.sum(axis=0)
    ranked = -np.sort(-chances, axis=0).mean(axis=1)
    found = []
    for rank, truth in zip(deal(rng, ranked, count=len(truths)), truths, strict=True):
        own = chances[:, groups.index(truth)]
        order = np.lexsort((rng.random(len(own)), -own))
        found.append(outcomes[int(order[rank])])
    return found


def sigint_reports(
    rng: np.random.Generator, *, truths: Sequence[str], groups: Sequence[str], probs: Probs
) -> list[dict[str, str]]:
    """Draw what SIGINT on each group would report on every trial: the attacker chatters more often than the others."""
    outcomes = probs.outcomes(Layer("SIGINT", groups[0]))
    trials: list[dict[str, str]] = [{} for _ in truths]
    for attacker in (True, False):
        pairs = [(t, g) for t, truth in enumerate(truths) for g in groups if (g == truth) == attacker]
        named = "named" if attacker else "other"
        weights = np.array([probs.features["SIGINT"][outcome][named] for outcome in outcomes])
        for (trial, group), card in zip(pairs, deal(rng, weights / weights.sum(), count=len(pairs)), strict=True):
            trials[trial][group] = outcomes[card]
    return trials


def deal(rng: np.random.Generator, chances: NDArray[np.float64], *, count: int) -> list[int]:
    """Deal so many outcomes, as numbers, in proportion to their chances and in random order.

    >>> sorted(deal(np.random.default_rng(0), np.array([0.8, 0.2]), count=10))
    [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
    """
    exact = chances * count
    whole = np.floor(exact + 1e-9).astype(int)
    short = count - int(whole.sum())
    if short:
        rest = np.clip(exact - whole, 1e-12, None)
        whole[rng.choice(len(chances), size=short, replace=False, p=rest / rest.sum())] += 1
    return [int(card) for card in rng.permutation(np.repeat(np.arange(len(chances)), whole))]
