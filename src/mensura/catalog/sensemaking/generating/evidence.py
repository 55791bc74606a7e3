"""What INTs report on generated trials: frequencies follow the PROBS as nearly as so few trials allow."""

from collections.abc import Sequence

import numpy as np

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.generating.setter import Setter


def reports(by: Setter, kind: str, truths: Sequence[str]) -> list[str]:
    """Draw what a layer reports on every trial, given who attacked.

    Outcomes are dealt, not thrown: how often the attacker's likeliest outcome comes, how often the next, is as near
    to the rule's chances as whole numbers can be; only the order is random.
    """
    layer, groups = Layer(kind), by.groups
    outcomes = by.probs.outcomes(layer, groups=groups)
    table = np.array([by.probs.likelihood(layer, outcome, groups=groups) for outcome in outcomes])
    chances = table / table.sum(axis=0)
    ranked = -np.sort(-chances, axis=0).mean(axis=1)
    found = []
    for rank, truth in zip(by.deal(ranked, count=len(truths)), truths, strict=True):
        own = chances[:, groups.index(truth)]
        order = np.lexsort((by.rng.random(len(own)), -own))
        found.append(outcomes[int(order[rank])])
    return found


def sigint_reports(by: Setter, truths: Sequence[str]) -> list[dict[str, str]]:
    """Draw what SIGINT on each group would report on every trial: the attacker chatters more often than the others."""
    outcomes = by.probs.outcomes(Layer("SIGINT", by.groups[0]))
    trials: list[dict[str, str]] = [{} for _ in truths]
    for attacker in (True, False):
        pairs = [(t, g) for t, truth in enumerate(truths) for g in by.groups if (g == truth) == attacker]
        named = "named" if attacker else "other"
        weights = np.array([by.probs.features["SIGINT"][outcome][named] for outcome in outcomes])
        for (trial, group), card in zip(pairs, by.deal(weights / weights.sum(), count=len(pairs)), strict=True):
            trials[trial][group] = outcomes[card]
    return trials
