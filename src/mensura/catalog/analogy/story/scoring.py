"""Scores of the story test: right choices; `both` is never right."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.analogy.subjects import BOTH
from mensura.dialogue import Items, Record, Score

SCORES = (
    Score("accuracy", better="more", proportion=True, label="same structure chosen"),
    Score("undecided", better=None, proportion=True, label="both equally alike", unanswered=0),
)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return for each item whether the story of the same structure was chosen, and whether both were."""
    given = record.given()
    keys = sorted(truths)
    right = [float(given[key] == truths[key]) if key in given else np.nan for key in keys]
    both = [float(given[key] == BOTH) if key in given else np.nan for key in keys]
    return {"accuracy": Items(right, keys), "undecided": Items(both, keys)}
