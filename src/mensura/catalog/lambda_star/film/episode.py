"""FilmedEpisode: where everyone was at every iteration, and what they earned."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.lambda_star.dialogue import RULES_TOLD, make_world
from mensura.catalog.lambda_star.environment.complexity import lempel_ziv
from mensura.catalog.lambda_star.environment.torus import STAY, Torus
from mensura.catalog.lambda_star.move import MOVE
from mensura.catalog.lambda_star.parameters import Setup
from mensura.catalog.lambda_star.world import GridWorld
from mensura.dialogue import Ask, Record
from mensura.errors import BadParameter
from mensura.subjects.subject import begin, feedback, knows


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
    """Let a subject, or one for each role, play one environment of a session, and keep all that happens."""
    world, truth = make_world(setup, key=key, episode=episode, iterations=iterations, sight=sight)
    cast = subject if isinstance(subject, Mapping) else dict.fromkeys(setup.roles, subject)
    for number, (role, member) in enumerate({id(cast[role]): (role, cast[role]) for role in cast}.values()):
        begin(member, np.random.default_rng([key, episode, number]), role)
    name = f"episode{episode}"
    for role in setup.roles:
        feedback(cast[role], Ask(RULES_TOLD, key=name, role=role))
    agents, rewards = [list(world.cells)], []
    for _ in range(iterations):
        actions = [
            MOVE.check(cast[role](Ask(view, MOVE, name, role, aside=world if knows(cast[role]) else None)))
            for view, role in zip(world.observe(), setup.roles, strict=True)
        ]
        rewards.append(world.step(actions))
        agents.append(list(world.cells))
    return _film(setup.torus, truth, agents, rewards, title, original=setup.reach is None)


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
    return _film(torus, truth, agents, rewards, title, original=original)


def _film(
    torus: Torus,
    truth: Mapping[str, Any],
    agents: list[list[int]],
    rewards: list[list[float]],
    title: str,
    *,
    original: bool,
) -> FilmedEpisode:
    # What is shown is the way that Good goes, which is not the planned one where it had to wait.
    complexity = truth["complexity"] if original else lempel_ziv(truth["good"][:-1])
    return FilmedEpisode(torus, complexity, truth["good"], truth["evil"], agents, rewards, title)
