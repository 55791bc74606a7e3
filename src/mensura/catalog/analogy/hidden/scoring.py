"""Scores of the hidden test: where the original stands among all candidates."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue import Items, Record, Score

SCORES = (
    Score("reciprocal_rank", better="more", low=0, high=1, label="1 / rank of the original"),
    Score("rank", better="less", low=1, label="rank of the original", unanswered=None),
    Score("first", better="more", low=0, high=1, label="original ranked first"),
)


def rank_of(original: float | None, others: list[float | None]) -> float:
    """Return the rank of the original, 1 the best; equals share their ranks, and what is unknown stands against it.

    >>> rank_of(0.5, [0.4, 0.5, 0.6]), rank_of(None, [0.1, 0.2]), rank_of(0.9, [None, 0.2])
    (2.5, 3.0, 2.0)
    """
    if original is None:
        return 1.0 + len(others)
    above = sum(other is None or other > original for other in others)
    return 1.0 + above + sum(other == original for other in others) / 2


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return for each reworded text the rank of its original by the closeness that was said; lost ones are left out."""
    given = record.given()
    lost = {answer.key for answer in record.answers if record.outcome_of(answer) == "lost"}
    asked: dict[str, dict[str, list[float | None]]] = {}
    for key in sorted(truths):
        truth = truths[key]
        held = asked.setdefault(truth["query"], {"original": [], "others": [], "lost": []})
        held["lost"] += [None] if key in lost else []
        held["original" if truth["original"] else "others"].append(given.get(key))
    ranks = {
        query: rank_of(held["original"][0], held["others"])
        for query, held in sorted(asked.items())
        if held["original"] and not held["lost"]
    }
    keys = list(ranks)
    return {
        "reciprocal_rank": Items([1 / rank for rank in ranks.values()], keys, separate=True),
        "rank": Items(list(ranks.values()), keys, separate=True),
        "first": Items([float(rank == 1) for rank in ranks.values()], keys, separate=True),
    }
