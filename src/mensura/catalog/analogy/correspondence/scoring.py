"""Scores of the mapping test: precision and recall of the correspondences given, against a gold mapping."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Items, Record, Score

NOTHING = "nothing"
SCORES = (
    Score("f1", better="more", low=0, high=1, label="right correspondences (F1)"),
    Score("precision", better="more", low=0, high=1, label="given correspondences that are right"),
    Score("recall", better="more", low=0, high=1, label="right correspondences that are given"),
)


def marks(given: Mapping[str, str], gold: Mapping[str, str]) -> dict[str, float]:
    """Return precision, recall and F1 of correspondences, concept → counterpart.

    A concept without a counterpart is answered with `nothing`, which is neither given nor right. Who gives none has a
    precision of 0.

    >>> marks({"mill": "clinic", "dam": "battery", "river": "nothing"}, {"dam": "battery", "mill": "computer"})
    {'f1': 0.5, 'precision': 0.5, 'recall': 0.5}
    """
    gold = {concept: other for concept, other in gold.items() if other != NOTHING}
    told = {concept: other for concept, other in given.items() if other != NOTHING}
    right = sum(gold.get(concept) == other for concept, other in told.items())
    precision, recall = right / len(told) if told else 0.0, right / len(gold)
    whole = precision + recall
    return {"f1": 2 * precision * recall / whole if whole else 0.0, "precision": precision, "recall": recall}


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return the marks of each pair of stories; one that was not answered counts 0."""
    given, keys = record.given(), sorted(truths)
    each = [marks(given[key], truths[key]) if key in given else dict.fromkeys(("f1", "precision", "recall"), np.nan)
            for key in keys]  # fmt: skip
    return {one.name: Items([found[one.name] for found in each], keys) for one in SCORES}
