"""The Λ* test: agents on a torus seek Good and shun Evil, whose movements have measured complexity."""

from collections.abc import Generator
from typing import Annotated, Any

import numpy as np

from mensura.catalog.lambda_star.batch.administration import BatchPlan, administer
from mensura.catalog.lambda_star.batch.environments import make_environments
from mensura.catalog.lambda_star.batch.members import members_of
from mensura.catalog.lambda_star.environment.observation import array_shape
from mensura.catalog.lambda_star.move import MOVE
from mensura.catalog.lambda_star.parameters import (
    Agents,
    Complexity,
    Episodes,
    Iterations,
    Setup,
    Sight,
    Size,
    read_setup,
    roles,
)
from mensura.catalog.lambda_star.playing import play_world
from mensura.catalog.lambda_star.scoring import UNSCORED, Played, make_scores, score, scores
from mensura.catalog.lambda_star.settings import SETTINGS
from mensura.catalog.lambda_star.subjects import SUBJECTS
from mensura.catalog.lambda_star.world import GridWorld
from mensura.dialogue import Ask, Outcome, Round, Save, Scores, Sees, test

RULES_TOLD = (
    "You are on a grid whose opposite borders touch. Somewhere two objects move, each along a way of its own that it "
    "repeats: **Good** is worth +1 on its cell and +0.5 beside it, **Evil** -1 and -0.5. You see the cells around you, "
    "what stands on them and what they are worth now. Each time you move one step in any direction, or stay; then the "
    "objects move, and you earn what your cell is worth. Earn as much as you can."
)


def play_batch(rng: np.random.Generator, subject: Any, **parameters: Any) -> Scores | None:
    """Play all episodes as arrays, for the built-in agents; None for others. Ctrl-C leaves what was played."""
    setup = read_setup(**parameters)
    team = members_of(subject, setup)
    if team is None:
        return None
    plan = BatchPlan(
        setup.torus,
        parameters["episodes"],
        parameters["iterations"],
        setup.reach,
        parameters["sight"],
        draw_key(rng),
        team.seats,
    )
    done = administer(plan, team.members)
    played = Played(done.complexity, done.planned, done.score, done.agents, done.random, done.oracle, done.sessions)
    found = make_scores(played, parameters=parameters)
    found.status = "finished" if len(done.score) == plan.episodes else "lost"
    return found


@test(
    "lambda-star-v1",
    extra="lambda-star",
    score=score,
    scores=scores,
    scoring="3",
    roles=roles,
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance={"intelligence": 0.0},
    sees=Sees(array_shape(sight=1), -1.0, 1.0, np.float32, lambda view: view.array(), array_shape),
    acts=MOVE,
    batch=play_batch,
)
def lambda_star(
    rng: np.random.Generator,
    *,
    rules: Annotated[
        str,
        "Which definitions are used: paper (as printed) or original (what the authors' program of 2016 did).",
    ] = "paper",
    size: Size = "10",
    agents: Agents = 1,
    team: Annotated[
        str,
        "Which kinds of agents play together and how many of each, such as local-search:3,q-learning:2; it replaces "
        "`agents`; none: the subjects that `--as` names.",
    ] = "",
    episodes: Episodes = 10,
    iterations: Iterations = 50,
    sight: Sight = 1,
    complexity: Complexity = "",
    rehearsals: Annotated[
        int,
        "How many sessions that do not count come before the one that does, in each environment: 0 or more.",
    ] = 0,
    saved: Any = None,
) -> Generator[Ask | Round | Save, Any, Outcome]:
    """Stay near Good and away from Evil on a torus: universal intelligence of an agent, or of a crowd of them."""
    setup = read_setup(
        rules=rules,
        size=size,
        agents=agents,
        team=team,
        episodes=episodes,
        iterations=iterations,
        sight=sight,
        complexity=complexity,
        rehearsals=rehearsals,
    )
    state = saved or {"key": draw_key(rng), "episode": 0, "earned": {}}
    key, earned = state["key"], state["earned"]
    for episode in range(state["episode"], episodes):
        world, truth = make_world(setup, key=key, episode=episode, iterations=iterations, sight=sight)
        for session in range(rehearsals + 1):
            scored = session == rehearsals
            name = f"episode{episode}" if scored else f"{UNSCORED}{episode}"
            words = _announcement(episode, episodes, None if scored else session + 1)
            # What is told now carries the reward for everyone's last action in the environment before.
            for number, role in enumerate(setup.roles):
                known = truth if scored and number == 0 else None
                yield Ask(words, key=name, role=role, truth=known, reward=earned.get(role))
            earned = yield from play_world(world, setup.roles, key=name)
        yield Save({"key": key, "episode": episode + 1, "earned": earned})
    return Outcome("That was the last environment.", reward=earned)


def make_world(
    setup: Setup, *, key: int, episode: int, iterations: int, sight: int
) -> tuple[GridWorld, dict[str, Any]]:
    """Make an environment of a session, and what is true of it."""
    made = make_environments(
        setup.torus,
        episodes=1,
        first=episode,
        iterations=iterations,
        agents=len(setup.roles),
        reach=setup.reach,
        key=key,
    )
    truth = {
        "complexity": int(made.complexity[0]),
        "good": made.good[0].tolist(),
        "evil": made.evil[0].tolist(),
        "starts": made.starts[0].tolist(),
    }
    world = GridWorld(
        setup.torus,
        good=truth["good"],
        evil=truth["evil"],
        starts=truth["starts"],
        sight=sight,
        original=setup.reach is None,
        team=setup.kinds,
    )
    return world, truth


def draw_key(rng: np.random.Generator) -> int:
    """Draw what chooses all environments of a session, alike in the plain and the batch form."""
    return int(rng.integers(2**63))


def _announcement(episode: int, episodes: int, rehearsal: int | None) -> str:
    words = f"Environment {episode + 1} of {episodes}."
    if rehearsal is not None:
        words += f" Rehearsal {rehearsal}: it does not count, and the same environment comes again."
    return f"{RULES_TOLD}\n\n{words}" if episode == 0 else words
