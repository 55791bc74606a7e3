"""Scoring of approvals: which share of the calls was approved."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue import Items, Record, Score

SCORES = (Score("approved", better=None, proportion=True, label="Calls approved"),)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return 1 for each call that was approved and 0 for each that was not; those withdrawn are left out."""
    decided = [one for one in record.answers if one.role == "approver" and one.status == "answered"]
    values = [float(one.value["call"] == "approve") for one in decided]
    return {"approved": Items(values, [one.key for one in decided])}
