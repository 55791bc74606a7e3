"""Scores of landscapes: payoff, and what share of it went into looking further."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.landscape.terrain import make_terrain
from mensura.catalog.lambda_star.landscape.world import LandscapeWorld
from mensura.catalog.lambda_star.playing import is_played
from mensura.catalog.lambda_star.scoring import each_of, parts_of
from mensura.dialogue import Items, Record, Score, Scores


def scores(*, agents: int, **others: Any) -> tuple[Score, ...]:
    """Declare the scores; fitness lies between -1 and 1, and wandering earns 0, as does what was never walked."""
    payoff = Score("payoff", better="more", low=-1, high=1, unanswered=0.0)
    return (
        payoff,
        *each_of(payoff, parts_of(agents=agents, team="")),
        Score("regret", better="less", low=0, high=2, unanswered=1.0),
        Score("found", better="more", low=0, high=1, proportion=agents == 1),
        # Either can be too much: what counts is what they earn.
        Score("exploration", better=None, low=0, high=1),
        Score("exploitation", better=None, low=0, high=1),
    )


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score every episode by walking through it again.

    payoff
        Mean fitness per agent and iteration, and of every agent its own; 0 for wandering, 1 for standing on the global
        optimum all the time.
    regret
        What the global optimum would have paid, less payoff.
    found
        Share of agents that stood on the global optimum at some time.
    exploration
        Share of actions that led onto a cell the agent had never been on.
    exploitation
        Share of actions that led to the best cell in reach.
    """
    parameters = record.parameters
    torus = Torus.of(parameters["size"])
    rows, optima = [], []
    for key, truth in truths.items():
        terrain = make_terrain(
            torus,
            hills=parameters["hills"],
            change=parameters["change"],
            iterations=parameters["iterations"],
            key=truth["key"],
        )
        optima.append(len(terrain.optima(torus)))
        world = LandscapeWorld(torus, terrain=terrain, starts=truth["starts"], sight=parameters["sight"])
        rows.append(_score_episode(world, record, key))
    details = {"local_optima": float(np.mean(optima)) if optima else None, "answers": record.counts()}
    names = [one.name for one in scores(**parameters)]
    return Scores({name: Items([row.get(name, np.nan) for row in rows], list(truths)) for name in names}, details)


def _score_episode(world: LandscapeWorld, record: Record, key: str) -> dict[str, float]:
    by_role: dict[str, list[int | None]] = {}
    for answer in record.answers:
        if answer.key == key and is_played(record, answer):
            by_role.setdefault(answer.role, []).append(answer.value)
    paid, possible, found = [], [], np.zeros(len(world.cells), dtype=bool)
    for actions in zip(*by_role.values(), strict=False):
        paid.append(world.step(list(actions)))
        best = world.terrain.best(world.iteration)
        possible.append(world.terrain.fitness[world.iteration][best])
        found |= np.array(world.cells) == best
    if not paid:
        return {}
    fresh = [cell not in path[:step] for path in world.paths for step, cell in enumerate(path) if step]
    payoff = float(np.mean(paid))
    return {
        "payoff": payoff,
        **{f"payoff_{role}": float(mean) for role, mean in zip(by_role, np.mean(paid, axis=0), strict=True)},
        "regret": float(np.mean(possible)) - payoff,
        "found": float(found.mean()),
        "exploration": float(np.mean(fresh)),
        "exploitation": float(np.mean(world.greedy)),
    }
