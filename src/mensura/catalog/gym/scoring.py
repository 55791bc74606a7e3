"""Scores of an episode."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Record, Score


def scores(*, most_steps: int) -> tuple[Score, ...]:
    """Declare the scores; what can be earned at most or at least only the environment knows."""
    return (
        Score("return", better="more"),
        Score("steps", better=None, low=0, high=max(most_steps, 1), unit="steps"),
    )


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, float]:
    """Return the return of the episode (more is better) and its steps; an episode that we lost has neither.

    An agent that makes no move any more keeps what was earned until then, less what moves by chance lose from there on.
    """
    if record.unfinished == "lost":
        return {"return": np.nan, "steps": np.nan}
    return {
        "return": float(np.nansum(record.rewards())),
        "steps": float(sum(answer.status == "answered" for answer in record.answers)),
    }
