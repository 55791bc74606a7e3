"""Telemetry: when someone looked away, and typed and pasted, while answering; kept only where the consent says so."""

import json
from typing import Any

FOCUS = "focus"
"""What plans and invitations say where only looking away is kept, and no keystroke; `True` keeps both."""
LOOKS = frozenset({"blur", "focus", "hidden", "visible"})
KINDS = LOOKS | {"key", "paste", "cut"}
MOST_MARKS = 2000
LONGEST = 60_000
COARSEST = 1000.0
"""Milliseconds; no browser has a coarser clock."""


def kept_kinds(told: Any) -> frozenset[str]:
    """Return which marks an invitation lets pages keep.

    >>> sorted(kept_kinds("focus")), kept_kinds(False)
    (['blur', 'focus', 'hidden', 'visible'], frozenset())
    """
    return KINDS if told is True else LOOKS if told == FOCUS else frozenset()


def read_precision(text: str) -> float | None:
    """Read the step of the browser's clock that a page measured, in milliseconds; None where it is nonsense.

    >>> read_precision("0.1"), read_precision("nan"), read_precision("x")
    (0.1, None, None)
    """
    try:
        step = float(text)
    except ValueError:
        return None
    return round(step, 6) if 0 < step <= COARSEST else None


def read_telemetry(text: str, kinds: frozenset[str] = KINDS) -> list[list[Any]]:
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
    return [mark for mark in marks[:MOST_MARKS] if _is_mark(mark, kinds)] if isinstance(marks, list) else []


def _is_mark(mark: Any, kinds: frozenset[str]) -> bool:
    if not isinstance(mark, list) or not 2 <= len(mark) <= 3 or mark[1] not in kinds:
        return False
    numbers = [mark[0], *mark[2:]]
    return all(
        isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 1e9 for value in numbers
    )
