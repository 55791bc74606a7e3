"""Pooling: counts that every session of a run gives by part (kind, load), summed over the sessions."""

from collections.abc import Mapping, Sequence
from typing import Any

ASKED, RIGHT, INTERVAL = "asked", "right", "interval"


def pooled_counts(sessions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Sum tables that all sessions have: fact → part → counts with `asked` and `right`.

    Whole numbers are summed, other numbers averaged by what was asked; the interval is that of the mean over sessions.
    """
    names = [name for name in sessions[0] if all(_counts(one.get(name)) for one in sessions)]
    return {name: _pooled([one[name] for one in sessions]) for name in names}


def _counts(table: Any) -> bool:
    rows = list(table.values()) if isinstance(table, Mapping) else []
    return bool(rows) and all(isinstance(row, Mapping) and {ASKED, RIGHT} <= set(row) for row in rows)


def _pooled(tables: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Any]]:
    from mensura.stats import Scale, unit_estimate

    found: dict[str, dict[str, Any]] = {}
    for part in dict.fromkeys(part for table in tables for part in table):
        rows = [table[part] for table in tables if part in table]
        asked = sum(row[ASKED] for row in rows)
        whole = {name: sum(row[name] for row in rows) for name, one in rows[0].items() if type(one) is int}
        shares = {
            name: sum(row[name] * row[ASKED] for row in rows) / asked
            for name, one in rows[0].items()
            if type(one) is float
        }
        over = unit_estimate([row[RIGHT] / row[ASKED] for row in rows], scale=Scale(0, 1))
        interval = [over.low, over.high] if over.has_interval else None
        found[part] = {**whole, **shares, INTERVAL: interval, "sessions": len(rows)}
    return found
