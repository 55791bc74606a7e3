"""Playing many attempts at once as arrays, for subjects that answer for many."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mensura.catalog.task_environments.attempt import role_space
from mensura.catalog.task_environments.physics.batch import Batch
from mensura.catalog.task_environments.physics.program import Floats, compile_task
from mensura.catalog.task_environments.scoring import make_scores
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.tasks.find import find_task
from mensura.dialogue import Scores
from mensura.dialogue.streams import child

TOGETHER = 4096
"""Attempts that are made together, so that memory does not grow with their number."""


def play_batch(rng: np.random.Generator, subject: Any, **parameters: Any) -> Scores | None:
    """Make all attempts of a session as arrays, for subjects with `answer_many(seen, rng, space)`; None for others."""
    episodes, task = parameters["episodes"], find_task(parameters["task"]).flat
    plain = len(task.roles) > 1 or parameters["ladder"] or parameters["signals"]
    if episodes < 2 or plain or not hasattr(subject, "answer_many"):
        return None
    keys = [f"attempt{number}" for number in range(episodes)]
    return make_scores(_results(rng, subject, task, parameters), keys, parameters=parameters)


def _results(
    rng: np.random.Generator, subject: Any, task: Task, parameters: Mapping[str, Any]
) -> Iterator[dict[str, Any]]:
    """Yield what came of each attempt; only some are made at once."""
    episodes, key = parameters["episodes"], int(rng.integers(2**63))
    own = child(rng)
    for first in range(0, episodes, TOGETHER):
        numbers = range(first, min(first + TOGETHER, episodes))
        # Each attempt has the instance that the plain form would give it.
        program = compile_task(task)
        drawn = np.concatenate([program.drawn(np.random.default_rng([key, number]), 1) for number in numbers])
        batch = Batch(task, drawn, physics=parameters["physics"], tick=parameters["tick"])
        play_out(batch, subject, np.random.default_rng([key, first, episodes]), own)
        yield from (_result(batch, place) for place in range(len(drawn)))


def play_out(batch: Batch, subject: Any, noise: np.random.Generator, own: np.random.Generator) -> None:
    """Let a subject answer for all instances until all are over."""
    task = batch.task
    role = task.roles[0]
    columns = [number for number, _ in task.observed(role)]
    space = role_space(task, role, signals=False)
    while not batch.over.all():
        seen: Floats = batch.sense(noise)[:, columns]
        batch.tick(subject.answer_many(seen, own, space))


def _result(batch: Batch, place: int) -> dict[str, Any]:
    return {
        "drawn": batch.drawn[place].tolist(),
        "solved": batch.solved[place],
        "goals_met": batch.met[place].mean(),
        "time": batch.time[place],
        "energy": batch.energy[place],
        "created": batch.created[place],
    }
