"""Scores of the corridor: one number per walk."""

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Any

import numpy as np

from mensura.catalog.corridor.world import check_corridor
from mensura.dialogue import Answer, Items, Record, Score

NAMES = ("return", "steps", "reached")


def scores(*, length: int, slip: float, step_cost: float, most_steps: int, episodes: int) -> tuple[Score, ...]:
    """Declare the scores; a walk has 1 to `most_steps` steps, and one that misses the goal has all of them."""
    check_corridor(length, slip, most_steps, episodes)
    at_once, at_last, never = 1 - step_cost, 1 - step_cost * most_steps, -step_cost * most_steps
    return (
        Score("return", better="more", low=min(at_once, never), high=max(at_once, at_last)),
        # Steps describe a walk: how good it was is its return.
        Score("steps", better=None, low=0, high=most_steps, unit="steps"),
        Score("reached", better="more", proportion=True),
    )


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return each walk's return (more is better), its steps, and whether it reached the goal.

    A walk that was not finished has no score.
    """
    keys = [f"episode{episode}" for episode in range(record.parameters["episodes"])]
    walks: dict[str, list[Answer]] = {key: [] for key in keys}
    for answer in record.answers:
        walks[answer.key].append(answer)
    step_cost = record.parameters["step_cost"]
    values = np.array([_score_walk(walks[key], step_cost) for key in keys])
    return {name: Items(values[:, i], keys) for i, name in enumerate(NAMES)}


def _score_walk(answers: Sequence[Answer], step_cost: float) -> tuple[float, float, float]:
    rewards = [answer.reward for answer in answers]
    if not rewards or any(reward is None for reward in rewards) or any(answer.status == "lost" for answer in answers):
        return np.nan, np.nan, np.nan
    total = fsum(reward for reward in rewards if reward is not None)
    # Every step costs the same, so what is more than the costs is the goal.
    return total, len(rewards), float(total + step_cost * len(rewards) > 0.5)
