"""Scores of the social world, by walking through every episode again."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.playing import is_played
from mensura.catalog.lambda_star.scoring import each_of, parts_of
from mensura.catalog.lambda_star.social.parameters import read_society
from mensura.catalog.lambda_star.social.world import SocialWorld
from mensura.dialogue import Items, Record, Score, Scores

SOCIETY = ("needed", "reaction", "reaction_chance", "sights", "steps", "tastes")


def scores(**parameters: Any) -> tuple[Score, ...]:
    """Declare the scores; what can be earned grows with how much agents like or dislike Good."""
    society = read_society(**{name: parameters[name] for name in SOCIETY})
    most = max(abs(body.taste) for body in society.bodies) or 1.0
    intelligence = Score("intelligence", better="more", low=-most, high=most, unanswered=0.0)
    return (
        intelligence,
        *each_of(intelligence, parts_of(agents=parameters["agents"], team="")),
        # Unknown where nobody ever came near Good, which no refusal makes a failure to coordinate.
        Score("coordination", better="more", low=0, high=1, unanswered=None),
        Score("coverage", better="more", low=0, high=1),
        # Who does not answer stays, and may see as much from there.
        Score("watch", better="more", low=0, high=1, unanswered=None),
    )


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score every episode.

    intelligence
        Mean reward per agent and iteration, and of every agent its own; in the mind of each, if tastes differ.
    coordination
        Of the iterations with anyone near Good, the share with enough of them; none where nobody was ever near.
    coverage
        Share of all cells that somebody saw at some time.
    watch
        Share of all cells in somebody's sight at one time, on average.
    """
    world_of = _worlds(record.parameters)
    rows = [_score_episode(world_of(truths[key]), record, key) for key in truths]
    details = {
        "entropy_bits": Torus.of(record.parameters["size"]).entropy_bits,
        "complexity": [truth["complexity"] for truth in truths.values()],
        "answers": record.counts(),
    }
    names = [one.name for one in scores(**record.parameters)]
    return Scores({name: Items([row.get(name, np.nan) for row in rows], list(truths)) for name in names}, details)


def _worlds(parameters: Mapping[str, Any]) -> Any:
    society = read_society(**{name: parameters[name] for name in SOCIETY})
    torus = Torus.of(parameters["size"])
    return lambda truth: SocialWorld(
        torus,
        good=truth["good"],
        evil=truth["evil"],
        starts=truth["starts"],
        society=society,
        key=truth["key"],
    )


def _score_episode(world: SocialWorld, record: Record, key: str) -> dict[str, float]:
    by_role: dict[str, list[int | None]] = {}
    for answer in record.answers:
        if answer.key == key and is_played(record, answer):
            by_role.setdefault(answer.role, []).append(answer.value)
    rewards = []
    for actions in zip(*by_role.values(), strict=False):
        world.observe()
        rewards.append(world.step(list(actions)))
    if not rewards:
        return {}
    visited = [count for count in world.company if count]
    together = np.mean([count >= world.society.needed for count in visited]) if visited else np.nan
    seen = set().union(*world.watched)
    watch = np.mean([len(cells) for cells in world.watched]) / world.torus.cells
    return {
        "intelligence": float(np.mean(rewards)),
        **{f"intelligence_{role}": float(mean) for role, mean in zip(by_role, np.mean(rewards, axis=0), strict=True)},
        "coordination": float(together),
        "coverage": len(seen) / world.torus.cells,
        "watch": float(watch),
    }
