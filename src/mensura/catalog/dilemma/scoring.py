"""Scores of the dilemma: what each player earned, and how often it meant to cooperate."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.dilemma.payoffs import COOPERATE, Payoffs
from mensura.dialogue import UNANSWERED, Answer, Items, Record, Score

ROLES = ("first", "second")


def scores(*, temptation: float, reward: float, punishment: float, sucker: float, **others: Any) -> tuple[Score, ...]:
    """Declare the scores of each role; whether it is good to cooperate depends on the partner."""
    payoffs = Payoffs(temptation, reward, punishment, sucker)
    return tuple(
        score
        for role in ROLES
        for score in (
            Score(f"{role}_payoff", better="more", low=payoffs.sucker, high=payoffs.temptation, unit="points"),
            Score(f"{role}_cooperation", better=None, proportion=True),
        )
    )


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return per role the payoff of each round and whether it chose to cooperate.

    Without both moves a round is void: who made none counts as the sucker, the partner has no score there. Rounds that
    a player lost because the partner failed are no items of theirs.
    """
    scores = {}
    sucker = float(record.parameters["sucker"])
    for role in ROLES:
        answers = [
            answer for answer in record.of(role) if record.unfinished == "lost" or record.outcome_of(answer) != "lost"
        ]
        keys = [answer.key for answer in answers]
        chosen = [float(answer.value == COOPERATE) if answer.status == "answered" else np.nan for answer in answers]
        payoffs = [sucker if record.outcome_of(answer) in UNANSWERED else _earned(answer) for answer in answers]
        outcomes = [record.outcome_of(answer) or "unresolved" for answer in answers]
        scores[f"{role}_payoff"] = Items(payoffs, keys, outcomes=outcomes)
        scores[f"{role}_cooperation"] = Items(chosen, keys, outcomes=outcomes)
    return scores


def _earned(answer: Answer) -> float:
    return np.nan if answer.reward is None else answer.reward
