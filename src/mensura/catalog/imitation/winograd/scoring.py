"""Scores of the schemas: right answers, and answers that change when, and only when, the sentence says so."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.dialogue import Items, Record, Score

SWITCHED = "switched"
SCORES = (
    Score("accuracy", better="more", low=0, high=1, label="right answers"),
    Score("twins", better="more", proportion=True, label="both twins right"),
    Score("consistency", better="more", proportion=True, label="answer changes with the special word"),
    Score("switching", better="more", low=0, high=1, label="answer follows exchanged candidates"),
)


def score(record: Record, truths: Mapping[str, Any]) -> dict[str, Items]:
    """Return the share of right sentences of each schema, and of twins and exchanged candidates whether they held.

    A schema is the unit of every interval: its sentences share their difficulty. What was not answered is wrong, does
    not change with the word and does not follow an exchange, so leaving out never pays; what was lost is unknown.
    """
    given = {answer.key: answer.value if answer.status == "answered" else None for answer in record.answers}
    lost = {answer.key for answer in record.answers if record.outcome_of(answer) == "lost"}
    schemas: dict[str, list[str]] = {}
    for key in truths:
        schemas.setdefault(key.split("/")[0], []).append(key)
    rows: dict[str, dict[str, float]] = {score.name: {} for score in SCORES}
    for id, keys in sorted(schemas.items()):
        known = [key for key in keys if key in given and key not in lost]
        plain = sorted(key for key in known if not key.endswith(SWITCHED))
        right = {key: given[key] == truths[key] for key in known}
        rows["accuracy"][id] = float(np.mean([right[key] for key in plain])) if plain else np.nan
        if len([key for key in keys if not key.endswith(SWITCHED)]) == 2:
            whole = len(plain) == 2
            first, second = (given.get(key) for key in plain) if whole else (None, None)
            changed = first is not None and second is not None and first != second
            rows["twins"][id] = float(all(right[key] for key in plain)) if whole else np.nan
            rows["consistency"][id] = float(changed) if whole else np.nan
        pairs = [(key, f"{key}/{SWITCHED}") for key in plain if f"{key}/{SWITCHED}" in known]
        if pairs:
            followed = [None not in (given[a], given[b]) and given[a] != given[b] for a, b in pairs]
            rows["switching"][id] = float(np.mean(followed))
    return {name: Items(list(row.values()), list(row), separate=True) for name, row in rows.items()}
