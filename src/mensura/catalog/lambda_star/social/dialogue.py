"""The social test: Λ* where agents matter to one another."""

from collections.abc import Generator
from typing import Annotated, Any

import numpy as np

from mensura.catalog.lambda_star.dialogue import draw_key, make_world
from mensura.catalog.lambda_star.parameters import Agents, Complexity, Episodes, Iterations, Size, read_setup
from mensura.catalog.lambda_star.playing import play_world
from mensura.catalog.lambda_star.social.parameters import read_society
from mensura.catalog.lambda_star.social.scoring import score, scores
from mensura.catalog.lambda_star.social.subjects import SUBJECTS
from mensura.catalog.lambda_star.social.world import SocialWorld, Society
from mensura.dialogue import SUBJECT, Ask, Outcome, Round, test

REACTING = {
    "flee": "One of Good and Evil may flee agents nearby.",
    "hunt": "One of Good and Evil may hunt agents nearby.",
    "both": "One of Good and Evil may flee agents nearby, the other hunt them.",
}


def roles(*, agents: int, **others: Any) -> tuple[str, ...]:
    """Name the roles."""
    return (SUBJECT,) if agents == 1 else tuple(f"agent{number}" for number in range(1, agents + 1))


@test(
    "lambda-star-social-v2",
    extra="lambda-star",
    score=score,
    scores=scores,
    scoring="2",
    roles=roles,
    subjects=SUBJECTS,
    chance={"intelligence": 0.0},
    settings={
        "coordination": {"needed": 2},
        "reacting": {"needed": 1, "reaction": "both"},
        "unlike": {"needed": 1, "sights": "1,3", "steps": "king,rook", "tastes": "1,-1"},
    },
)
def social(
    rng: np.random.Generator,
    *,
    size: Size = "10",
    agents: Agents = 5,
    episodes: Episodes = 20,
    iterations: Iterations = 50,
    complexity: Complexity = "",
    needed: Annotated[
        int,
        "How many agents must be on the cell of Good or Evil, or beside it, before it pays or hurts: 1 or more.",
    ] = 2,
    reaction: Annotated[
        str,
        "What the objects do when agents are near: none, flee (one flees), hunt (one hunts) or both (one of each).",
    ] = "none",
    reaction_chance: Annotated[float, "The chance, from 0 to 1, with which an object reacts to agents nearby."] = 0.5,
    sights: Annotated[
        str,
        "How many cells far each agent sees, separated by commas, such as 1,3; the list is repeated for further "
        "agents.",
    ] = "1",
    steps: Annotated[
        str,
        "How each agent can move, separated by commas: king (all eight ways), rook (straight) or bishop "
        "(diagonally); the list is repeated for further agents.",
    ] = "king",
    tastes: Annotated[
        str,
        "What Good is worth to each agent, separated by commas; -1 likes Evil. The list is repeated for further "
        "agents.",
    ] = "1",
) -> Generator[Ask | Round, Any, Outcome]:
    """Stay near Good and away from Evil where objects act only on company, may react, and agents may differ."""
    society = read_society(
        needed=needed, reaction=reaction, reaction_chance=reaction_chance, sights=sights, steps=steps, tastes=tastes
    )
    setup = read_setup(
        rules="paper",
        size=size,
        agents=agents,
        team="",
        episodes=episodes,
        iterations=iterations,
        sight=1,
        complexity=complexity,
        rehearsals=0,
    )
    key = draw_key(rng)
    earned: dict[str, float] = {}
    for episode in range(episodes):
        _, truth = make_world(setup, key=key, episode=episode, iterations=iterations, sight=1)
        truth["key"] = draw_key(rng)
        world = SocialWorld(
            setup.torus,
            good=truth["good"],
            evil=truth["evil"],
            starts=truth["starts"],
            society=society,
            key=truth["key"],
        )
        name = f"episode{episode}"
        for number, role in enumerate(setup.roles):
            known = truth if number == 0 else None
            words = f"Environment {episode + 1} of {episodes}. {_briefing(society, number)}"
            yield Ask(words, key=name, role=role, truth=known, reward=earned.get(role))
        earned = yield from play_world(world, setup.roles, key=name)
    return Outcome("That was the last environment.", reward=earned)


def _briefing(society: Society, number: int) -> str:
    """Tell an agent what it is like and what its world is like."""
    body = society.body(number)
    words = [f"You see {body.sight} cell{'s' if body.sight > 1 else ''} far."]
    if body.steps != "king":
        how = "straight" if body.steps == "rook" else "diagonally"
        words.append(f"You can move {how} only; another move leaves you where you are.")
    if society.needed > 1:
        words.append(
            f"Good pays, and Evil hurts, only while at least {society.needed} agents are on its cell or beside it."
        )
    if society.reaction != "none":
        words.append(REACTING[society.reaction])
    if body.taste != 1:
        words.append(f"What others earn counts {body.taste:g} times for you: the worths you see are your own.")
    return " ".join(words)
