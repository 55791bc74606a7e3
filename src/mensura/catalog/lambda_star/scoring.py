"""Scores of Λ*: intelligence Υ with what stands beside it."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.playing import is_played
from mensura.dialogue import Items, Record, Score, Scores

Floats = NDArray[np.float64]
UNSCORED = "rehearsal"
SCORES = (Score("intelligence", better="more", low=-1, high=1, unanswered=0.0),)
"""Random behaviour scores 0, and so does an environment in which nothing was done."""


@dataclass(frozen=True)
class Played:
    """What was played: complexity and mean reward per episode, and what the bounds earned in the same environments."""

    complexity: NDArray[np.integer[Any]]
    reward: Floats
    random: Floats
    oracle: Floats
    sessions: Floats | None = None
    """Mean rewards of learners in each training session, a row per episode, the episode that counts last."""


def make_scores(played: Played, *, torus: Torus, iterations: int) -> Scores:
    r"""Score an administration (Definitions 2 and 3).

    Υ is the mean over environments of the mean reward per agent and iteration, in [-1, 1]; more is better, random
    behaviour gives 0. Beside it stand: the score by complexity K, each with an interval over its episodes and with the
    combined complexity :math:`H + K \log_2 \vartheta` in bits (where the objects may be, and a Lempel-Ziv description
    of how they move); the entropy H; the score with an interval that is valid whenever one stops; the bounds that
    random and oracle set on the same environments; and, for learners, the score by training session.
    """
    from mensura.catalog.lambda_star.anytime import AnytimeScore
    from mensura.stats import mean_estimate

    anytime = AnytimeScore()
    anytime.add(played.reward)
    details: dict[str, Any] = {
        "entropy_bits": torus.entropy_bits,
        "by_complexity": {
            str(k): {
                **mean_estimate(played.reward[played.complexity == k]).as_json(),
                "total_bits": torus.entropy_bits + float(k) * log2(iterations),
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
    return Scores({"intelligence": Items(played.reward, separate=True)}, details)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a plain session; one that was stopped is scored on the rewards it had by then."""
    torus = Torus.of(record.parameters["size"])
    iterations = record.parameters["iterations"]
    rewards: dict[str, list[float]] = {}
    for answer in record.answers:
        if not answer.key.startswith(UNSCORED):
            rewards.setdefault(answer.key, [])
            if answer.reward is not None and is_played(record, answer):
                rewards[answer.key].append(answer.reward)
    environments = [truths[key] for key in rewards]
    if not environments:
        return Scores({"intelligence": Items([])}, {"entropy_bits": torus.entropy_bits})
    means = np.array([np.mean(values) if values else np.nan for values in rewards.values()])
    bounds = {name: _bound(name, torus, environments, record.parameters) for name in ("random", "oracle")}
    complexity = np.array([environment["complexity"] for environment in environments])
    scores = make_scores(Played(complexity, means, **bounds), torus=torus, iterations=iterations)
    scores.details["answers"] = record.counts()
    return scores


def _bound(name: str, torus: Torus, environments: list[Mapping[str, Any]], parameters: Mapping[str, Any]) -> Floats:
    """Let random or oracle play the same environments from the same cells."""
    from mensura.catalog.lambda_star.batch.administration import BatchPlan, play
    from mensura.catalog.lambda_star.batch.environments import Environments
    from mensura.catalog.lambda_star.environment.pattern import Reach

    good, evil, starts = (
        np.array([environment[part] for environment in environments], dtype=np.int32)
        for part in ("good", "evil", "starts")
    )
    complexity = np.array([environment["complexity"] for environment in environments], dtype=np.int32)
    reach = None if parameters["rules"] == "original" else Reach(2, 2)
    plan = BatchPlan(torus, len(good), good.shape[1] - 1, reach)
    return play(name, plan, Environments(torus, good, evil, complexity, starts, 0), starts=starts, group=0)[:, -1]
