"""Declarations of scores: what cannot be is refused."""

import pytest

from mensura.dialogue import Score
from mensura.errors import BrokenTest


@pytest.mark.parametrize(
    "declared",
    [
        {"name": "x"},
        {"name": "", "better": "more"},
        {"name": "x", "better": "up"},
        {"name": "x", "better": "more", "best": 1},
        {"name": "x", "better": "more", "low": 1, "high": 0},
        {"name": "x", "better": "more", "high": float("inf")},
        {"name": "x", "better": "more", "low": 0, "high": 1, "unanswered": 1.0},
        {"name": "x", "better": "less", "low": 0, "high": 1, "unanswered": 0.0},
        {"name": "x", "better": "more", "low": 0, "high": 1, "unanswered": 5},
        {"name": "x", "better": "more", "unanswered": "best"},
        {"name": "x", "best": 3, "low": 0, "high": 1},
        {"name": "x", "better": "more", "proportion": True, "high": 5},
        {"name": "x", "better": "more", "shown_to": "nobody"},
    ],
)
def test_declarations_that_cannot_be_are_refused(declared):
    with pytest.raises(BrokenTest, match="score"):
        Score(**declared)
