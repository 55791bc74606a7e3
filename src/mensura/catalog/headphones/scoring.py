"""Scoring of the headphone check: how often the quiet tone was found, and whether that is often enough."""

from collections.abc import Mapping
from math import ceil, comb, nan
from typing import Any

from mensura.dialogue import Items, Record, Score

PASSING = 5 / 6
CHANCE = 1 / 3
SCORES = (
    Score("accuracy", better="more", proportion=True, unanswered=0),
    Score("passed", better="more", low=0, high=1, label="Passed"),
)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items | float]:
    """Return whether each quiet tone was found, and whether five in six were."""
    given = record.answers
    right = [nan if one.value is None else float(one.value == truths.get(one.key)) for one in given]
    passed = bool(right) and right.count(1.0) >= needed(len(right))
    return {"accuracy": Items(right, [one.key for one in given]), "passed": float(passed)}


def needed(trials: int) -> int:
    """Return how many trials must be right.

    >>> needed(6)
    5
    """
    return ceil(PASSING * trials)


def chance_levels(*, trials: int) -> dict[str, float]:
    """Return what guessing scores.

    >>> round(chance_levels(trials=6)["passed"] * 729)
    13
    """
    least = needed(trials)
    passed = sum(comb(trials, k) * CHANCE**k * (1 - CHANCE) ** (trials - k) for k in range(least, trials + 1))
    return {"accuracy": CHANCE, "passed": passed}
