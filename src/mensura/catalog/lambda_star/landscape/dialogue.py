"""The landscape test: climb where there are many hills and one is highest."""

from collections.abc import Generator
from typing import Annotated, Any

import numpy as np

from mensura.catalog.lambda_star.dialogue import draw_key
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.landscape.scoring import score, scores
from mensura.catalog.lambda_star.landscape.subjects import SUBJECTS
from mensura.catalog.lambda_star.landscape.terrain import make_terrain
from mensura.catalog.lambda_star.landscape.world import LandscapeWorld
from mensura.catalog.lambda_star.parameters import Agents, Episodes, Iterations, Sight, Size, roles
from mensura.catalog.lambda_star.playing import play_world
from mensura.dialogue import Ask, Outcome, Round, test
from mensura.errors import BadParameter

RULES_TOLD = (
    "You are on a grid whose opposite borders touch, on ground of many hills; one is highest. You see how high the "
    "cells around you are, from -1 to 1. Each time you move one step or stay, and earn the height of your cell."
)


def cast_roles(*, agents: int, **others: Any) -> tuple[str, ...]:
    """Name the roles."""
    return roles(agents=agents, team="")


@test(
    "lambda-star-landscape-v1",
    score=score,
    scores=scores,
    scoring="3",
    roles=cast_roles,
    subjects=SUBJECTS,
    settings={"static": {"change": 0}, "changing": {"change": 5}},
    chance={"payoff": 0.0},
)
def landscape(
    rng: np.random.Generator,
    *,
    size: Size = "20",
    agents: Agents = 1,
    episodes: Episodes = 20,
    iterations: Iterations = 100,
    sight: Sight = 1,
    hills: Annotated[int, "How many hills the ground has, 2 or more; one of them is the highest."] = 12,
    change: Annotated[
        int,
        "After how many iterations the hills move a step, 1 or more; 0: they stay where they are.",
    ] = 0,
) -> Generator[Ask | Round, Any, Outcome]:
    """Find high ground among many local optima and one global, static or changing: exploration against exploitation."""
    if hills < 2 or change < 0:
        raise BadParameter(f"--hills is at least 2 and --change at least 0; got {hills} and {change}.")
    for name, value in (("agents", agents), ("episodes", episodes), ("iterations", iterations), ("sight", sight)):
        if value < 1:
            raise BadParameter(f"--{name} is at least 1; got {value}.")
    torus = Torus.of(size)
    seats = roles(agents=agents, team="")
    earned: dict[str, float] = {}
    for episode in range(episodes):
        truth = {"key": draw_key(rng), "starts": rng.integers(torus.cells, size=agents).tolist()}
        terrain = make_terrain(torus, hills=hills, change=change, iterations=iterations, key=truth["key"])
        world = LandscapeWorld(torus, terrain=terrain, starts=truth["starts"], sight=sight)
        words = f"Landscape {episode + 1} of {episodes}."
        words = f"{RULES_TOLD}\n\n{words}" if episode == 0 else words
        for number, role in enumerate(seats):
            known = truth if number == 0 else None
            yield Ask(words, key=f"episode{episode}", role=role, truth=known, reward=earned.get(role))
        earned = yield from play_world(world, seats, key=f"episode{episode}")
    return Outcome("That was the last landscape.", reward=earned)
