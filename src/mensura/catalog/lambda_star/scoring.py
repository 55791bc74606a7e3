"""Scores of Λ*: intelligence Υ of the group and of everyone in it, with what stands beside it."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.parameters import roles
from mensura.catalog.lambda_star.playing import is_played
from mensura.catalog.lambda_star.team import read_team
from mensura.dialogue import Items, Record, Score, Scores

Floats = NDArray[np.float64]
Counts = NDArray[np.integer[Any]]
UNSCORED = "rehearsal"
INTELLIGENCE = Score("intelligence", better="more", low=-1, high=1, unanswered=0.0)
"""Random behaviour scores 0, and so does an environment in which nothing was done."""
MOST_AGENTS = 20
"""Agents of larger groups have no scores of their own: nobody reads hundreds of rows."""


@dataclass(frozen=True)
class Played:
    """What was played: complexities, mean rewards per episode, and what the bounds earned in the same environments."""

    complexity: Counts
    planned: Counts
    reward: Floats
    agents: Floats
    """Mean rewards of every agent, a column each."""
    random: Floats
    oracle: Floats
    sessions: Floats | None = None
    """Mean rewards of learners in each training session, a row per episode, the episode that counts last."""


def scores(*, agents: int, team: str, **others: Any) -> tuple[Score, ...]:
    """Declare the scores: the group's, and in a group that of every kind and agent."""
    return (INTELLIGENCE, *each_of(INTELLIGENCE, parts_of(agents=agents, team=team)))


def each_of(score: Score, parts: Iterable[str]) -> list[Score]:
    """Declare a group's score for each of its parts."""
    return [replace(score, name=name_of(score.name, part), label=f"{score.title} of {part}", of=part) for part in parts]


def parts_of(*, agents: int, team: str) -> dict[str, Sequence[int]]:
    """Name those in a group who have a score of their own, with the agents that each of them is.

    >>> parts_of(agents=1, team="oracle:2,random")
    {'oracle': [0, 1], 'random': [2], 'agent1': [0], 'agent2': [1], 'agent3': [2]}
    """
    kinds = read_team(team) if team else ()
    parts: dict[str, Sequence[int]] = {}
    if len(set(kinds)) > 1:
        parts = {kind: [n for n, one in enumerate(kinds) if one == kind] for kind in dict.fromkeys(kinds)}
    everyone = roles(agents=agents, team=team)
    if 1 < len(everyone) <= MOST_AGENTS:
        parts |= {role: [number] for number, role in enumerate(everyone)}
    return parts


def make_scores(played: Played, *, parameters: Mapping[str, Any]) -> Scores:
    r"""Score an administration (Definitions 2 and 3).

    Υ is the mean over environments of the mean reward per agent and iteration, in [-1, 1]; more is better, random
    behaviour gives 0. Of a group, every kind and agent has its own. Beside it stand: the score by the complexity K of
    the way that Good went, each with an interval over its episodes, with the mean K that was planned (it differs where
    an object had to wait) and with the combined complexity :math:`H + K \log_2 \vartheta` in bits (where the objects
    may be, and a Lempel-Ziv description of how they move); the entropy H; the score with an interval that is valid
    whenever one stops; the bounds that random and oracle set on the same environments; and, for learners, the score by
    training session.
    """
    from mensura.catalog.lambda_star.anytime import AnytimeScore
    from mensura.stats import mean_estimate

    entropy = Torus.of(parameters["size"]).entropy_bits
    anytime = AnytimeScore()
    anytime.add(played.reward)
    details: dict[str, Any] = {
        "entropy_bits": entropy,
        "by_complexity": {
            str(k): {
                **mean_estimate(played.reward[played.complexity == k]).as_json(),
                "planned": float(played.planned[played.complexity == k].mean()),
                "total_bits": entropy + float(k) * log2(parameters["iterations"]),
            }
            for k in np.unique(played.complexity)
        },
        "bounds": {
            "random": mean_estimate(played.random).as_json(),
            "oracle": mean_estimate(played.oracle).as_json(),
        },
    }
    details["anytime"] = anytime.estimate().as_json()
    if played.sessions is not None and played.sessions.shape[1] > 1:
        details["by_session"] = [mean_estimate(column).as_json() for column in played.sessions.T]
    values: dict[str, Items | float] = {"intelligence": Items(played.reward, separate=True)}
    for part, members in parts_of(agents=parameters["agents"], team=parameters["team"]).items():
        values[name_of("intelligence", part)] = Items(_means(played.agents[:, members]), separate=True)
    return Scores(values, details)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a plain session; one that was stopped is scored on the rewards it had by then.

    Where one agent failed the others stood still for the rest: that is the group's score, and not theirs.
    """
    rewards: dict[str, list[float]] = {}
    own: dict[str, dict[str, list[float]]] = {}
    for answer in record.answers:
        if not answer.key.startswith(UNSCORED):
            earned, theirs = rewards.setdefault(answer.key, []), own.setdefault(answer.key, {})
            if answer.reward is not None and is_played(record, answer):
                earned.append(answer.reward)
                if record.outcome_of(answer) != "lost":
                    theirs.setdefault(answer.role, []).append(answer.reward)
    if not rewards:
        return Scores({"intelligence": Items([])}, {"entropy_bits": Torus.of(record.parameters["size"]).entropy_bits})
    everyone = roles(agents=record.parameters["agents"], team=record.parameters["team"])
    agents = np.array([[np.mean(by_role.get(role, np.nan)) for role in everyone] for by_role in own.values()])
    means = np.array([np.mean(earned or np.nan) for earned in rewards.values()])
    found = make_scores(
        Played(reward=means, agents=agents, **_environments([truths[key] for key in rewards], record.parameters)),
        parameters=record.parameters,
    )
    found.details["answers"] = record.counts()
    return found


def name_of(score: str, part: str) -> str:
    """Return the name of a group's score for one part of the group."""
    return f"{score}_{re.sub(r'[^a-z0-9]+', '_', part)}"


def _means(rewards: Floats) -> Floats:
    """Return the mean of every row over the agents that have one."""
    known = ~np.isnan(rewards)
    counts = known.sum(axis=1)
    return np.where(counts > 0, np.where(known, rewards, 0.0).sum(axis=1) / np.maximum(counts, 1), np.nan)


def _environments(truths: list[Mapping[str, Any]], parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Measure the environments of a session: complexities, and the bounds from the same start cells."""
    from mensura.catalog.lambda_star.batch.administration import BatchPlan, bound
    from mensura.catalog.lambda_star.batch.environments import Environments, walked_complexity
    from mensura.catalog.lambda_star.environment.pattern import Reach

    good, evil, starts, planned = (
        np.array([truth[part] for truth in truths], dtype=np.int32) for part in ("good", "evil", "starts", "complexity")
    )
    torus, original = Torus.of(parameters["size"]), parameters["rules"] == "original"
    made = Environments(torus, good, evil, planned, starts, 0)
    plan = BatchPlan(torus, len(good), made.iterations, None if original else Reach(2, 2))
    bounds = {name: bound(name, plan, made) for name in ("random", "oracle")}
    return {"complexity": walked_complexity(made, original=original), "planned": planned, **bounds}
