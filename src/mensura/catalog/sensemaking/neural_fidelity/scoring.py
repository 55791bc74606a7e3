"""Scores of a session in which a manager decides and experts review."""

from collections.abc import Mapping
from typing import Any

from mensura.dialogue import Items, Record, Score, Scores

# What passes says something of the model that is judged, not of those who judge it.
SCORES = (Score("passed", better=None, proportion=True), Score("concurrence", better=None, proportion=True))


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Return the share of components that pass by the manager's decision, and how often reviewers concur."""
    decision = decision_of(record.given())
    decided, reviews = decision["decisions"], [said for each in decision["reviews"].values() for said in each.values()]
    passed = [float(value == "pass") for value in decided.values()]
    values: dict[str, Items | float] = {"passed": Items(passed, [f"decision/{name}" for name in decided])}
    if reviews:
        values["concurrence"] = Items([float(value == "concur") for value in reviews])
    return Scores(values, decision)


def decision_of(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the manager and the experts of a session decided, from its answers by key."""
    found: dict[str, Any] = {"decisions": {}, "reasons": {}, "reviews": {}, "shared": given.get("sharing") == "share"}
    for key, value in given.items():
        what, _, rest = key.partition("/")
        if what == "decision":
            found["decisions"][rest] = value
        elif what == "reasons" and value:
            found["reasons"][rest] = value
        elif what == "review":
            component, _, role = rest.rpartition("/")
            found["reviews"].setdefault(component, {})[role] = value
    return found
