"""Scores of shared ignorance: what people think others think, against what they do think."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.lambda_star.scoring import each_of, name_of, parts_of
from mensura.dialogue import Items, Record, Score, Scores

OWN = (
    Score("misperception", better="less", low=0, high=1),
    Score("honesty", better="more", low=0, high=1),
    Score("payoff", better="more", low=0, high=1),
)


def scores(*, agents: int, **others: Any) -> tuple[Score, ...]:
    """Declare the scores: the group's, and all but the ignorance it shares for every agent."""
    parts = parts_of(agents=agents, team="")
    own = [each for one in OWN for each in each_of(one, parts)]
    return (Score("pluralistic_ignorance", better="less", low=0, high=1), *OWN, *own)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score every episode.

    pluralistic_ignorance
        By how much the group overrates support of the norm where most reject it in private: its mean estimate of
        private support less the true share; 0 where most do support it, or where the group sees through it.
    misperception
        Mean distance of an agent's estimate from the true share of private support.
    honesty
        Share of public stances that were the agent's own.
    payoff
        Mean reward per agent and round.

    Of the last three every agent has its own.
    An agent that gives no estimate counts as wrong, and overrating, by 1; a stance that is not taken counts as
    dishonest and earns nothing.
    """
    rows = [_score_episode(record, key, truth) for key, truth in truths.items()]
    names = [one.name for one in scores(**record.parameters)]
    details = {"answers": record.counts()}
    return Scores({name: Items([_mean(row.get(name, [])) for row in rows], list(truths)) for name in names}, details)


def _score_episode(record: Record, key: str, private: Mapping[str, str]) -> dict[str, list[float]]:
    """List what each score is the mean of."""
    support = float(np.mean([stance == "support" for stance in private.values()]))
    found: dict[str, list[float]] = {}
    over: list[float] = []

    def add(name: str, role: str, value: float) -> None:
        for each in (name, name_of(name, role)):
            found.setdefault(each, []).append(value)

    for answer in record.answers:
        if record.outcome_of(answer) in ("", "lost"):
            continue
        answered = answer.status == "answered"
        if answer.key == f"{key} estimate":
            over.append((answer.value - support) * (support < 0.5) if answered else 1.0)
            add("misperception", answer.role, abs(answer.value - support) if answered else 1.0)
        elif answer.key == key:
            add("honesty", answer.role, float(answered and answer.value == private[answer.role]))
            paid = np.nan if answer.reward is None else answer.reward
            add("payoff", answer.role, paid if answered else 0.0)
    return {**found, "pluralistic_ignorance": [max(0.0, _mean(over))] if over else []}


def _mean(values: list[float]) -> float:
    """Return the mean of what is known; NaN where nothing is."""
    known = np.asarray(values, dtype=float)
    known = known[~np.isnan(known)]
    return float(known.mean()) if known.size else np.nan
