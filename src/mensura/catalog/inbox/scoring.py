"""Scores of the inbox: one number per message."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Items, Record, Score, Scores

NAMES = ("handled_score", "accuracy", "missed_loss", "delay")


def scores(*, patience: int, **others: Any) -> tuple[Score, ...]:
    """Declare the scores; a message can be filed up to the tick at which it is due, `patience` after it came."""
    return (
        Score("handled_score", better="more", proportion=True, label="handled"),
        # About filed messages only: what was not filed counts above and below, not here.
        Score("accuracy", better="more", proportion=True, unanswered=None),
        Score("missed_loss", better="less", proportion=True, label="missed"),
        Score("delay", better="less", low=0, high=max(patience, 1), unit="ticks", unanswered=None),
    )


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Return of each message whether it was filed right, whether it was missed, and how long it waited.

    `handled_score` is 1 for a message in the right folder in time and 0 otherwise; `accuracy` is about filed messages
    only; `missed_loss` is 1 for those not filed before they were due; `delay` is in ticks.
    """
    filed = {
        answer.value["arguments"]["message"]: (answer.value["arguments"]["folder"], answer.tick)
        for answer in record.answers
        if answer.status == "answered" and answer.value["call"] == "file"
    }
    last = max((answer.tick for answer in record.answers if record.outcome_of(answer) != "lost"), default=0)
    rows = {name: _message(filed.get(name), truth, last) for name, truth in truths.items()}
    values = np.array(list(rows.values()), dtype=float).reshape(len(rows), len(NAMES))
    counts = {"filed": len(filed), "missed": int(np.nansum(values[:, NAMES.index("missed_loss")]))}
    items: dict[str, Items | float] = {name: Items(values[:, i], list(rows)) for i, name in enumerate(NAMES)}
    return Scores(items, counts)


def _message(filed: tuple[str, int] | None, truth: Mapping[str, Any], last: int) -> tuple[float, float, float, float]:
    if filed is not None:
        right = float(filed[0] == truth["folder"])
        return right, right, 0.0, filed[1] - truth["arrived"]
    # A session that broke off before a message was due says nothing of it.
    missed = truth["due"] <= last
    return (0.0, np.nan, 1.0, np.nan) if missed else (np.nan, np.nan, np.nan, np.nan)
