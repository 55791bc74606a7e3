"""Telemetry: what a browser tells beside an answer; looks away and keys are kept only where the consent says so."""

from collections.abc import Mapping
from typing import Any

from mensura.json_file import loads
from mensura.web.participant.typed import read_changes

FOCUS = "focus"
"""The setting of plans and invitations that keeps only looking away, and no keystroke; `True` keeps both."""
LOOKS = frozenset({"blur", "focus", "hidden", "visible"})
KINDS = LOOKS | {"key", "paste", "cut"}
MOST_MARKS = 2000
LONGEST = 60_000
COARSEST = 1000.0
"""Milliseconds; no browser has a coarser clock."""


def browser_notes(form: Mapping[str, str], shown: float | None, *, kept: Any) -> dict[str, Any]:
    """Read what a browser tells beside an answer: how long it was shown, by which clock, and what was changed.

    Of telemetry only what the invitation lets pages keep is read.
    """
    notes: dict[str, Any] = {} if shown is None else {"shown_seconds": round(shown, 3)}
    if changes := read_changes(form.get("changes", "")):
        notes["changes"] = changes
    if shown is not None and (step := read_precision(form.get("precision", ""))) is not None:
        notes["clock_step_ms"] = step
    kinds = kept_kinds(kept)
    if kinds and (marks := read_telemetry(form.get("telemetry", ""), kinds)):
        notes["telemetry"] = marks
    return notes


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
        marks = loads(text)
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
