"""Failing: how sessions went wrong, as far as any record shows it; counts, never a judgement."""

from collections import Counter
from collections.abc import Iterable
from math import isclose
from typing import Any

from mensura.dialogue import Answer, Record
from mensura.running.course import FAILED

HELP = "help"
"""The alternative, or the tool, by which a subject asks for help where a test allows it."""
WORDS = {
    "sessions": "sessions that were taken",
    "failed": "sessions that the subject did not finish",
    "struck": "answers that a fault struck, as their notes say",
    "noticed": "sessions with a fault in which the subject declined or asked for help after it struck",
    "stopped": "asks that the subject itself declined",
    "asked for help": f"answers `{HELP}`, where the test allows them",
    "invalid": "answers outside their space",
    "lapsed": "asks that ran out of time",
    "raged": "acts at the bounds of all their numbers at once, in spaces with bounds",
}


def how_failed(records: Iterable[Record]) -> Counter[str]:
    """Count, over sessions, what the subject did that tells how it fails; the words are in `WORDS`."""
    counts: Counter[str] = Counter(dict.fromkeys(WORDS, 0))
    for record in records:
        counts["sessions"] += 1
        counts["failed"] += record.status in FAILED
        spaces: dict[tuple[str, str], Any] = {}
        struck = noticed = False
        for answer in record.answers:
            hit = "fault" in (answer.notes or {})
            declined = answer.status in ("refused", "abstained") and not hit
            space = spaces.get((answer.role, answer.kind))
            if space is None and answer.status == "answered":
                # The spaces of a session are alike: that of the first ask of each kind stands for the others.
                space = ((record.content(answer.number) or {}).get("space")) or {}
                spaces[answer.role, answer.kind] = space
            helped = answer.status == "answered" and _asks_for_help(answer, space or {})
            noticed = noticed or (struck and (declined or helped))
            struck = struck or hit
            counts["struck"] += hit
            counts["stopped"] += declined
            counts["asked for help"] += helped
            counts["invalid"] += answer.invalid
            counts["lapsed"] += answer.status == "lapsed"
            counts["raged"] += answer.status == "answered" and _extreme(answer.value, space or {})
        counts["noticed"] += noticed
    return counts


def _asks_for_help(answer: Answer, space: dict[str, Any]) -> bool:
    if isinstance(answer.value, dict):
        return answer.value.get("call") == HELP
    names = space.get("names", ())
    by_number = answer.kind == "action" and isinstance(answer.value, int) and answer.value < len(names)
    return bool((names[answer.value] if by_number else answer.value) == HELP)


def _extreme(value: Any, space: dict[str, Any]) -> bool:
    low, high = space.get("low"), space.get("high")
    if low is None or high is None:
        return False
    listed = value if isinstance(value, list) else [value]
    sides = [bound if isinstance(bound, list) else [bound] for bound in (low, high)]
    return len(listed) > 0 and all(
        isinstance(one, int | float) and any(end is not None and isclose(one, end) for end in (least, most))
        for one, least, most in zip(listed, *sides, strict=False)
    )
