"""An evaluation in processes: the emulator holds the interpreter's lock, so threads would not help."""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from typing import Any

import numpy as np

from mensura.catalog.arcade.evaluation import EvaluationPlan, PlayedEpisode, episode_of
from mensura.catalog.arcade.screen import ScreenWatcher
from mensura.catalog.arcade.subjects import ArcadePlayer
from mensura.catalog.arcade.world.episode import GameEpisode

APART = 12
"""Episodes from which on processes are worth their beginning."""


def play_all(plan: EvaluationPlan, player: ArcadePlayer) -> list[PlayedEpisode]:
    """Play every episode of a plan; the order and the number of processes change nothing."""
    tasks = plan.tasks()
    workers = min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, len(tasks))
    if len(tasks) < APART or workers < 2 or parent_process() is not None:
        return _play_here(plan, player, list(range(len(tasks))))
    # Every worker takes every n-th episode: long and short ones are spread.
    shares = [list(range(first, len(tasks), workers * 4)) for first in range(workers * 4)]
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(_play_here, [plan] * len(shares), [player] * len(shares), shares))
    played: list[Any] = [None] * len(tasks)
    for share, part in zip(shares, found, strict=True):
        for place, one in zip(share, part, strict=True):
            played[place] = one
    return played


def _play_here(plan: EvaluationPlan, player: ArcadePlayer, places: list[int]) -> list[PlayedEpisode]:
    tasks = plan.tasks()
    episode = GameEpisode(plan.game, plan.rules, np.random.default_rng(0))
    return [_play(plan, player, episode, tasks[place]) for place in places]


def _play(
    plan: EvaluationPlan, player: ArcadePlayer, episode: GameEpisode, task: tuple[str, bytes | None, int]
) -> PlayedEpisode:
    player.begin(plan.chance(task[0], task[2], 3))
    watcher = ScreenWatcher(episode)
    episode.watched = player.looks
    playing = episode_of(plan, episode, task)
    next(playing)
    watcher.begin()
    actions = len(episode.actions)
    try:
        while True:
            if player.simulates:
                action = player.decide_in(episode)
            else:
                action = player.decide(watcher.stack if player.looks else None, actions)
            playing.send(action)
            if player.looks:
                watcher.look()
    except StopIteration as ended:
        played: PlayedEpisode = ended.value
        return played
