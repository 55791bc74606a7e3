"""Playing: one episode of a world as a dialogue with everyone in it."""

from collections.abc import Generator, Sequence
from typing import Any, Protocol

from mensura.catalog.lambda_star.environment.observation import Observation
from mensura.catalog.lambda_star.move import MOVE
from mensura.dialogue import Answer, Ask, Record, Round


class Playable(Protocol):
    """A world that shows everyone a view, takes everyone's action, and pays."""

    iterations: int

    def begin(self) -> None:
        """Put everything back to the start."""

    def observe(self) -> list[Observation]:
        """Return every agent's view."""

    def step(self, actions: Sequence[int | None]) -> list[float]:
        """Do the actions and give the rewards."""


def play_world(world: Playable, roles: tuple[str, ...], *, key: str) -> Generator[Ask | Round, Any, dict[str, float]]:
    """Play a world through once, and give what everyone's last action earned."""
    world.begin()
    rewards: list[float] | list[None] = [None] * len(roles)
    alone = roles[0] if len(roles) == 1 else None
    for _ in range(world.iterations):
        views = world.observe()
        if alone is not None:
            action = yield Ask(views[0], MOVE, key, alone, None, None, rewards[0], world)
            rewards = world.step([action])
            continue
        answers = yield Round(
            [
                Ask(view, MOVE, key, role, None, None, reward, world)
                for view, role, reward in zip(views, roles, rewards, strict=True)
            ]
        )
        # Who declines or is absent stays where it is.
        rewards = world.step([answers.get(role) for role in roles])
    return {role: reward for role, reward in zip(roles, rewards, strict=True) if reward is not None}


def is_played(record: Record, answer: Answer) -> bool:
    """Return whether an action counts for the score of a group: all but those of a session that we lost.

    Where one agent failed the others stand still for the rest, and the group has the score of what then happens.
    """
    return record.unfinished != "lost" or record.outcome_of(answer) != "lost"
