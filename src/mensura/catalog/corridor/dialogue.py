"""The corridor test: walk to the goal in few steps, though moves may slip."""

from collections.abc import Generator
from dataclasses import replace
from typing import Annotated, Any

import numpy as np

from mensura.catalog.corridor.batch import walk_batch
from mensura.catalog.corridor.scoring import score, scores
from mensura.catalog.corridor.settings import SETTINGS
from mensura.catalog.corridor.subjects import SUBJECTS
from mensura.catalog.corridor.world import MOVES, TASKS, chance_levels, check_corridor, see, views
from mensura.dialogue import Ask, Outcome, Sees, test


def refuse(*, length: int, slip: float, most_steps: int, episodes: int, **others: Any) -> None:
    """Refuse corridors that nobody could walk."""
    check_corridor(length, slip, most_steps, episodes)


@test(
    "corridor-v1",
    score=score,
    scores=scores,
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance=chance_levels,
    sees=Sees((2,), 0.0, 1.0, np.float32, see),
    acts=MOVES,
    batch=walk_batch,
    refuse=refuse,
    tasks=TASKS,
)
def corridor(
    rng: np.random.Generator,
    *,
    length: Annotated[int, "How many cells the corridor has, 3 or more; a walk begins in the middle one."] = 11,
    slip: Annotated[float, "The chance that a move goes the other way, from 0 to less than 0.5."] = 0.1,
    step_cost: Annotated[float, "What every step costs; the goal pays 1."] = 0.01,
    most_steps: Annotated[int, "How many steps a walk has at most, 1 or more."] = 200,
    episodes: Annotated[int, "How many walks a session has, 1 or more; each draws anew at which end the goal is."] = 1,
) -> Generator[Ask, int | None, Outcome]:
    """Walk a corridor to its goal; a move goes the other way with a small chance, and every step costs."""
    check_corridor(length, slip, most_steps, episodes)
    for episode in range(episodes):
        goal = 0 if rng.random() < 0.5 else length - 1
        grids, key = views(length, goal), f"episode{episode}"
        place, reward = length // 2, None
        for _ in range(most_steps):
            move = yield Ask(grids[place], MOVES, key, reward=reward)
            # Who declines to move stands still.
            step = 1 if move == 1 else -1 if move == 0 else 0
            if rng.random() < slip:
                step = -step
            place = min(max(place + step, 0), length - 1)
            reward = -step_cost
            if place == goal:
                break
        reached = place == goal
        words = "You are at the goal." if reached else "Your steps are used up."
        reward = 1.0 - step_cost if reached else -step_cost
        if episode < episodes - 1:
            # Told, not asked: the reward belongs to the walk that ended, not to the next one.
            yield Ask(words, key=key, reward=reward)
    return Outcome(replace(grids[place], title=words), reward=reward, truncated=not reached)
