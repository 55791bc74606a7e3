"""Scores of the corridor: one number per walk."""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

import numpy as np

from mensura.dialogue import Answer, Items, Record


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Give each walk's return (more is better), its steps, and whether it reached the goal.

    A walk that was not finished has no score.
    """
    keys = [f"episode{episode}" for episode in range(record.parameters["episodes"])]
    walks: dict[str, list[Answer]] = {key: [] for key in keys}
    for answer in record.answers:
        walks[answer.key].append(answer)
    step_cost = record.parameters["step_cost"]
    values = np.array([_score_walk(walks[key], step_cost) for key in keys])
    names = ("return", "steps", "reached")
    return {name: Items(values[:, i], keys, proportion=name == "reached") for i, name in enumerate(names)}


def _score_walk(answers: Sequence[Answer], step_cost: float) -> tuple[float, float, float]:
    rewards = [answer.reward for answer in answers]
    if not rewards or any(reward is None for reward in rewards):
        return np.nan, np.nan, np.nan
    total = fsum(reward for reward in rewards if reward is not None)
    # Every step costs the same, so what is more than the costs is the goal.
    return total, len(rewards), float(total + step_cost * len(rewards) > 0.5)
