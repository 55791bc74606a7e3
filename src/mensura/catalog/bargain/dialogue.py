"""The bargain test: two talk about how to share points, and then each names a share."""

from collections.abc import Generator
from typing import Annotated, Any, Literal

import numpy as np

from mensura.catalog.bargain.scoring import ROLES, chance_levels, score, scores
from mensura.catalog.bargain.settings import SETTINGS
from mensura.catalog.bargain.subjects import SUBJECTS
from mensura.dialogue import Ask, Between, Clock, Number, Outcome, Round, Timing, chat, test

NAMES = {"first": "Player A", "second": "Player B"}


@test(
    "bargain-v1",
    score=score,
    scores=scores,
    roles=ROLES,
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance=chance_levels,
    timing=Timing(people="wall"),
)
def bargain(
    rng: np.random.Generator,
    *,
    clock: Clock,
    points: Annotated[int, "How many points are shared, 1 or more.", Between(1)] = 10,
    talk: Annotated[
        Literal["free", "turns", "none"],
        "How the two talk beforehand: free (both write when they like), turns (one after the other) or none.",
    ] = "free",
    typing: Annotated[bool, "Whether people see that the other one is typing."] = False,
    messages: Annotated[int, "How many messages each may write, 1 or more.", Between(1)] = 10,
    longest: Annotated[int, "How many characters a message may have, 1 or more.", Between(1)] = 300,
    seconds: Annotated[int, "How many seconds the talk lasts at most, 1 or more.", Between(1)] = 180,
) -> Generator[Ask | Round, Any, Outcome]:
    """Talk about how to share some points, then name the share that you claim."""
    rules = (
        f"You and a partner share {points} points. Each of you will claim a share without seeing the other's claim. "
        f"If the two claims together are at most {points}, both get what they claimed; otherwise neither gets anything."
    )
    if talk != "none":
        words = f"{rules}\n\nTalk about it first, for {seconds} seconds at most. Nothing that is said binds anyone."
        yield from chat(
            NAMES,
            words=words,
            turns=talk == "turns",
            most=messages,
            longest=longest,
            typing=typing,
            until=clock.now + seconds,
            clock=clock,
        )
    space = Number(0, points, integer=True, unit="points")
    claims = yield Round([Ask(f"{rules}\n\nHow much do you claim?", space, key="claim", role=role) for role in ROLES])
    if len(claims) < 2:
        return Outcome("One of you made no claim, so there is nothing to share.")
    fits = sum(claims.values()) <= points
    told = " and ".join(f"{NAMES[role]} claimed {claims[role]}" for role in ROLES)
    verdict = "Both get what they claimed." if fits else f"Together that is more than {points}: neither gets anything."
    return Outcome(f"{told}. {verdict}", reward={role: float(claims[role]) if fits else 0.0 for role in ROLES})
