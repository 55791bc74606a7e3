"""Scoring of the quiz: the share of questions that were answered right."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue import Items, Record, Score

PREFIX = "quiz."
SCORES = (Score("accuracy", better="more", proportion=True),)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items | float]:
    """Return for each question whether it was answered right, NaN where it was not answered; nothing without a quiz."""
    given, asked = record.given(), [key for key in truths if key.startswith(PREFIX)]
    right = [float("nan") if given.get(key) is None else float(given[key] == truths[key]) for key in asked]
    return {"accuracy": Items(right, asked)} if asked else {}
