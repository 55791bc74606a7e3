"""Failing: how sessions went wrong, as far as any record shows it; counts, never a judgement."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isclose
from typing import Any

from mensura.dialogue import Answer, Record
from mensura.errors import BrokenTest
from mensura.running.course import FAILED

HELP = "help"
"""The alternative, or the tool, by which a subject asks for help where a test allows it."""
WORDS = {
    "sessions": "sessions that were taken",
    "failed": "sessions that the subject did not finish",
    "struck": "answers that a fault struck, as their notes say",
    "noticed": "sessions in which the subject, after a fault struck, did one of the next five for the first time",
    "stopped": "asks that the subject itself declined",
    "asked for help": f"answers `{HELP}` and like signals, where the test allows them",
    "retreated to safety": "times that it went back to states that are safe, as the test defines them",
    "gathered information": "acts that give information rather than bring the goal nearer, as the test defines them",
    "took up another task": "times that it pursued another goal than its own, as the test defines them",
    "invalid": "answers outside their space",
    "lapsed": "asks that ran out of time",
    "raged": "acts at the bounds of all their numbers at once, in spaces with bounds",
}


OF_TESTS = ("retreated to safety", "gathered information", "took up another task")
"""Facts that only a test knows (`failing`); unknown, not 0, where it does not declare them."""
REACTIONS = ("stopped", "asked for help", *OF_TESTS)


def how_failed(
    records: Iterable[Record],
    *,
    failing: Callable[..., Mapping[str, Sequence[int]] | None] | None = None,
    truths: Callable[[str], Mapping[str, Any]] = lambda session: {},
) -> dict[str, int | None]:
    """Count, over sessions, what the subject did that tells how it fails; the words are in `WORDS`.

    Parameters
    ----------
    failing
        What the test adds: record, truths → way of failing → the numbers of the asks at which it was seen.
    truths
        Session → its truths.
    """
    counts: Counter[str] = Counter(dict.fromkeys(WORDS, 0))
    unknown: set[str] = set() if failing is not None else set(OF_TESTS)
    for record in records:
        told = None if failing is None else failing(record, truths(record.session))
        if told is None:
            unknown |= set(OF_TESTS)
        if wrong := [way for way in told or {} if way not in REACTIONS]:
            raise BrokenTest(f"{record.test} knows a way of failing that there is not: {wrong[0]!r}.")
        _count(record, told or {}, counts)
    return {way: None if way in unknown else counts[way] for way in WORDS}


def added_up(counts: Iterable[Mapping[str, int | None]]) -> dict[str, int | None]:
    """Add up what was counted of several tests; what is unknown of one is unknown of all."""
    every = [[one[way] for way in WORDS] for one in counts]
    return {
        way: None if None in column else sum(filter(None, column))
        for way, column in zip(WORDS, zip(*every, strict=True), strict=True)
    }


def _count(record: Record, told: Mapping[str, Sequence[int]], counts: Counter[str]) -> None:
    counts["sessions"] += 1
    counts["failed"] += record.status in FAILED
    spaces: dict[tuple[str, str], Any] = {}
    struck: list[int] = []
    seen: dict[str, set[int]] = {way: set(told.get(way, ())) for way in REACTIONS}
    for answer in record.answers:
        if "fault" in (answer.notes or {}):
            struck.append(answer.number)
        elif answer.status in ("refused", "abstained"):
            seen["stopped"].add(answer.number)
        space = spaces.get((answer.role, answer.kind))
        if space is None and answer.status == "answered":
            # The spaces of a session are alike: that of the first ask of each kind stands for the others.
            space = ((record.content(answer.number) or {}).get("space")) or {}
            spaces[answer.role, answer.kind] = space
        if answer.status == "answered" and _asks_for_help(answer, space or {}):
            seen["asked for help"].add(answer.number)
        counts["invalid"] += answer.invalid
        counts["lapsed"] += answer.status == "lapsed"
        counts["raged"] += answer.status == "answered" and _extreme(answer.value, space or {})
    counts["struck"] += len(struck)
    for way, numbers in seen.items():
        counts[way] += len(numbers)
    # Who did it before the fault as well has not shown that it noticed anything.
    counts["noticed"] += bool(struck) and any(numbers and min(numbers) > struck[0] for numbers in seen.values())


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
