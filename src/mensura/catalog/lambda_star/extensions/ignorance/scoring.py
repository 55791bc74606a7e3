"""Scores of shared ignorance: what people think others think, against what they do think."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Items, Record, Scores

NAMES = ("pluralistic_ignorance", "misperception", "honesty", "payoff")


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
    """
    rows = [_score_episode(record, key, truth) for key, truth in truths.items()]
    values = np.array(rows).reshape(len(rows), len(NAMES))
    return Scores(
        {name: Items(values[:, i], list(truths)) for i, name in enumerate(NAMES)}, {"answers": record.counts()}
    )


def _score_episode(record: Record, key: str, private: Mapping[str, str]) -> tuple[float, ...]:
    support = np.mean([stance == "support" for stance in private.values()])
    estimates = [a.value for a in record.answers if a.key == f"{key} estimate" and a.status == "answered"]
    stances = [a for a in record.answers if a.key == key and a.status == "answered"]
    rewards = [a.reward for a in stances if a.reward is not None]
    honest = np.mean([answer.value == private[answer.role] for answer in stances]) if stances else np.nan
    if not estimates:
        return np.nan, np.nan, float(honest), float(np.mean(rewards)) if rewards else np.nan
    overrated = max(0.0, float(np.mean(estimates) - support)) if support < 0.5 else 0.0
    off = float(np.mean(np.abs(np.array(estimates) - support)))
    return overrated, off, float(honest), float(np.mean(rewards)) if rewards else np.nan
