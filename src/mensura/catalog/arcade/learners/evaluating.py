"""Evaluating a saved learner: whole episodes, each with chance of its own, in processes."""

import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.arcade.learners.saving import load_network
from mensura.catalog.arcade.learners.torch_extra import import_torch
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.rules import Rules
from mensura.catalog.arcade.world.sight import SIDE, shrink

NO_OPS = 30
"""For how many frames at most nothing is done where an evaluation begins at the beginning of the game."""


class NetworkPolicy:
    """A saved network that plays: the action of the greatest value, or by chance one in `epsilon`.

    Parameters
    ----------
    path
        The save.
    """

    def __init__(self, path: Path) -> None:
        torch = import_torch()
        torch.set_num_threads(1)
        self.network, self.told = load_network(path)
        self.actions: int = self.told["actions"]
        self.stack = np.zeros((1, 4, SIDE, SIDE), dtype=np.uint8)

    def begin(self) -> None:
        """Forget what was seen."""
        self.stack[...] = 0

    def see(self, picture: NDArray[np.uint8], sight: str) -> None:
        """Take in a grey picture."""
        self.stack[0, :3] = self.stack[0, 1:]
        self.stack[0, 3] = shrink(picture, sight)

    def best(self) -> int:
        """Return the action with the greatest value."""
        torch = import_torch()
        with torch.no_grad():
            scaled = torch.from_numpy(self.stack).float().mul_(1 / 255)
            return int(self.network(scaled).argmax())


@dataclass(frozen=True)
class NetworkTrial:
    """What is evaluated: a save, by which rules, from which states, how often, and with which chance."""

    path: str
    game: str
    rules: Rules
    starts: tuple[bytes, ...]
    epsilon: float
    seed: int


def evaluate(trial: NetworkTrial, *, episodes: int, processes: int) -> list[float]:
    """Return what each episode earned: `episodes` from the beginning, or as many from every start.

    The chance of an episode comes from the seed, its start and its number alone, so the order and the number of
    processes change nothing.
    """
    tasks = [(trial, start, number) for start in range(max(1, len(trial.starts))) for number in range(episodes)]
    if processes < 2:
        return [_play(task) for task in tasks]
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        return pool.map(_play, tasks, chunksize=1)


_policies: dict[str, NetworkPolicy] = {}


def _play(task: tuple[NetworkTrial, int, int]) -> float:
    trial, start, number = task
    policy = _policies.setdefault(trial.path, NetworkPolicy(Path(trial.path)))
    rng = np.random.default_rng([trial.seed, 4, start, number])
    episode = GameEpisode(trial.game, trial.rules, rng)
    if trial.starts:
        episode.begin(trial.starts[start])
    else:
        episode.begin()
        episode.wait(int(rng.integers(1, NO_OPS + 1)))
    policy.begin()
    earned = 0.0
    while not episode.ended:
        policy.see(episode.picture(), trial.rules.sight)
        by_chance = rng.random() < trial.epsilon
        earned += episode.act(int(rng.integers(policy.actions)) if by_chance else policy.best())
    return earned


def interval(returns: Sequence[float], *, draws: int = 10_000) -> dict[str, float]:
    """Return the mean with a 95 % interval by the bootstrap, and its standard error.

    This is for a machine that has nothing but NumPy; where Mensura is whole, its own estimates are used.
    """
    found = np.asarray(returns, dtype=float)
    rng = np.random.default_rng(1)
    means = found[rng.integers(len(found), size=(draws, len(found)))].mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    error = float(found.std(ddof=1) / len(found) ** 0.5) if len(found) > 1 else float("nan")
    return {"mean": float(found.mean()), "low": float(low), "high": float(high), "error": error, "n": len(found)}


def as_points(curve: Sequence[dict[str, Any]], name: str) -> list[tuple[float, float]]:
    """Return a learning curve as points of frames and a figure, leaving out what was not known."""
    return [(point["frames"], point[name]) for point in curve if point.get(name) is not None]
