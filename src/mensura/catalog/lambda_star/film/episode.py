"""FilmedEpisode: where everyone was at every iteration, and what they earned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.lambda_star.dialogue import make_world
from mensura.catalog.lambda_star.environment.torus import STAY, Torus
from mensura.catalog.lambda_star.parameters import Setup
from mensura.catalog.lambda_star.world import GridWorld
from mensura.dialogue import Ask, Record
from mensura.errors import BadParameter


@dataclass(frozen=True)
class FilmedEpisode:
    """One episode as it happened: cells at iterations 0 to ϑ, and the rewards from iteration 1 on."""

    torus: Torus
    complexity: int
    good: Sequence[int]
    evil: Sequence[int]
    agents: Sequence[Sequence[int]]
    """The agents' cells, a row per iteration."""
    rewards: Sequence[Sequence[float]]
    """The agents' rewards, a row per iteration; none for iteration 0."""
    title: str = ""

    @property
    def score(self) -> float:
        """Mean reward per agent and iteration."""
        return float(np.mean(self.rewards))


def film_episode(
    subject: Any, setup: Setup, *, key: int, episode: int = 0, iterations: int = 50, sight: int = 1, title: str = ""
) -> FilmedEpisode:
    """Let a subject play one environment of a session, and keep all that happens."""
    world, truth = make_world(setup, key=key, episode=episode, iterations=iterations, sight=sight)
    if hasattr(subject, "begin"):
        subject.begin(np.random.default_rng([key, episode]))
    if hasattr(subject, "feedback"):
        for role in setup.roles:
            subject.feedback(Ask("", role=role))
    agents, rewards = [list(world.cells)], []
    for _ in range(iterations):
        views = world.observe()
        actions = [subject(Ask(view, role=role, aside=world)) for view, role in zip(views, setup.roles, strict=True)]
        rewards.append(world.step(actions))
        agents.append(list(world.cells))
    return FilmedEpisode(setup.torus, truth["complexity"], truth["good"], truth["evil"], agents, rewards, title)


def film_of_record(record: Record, truths: Mapping[str, Any], *, episode: int = 0) -> FilmedEpisode:
    """Rebuild an episode of a session that was taken, by anyone, from its record and truths."""
    key = f"episode{episode}"
    if key not in truths:
        raise BadParameter(f"The session has no environment {episode}; it has {len(truths)}, counted from 0.")
    truth = truths[key]
    torus = Torus.of(record.parameters["size"])
    original = record.parameters["rules"] == "original"
    world = GridWorld(torus, good=truth["good"], evil=truth["evil"], starts=truth["starts"], original=original)
    answers = [answer for answer in record.answers if answer.key == key]
    roles = list(dict.fromkeys(answer.role for answer in answers))
    moves = [[answer.value or STAY + 1 for answer in answers if answer.role == role] for role in roles]
    agents, rewards = [list(world.cells)], []
    for actions in zip(*moves, strict=False):
        rewards.append(world.step(list(actions)))
        agents.append(list(world.cells))
    title = " and ".join(dict.fromkeys(record.cast.values()))
    return FilmedEpisode(torus, truth["complexity"], truth["good"], truth["evil"], agents, rewards, title)
