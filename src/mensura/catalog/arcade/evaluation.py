"""An evaluation: which episodes are played from which starts, and what came of each."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.arcade.starts.file import read_starts
from mensura.catalog.arcade.starts.splitting import demand_clean
from mensura.catalog.arcade.starts.start import Start, StartSet
from mensura.catalog.arcade.world.doing import pack
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.rules import Rules
from mensura.errors import BadParameter

NEAR = 1_800
"""Frames, half a minute, within which a reward is called near."""
NULL = "null"
"""The start that is no checkpoint: the beginning of the game."""
NO_OPS = 30


@dataclass(frozen=True)
class EvaluationPlan:
    """What an evaluation plays.

    Parameters
    ----------
    game, rules
        The game and its rules.
    epsilon
        The chance with which an action is replaced by one drawn from all.
    starts
        The checkpoints; none for the beginning of the game alone.
    episodes_per_start, null_starts
        Episodes from each start, and from the beginning of the game.
    seed
        From which the chance of every episode comes, together with its start and its number.
    """

    game: str
    rules: Rules
    epsilon: float
    starts: tuple[Start, ...]
    episodes_per_start: int
    null_starts: int
    seed: int

    def tasks(self) -> list[tuple[str, bytes | None, int]]:
        """Return every episode: its start's id and state, and its number."""
        found: list[tuple[str, bytes | None, int]] = []
        seen: dict[str, int] = {}
        for start in self.starts:
            # A state that is twice in a set is two starts, each with chance of its own.
            seen[start.id] = seen.get(start.id, 0) + 1
            name = start.id if seen[start.id] == 1 else f"{start.id}#{seen[start.id]}"
            found += [(name, start.state, number) for number in range(self.episodes_per_start)]
        return found + [(NULL, None, number) for number in range(self.null_starts)]

    def chance(self, name: str, number: int, stream: int) -> np.random.Generator:
        """Return the chance of an episode: the same for every agent, whatever the order of the starts."""
        from hashlib import sha256

        return np.random.default_rng([self.seed, int(sha256(name.encode()).hexdigest()[:15], 16), number, stream])


@dataclass(frozen=True)
class PlayedEpisode:
    """What came of an episode.

    Parameters
    ----------
    earned
        The rewards of the agent, after the start.
    acts, frames
        How long it lasted.
    first_reward
        After how many frames the first reward above zero came; None where none did.
    negative
        How many rewards were below zero.
    lives_lost, noops
        Lives lost, and acts of doing nothing.
    cut
        Whether the frames were used up before the game was over.
    actions
        The action of every frame, packed, those before the first act too: with the start they give every picture again.
    """

    earned: float
    acts: int
    frames: int
    first_reward: int | None
    negative: int
    lives_lost: int
    noops: int
    cut: bool
    actions: str = ""

    def as_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return asdict(self)


Playing = Generator[int | None, int | None, PlayedEpisode]


def episode_of(plan: EvaluationPlan, episode: GameEpisode, task: tuple[str, bytes | None, int]) -> Playing:
    """Play an episode: yields the reward of the last action (None at first), is sent actions, returns what came of it.

    An action that is None does nothing.
    """
    name, state, number = task
    chance = plan.chance(name, number, 1)
    episode.rng = plan.chance(name, number, 2)
    episode.forget_sticks()
    episode.begin(state)
    if state is None:
        episode.wait(int(chance.integers(1, NO_OPS + 1)))
    earned, acts, negative, noops, first = 0.0, 0, 0, 0, None
    reward: int | None = None
    epsilon, actions = plan.epsilon, len(episode.actions)
    drawn: list[float] = []
    while not episode.ended:
        action = (yield reward) or 0
        if epsilon:
            if not drawn:
                drawn = chance.random(512).tolist()
            if drawn.pop() < epsilon:
                action = int(chance.integers(actions))
        reward = episode.act(action)
        acts += 1
        noops += action == 0
        if reward:
            earned += reward
            negative += reward < 0
            if reward > 0 and first is None:
                first = episode.frames
    cut, done = episode.cut and not episode.over, pack(bytes(episode.done))
    return PlayedEpisode(earned, acts, episode.frames, first, negative, episode.lives_lost, noops, cut, done)


@lru_cache(maxsize=8)
def _read(path: str, game: str, changed: float) -> StartSet:
    return read_starts(Path(path), game=game)


def starts_of(path: str, *, game: str, split: str) -> StartSet:
    """Return the starts of a file that an evaluation uses; files are read once.

    A split is only taken from a set whose splits share nothing: else an agent is tested where it was trained.
    """
    place = Path(path)
    changed = place.stat().st_mtime if place.exists() else 0.0
    found = _read(str(place), game, changed)
    if split != "all":
        demand_clean(found)
    return found.of_split(split)


def check_counts(episodes_per_start: int, null_starts: int, epsilon: float, starts: str) -> None:
    """Refuse counts with which nothing is played."""
    if episodes_per_start < 1 or null_starts < 0:
        raise BadParameter(
            "--episodes-per-start is at least 1 and --null-starts at least 0; "
            f"got {episodes_per_start} and {null_starts}."
        )
    if not starts and null_starts < 1:
        raise BadParameter("Nothing is played: give --starts FILE, or --null-starts N for the beginning of the game.")
    if not 0 <= epsilon <= 1:
        raise BadParameter(f"--epsilon is a chance from 0 to 1; got {epsilon:g}.")


def by_start(
    tasks: Sequence[tuple[str, bytes | None, int]], played: Sequence[PlayedEpisode]
) -> Iterator[tuple[str, list[PlayedEpisode]]]:
    """Yield each start with what came of its episodes."""
    found: dict[str, list[PlayedEpisode]] = {}
    for (name, _, _), one in zip(tasks, played, strict=True):
        found.setdefault(name, []).append(one)
    yield from found.items()
