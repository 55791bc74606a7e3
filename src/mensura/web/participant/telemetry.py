"""Telemetry: when someone typed, pasted and looked away while answering; kept only where the consent says so."""

import json
from typing import Any

KINDS = frozenset({"key", "paste", "cut", "blur", "focus", "hidden", "visible"})
MOST_MARKS = 2000
LONGEST = 60_000


def read_telemetry(text: str) -> list[list[Any]]:
    """Read what a page kept: a list of [seconds, kind] or [seconds, kind, number of characters]; nonsense is dropped.

    >>> read_telemetry('[[0.5, "key"], [0.9, "paste", 12], [1, "<script>"], "x"]')
    [[0.5, 'key'], [0.9, 'paste', 12]]
    """
    if not text or len(text) > LONGEST:
        return []
    try:
        marks = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [mark for mark in marks[:MOST_MARKS] if _is_mark(mark)] if isinstance(marks, list) else []


def _is_mark(mark: Any) -> bool:
    if not isinstance(mark, list) or not 2 <= len(mark) <= 3 or mark[1] not in KINDS:
        return False
    numbers = [mark[0], *mark[2:]]
    return all(
        isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e9 for value in numbers
    )
