"""Scores of PAGI World: what came of a room, one number of each for a session."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.pagi_world.rooms.measure import score_of
from mensura.catalog.pagi_world.rooms.room import find_room
from mensura.dialogue import Items, Record, Score, Scores
from mensura.dialogue.record import EACH

RESULT = "result"
MOST_WORK = 1e12


def scores(*, room: str, **others: Any) -> tuple[Score, ...]:
    """Declare the scores, and what the room measures besides; a room that is not solved has taken all its time."""
    described = find_room(room)
    declared = [
        Score("success", better="more", proportion=True),
        # Without an upper bound: a course goes through rooms of different lengths.
        Score("time", better="less", low=0, unit="seconds"),
        Score("endorphins", better="more", unanswered=None),
        Score("work", better=None, low=0, unit="joules", unanswered=None),
        Score("commands", better=None, low=0, unanswered=None),
        Score("firings", better=None, low=0, label="reflex firings", unanswered=None),
    ]
    for name, measure in described.get("measures", {}).items():
        declared.append(score_of(name, measure))
    return tuple(declared)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Return what came of a session; one that never came to its end has no score."""
    lost = any(answer.status == "lost" for answer in record.answers)
    result = None if lost else truths.get(RESULT)
    names = [one.name for one in scores(**record.parameters)]
    if result is None:
        return Scores({name: Items(np.array([np.nan]), ("act",)) for name in names}, {})
    solved = bool(result["success"])
    values: dict[str, Any] = {
        "success": float(solved),
        "time": min(result["seconds"], result["limit"]) if solved else result["limit"],
        "endorphins": result["endorphins"],
        "work": min(result["work"], MOST_WORK),
        "commands": result["commands"],
        "firings": result["firings"],
        **result["measures"],
    }
    numbers = {name: np.nan if values.get(name) is None else float(values[name]) for name in names}
    each = {**{name: values.get(name) for name in names}, "drawn": result["drawn"]}
    return Scores({name: Items(np.array([value]), ("act",)) for name, value in numbers.items()}, {EACH: each})
