"""Scores of an episode."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Record


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, float]:
    """Give the return of the episode (more is better) and its steps; an episode that broke off has neither."""
    if record.status != "finished":
        return {"return": np.nan, "steps": np.nan}
    rewards = record.rewards()
    return {"return": float(rewards.sum()), "steps": float(len(rewards))}
