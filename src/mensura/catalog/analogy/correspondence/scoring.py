"""Scores of the mapping test: precision and recall of the correspondences given, against a gold mapping."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mensura.dialogue import Items, Record, Score
from mensura.dialogue.canonical import short_hash

NOTHING = "nothing"
SCORES = (
    Score("f1", better="more", low=0, high=1, label="right correspondences (F1)"),
    Score("precision", better="more", low=0, high=1, label="given correspondences that are right"),
    Score("recall", better="more", low=0, high=1, label="right correspondences that are given"),
)


def digests(pairs: Mapping[str, str]) -> list[str]:
    """Return a digest of each correspondence, in order; concepts without a counterpart have none.

    Truths are kept so: the words of a right counterpart would stand among the options of their own question alone.

    >>> len(digests({"mill": "clinic", "river": "nothing"}))
    1
    """
    return sorted(short_hash([concept, other]) for concept, other in pairs.items() if other != NOTHING)


def marks(given: Mapping[str, str], gold: Sequence[str]) -> dict[str, float]:
    """Return precision, recall and F1 of correspondences, concept → counterpart, against the digests of right ones.

    A concept without a counterpart is answered with `nothing`, which is neither given nor right. Who gives none has a
    precision of 0.

    >>> gold = digests({"dam": "battery", "mill": "computer"})
    >>> marks({"mill": "clinic", "dam": "battery", "river": "nothing"}, gold)
    {'f1': 0.5, 'precision': 0.5, 'recall': 0.5}
    """
    told = digests(given)
    right = len(set(told) & set(gold))
    precision, recall = right / len(told) if told else 0.0, right / len(gold)
    whole = precision + recall
    return {"f1": 2 * precision * recall / whole if whole else 0.0, "precision": precision, "recall": recall}


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return the marks of each pair of stories; one that was not answered counts 0."""
    given, keys = record.given(), sorted(truths)
    each = [marks(given[key], truths[key]) if key in given else dict.fromkeys(("f1", "precision", "recall"), np.nan)
            for key in keys]  # fmt: skip
    return {one.name: Items([found[one.name] for found in each], keys) for one in SCORES}
