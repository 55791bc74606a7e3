"""Scores of the dilemma: what each player earned, and how often it meant to cooperate."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.dilemma.payoffs import COOPERATE
from mensura.dialogue import Items, Record


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Give per role the payoff of each round and whether it chose to cooperate; void rounds have no score."""
    scores = {}
    for role in ("first", "second"):
        answers = record.of(role)
        keys = [answer.key for answer in answers]
        chosen = [float(answer.value == COOPERATE) if answer.status == "answered" else np.nan for answer in answers]
        scores[f"{role}_payoff"] = Items(record.rewards(role=role), keys)
        scores[f"{role}_cooperation"] = Items(chosen, keys, proportion=True)
    return scores
