"""Conditions of the puzzles that a result can name."""

from typing import Any

SETTINGS: dict[str, dict[str, Any]] = {
    "short": {"count": 10},
    "profile": {"count": 200},
    "mixed": {"count": 100, "presentation": "mixed"},
    "construct": {"count": 40, "answer": "construct"},
    "people": {"count": 20, "practice": 3, "feedback": False},
    "training": {"count": 40, "feedback": True},
}
