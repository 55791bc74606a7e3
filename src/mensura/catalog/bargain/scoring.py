"""Scores of the bargain: what each earned, and whether their claims fitted together."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import UNANSWERED, Items, Record, Score

ROLES = ("first", "second")


def scores(*, points: int, **others: Any) -> tuple[Score, ...]:
    """Declare what each role earns, and whether there was an agreement."""
    earned = (Score(f"{role}_points", better="more", low=0, high=points, unit="points", of=role) for role in ROLES)
    return (*earned, Score("agreement", better="more", proportion=True))


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return what each role earned by its claim, and whether the claims fitted together.

    Who makes no claim earns nothing; the partner has no score then.
    """
    claims = {answer.role: answer for answer in record.answers if answer.key == "claim"}
    found = {}
    for role in ROLES:
        outcome = record.outcome_of(claims[role]) if role in claims else record.unfinished
        reward = claims[role].reward if role in claims else None
        earned = 0.0 if outcome in UNANSWERED else np.nan if reward is None else reward
        found[f"{role}_points"] = Items([earned], ["claim"], outcomes=[outcome or "unresolved"])
    made = [claims[role].value for role in ROLES if role in claims and claims[role].status == "answered"]
    fits = float(sum(made) <= record.parameters["points"]) if len(made) == len(ROLES) else np.nan
    outcomes = [record.outcome_of(one) for one in claims.values()] or [record.unfinished]
    worst = next((one for one in outcomes if one != "answered"), "answered")
    found["agreement"] = Items([fits], ["claim"], outcomes=[worst or "unresolved"])
    return found


def chance_levels(*, points: int, **others: Any) -> dict[str, float]:
    """Return what two who claim by chance score.

    >>> round(chance_levels(points=1)["agreement"], 4)
    0.75
    """
    claims = np.arange(points + 1)
    fitting = claims[::-1] + 1
    mean = float((claims * fitting).sum() / (points + 1) ** 2)
    return {
        **dict.fromkeys((f"{role}_points" for role in ROLES), mean),
        "agreement": float(fitting.sum()) / (points + 1) ** 2,
    }
