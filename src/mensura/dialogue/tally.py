"""Tally: what became of everything that was asked. Nothing vanishes: each item is counted under one outcome."""

from collections.abc import Iterable, Mapping

OUTCOMES = ("answered", "refused", "abstained", "invalid", "timed_out", "crashed", "lost", "unresolved")
"""Outcomes of an item. Lost is our fault or the network's; unresolved was answered, but has no truth yet."""
UNANSWERED = ("refused", "abstained", "invalid", "timed_out", "crashed")
"""Outcomes that are the subject's doing: they count as the score declares."""
WORDS = {"timed_out": "timed out"}

Tally = dict[str, int]
"""Outcome → how many items; outcomes that did not occur are left out."""


def tally_of(outcomes: Iterable[str]) -> Tally:
    """Count outcomes, in their fixed order.

    >>> tally_of(["refused", "answered", "refused"])
    {'answered': 1, 'refused': 2}
    """
    counts: dict[str, int] = {}
    for outcome in outcomes:
        counts[outcome] = counts.get(outcome, 0) + 1
    return {outcome: counts[outcome] for outcome in OUTCOMES if outcome in counts}


def merged(tallies: Iterable[Mapping[str, int]]) -> Tally:
    """Add tallies up.

    >>> merged([{"answered": 3}, {"answered": 1, "lost": 2}])
    {'answered': 4, 'lost': 2}
    """
    counts: dict[str, int] = {}
    for tally in tallies:
        for outcome, count in tally.items():
            counts[outcome] = counts.get(outcome, 0) + count
    return {outcome: counts[outcome] for outcome in OUTCOMES if outcome in counts}


def tally_words(tally: Mapping[str, int]) -> str:
    """Write a tally in words.

    >>> tally_words({"answered": 5, "timed_out": 45})
    '5 answered, 45 timed out'
    """
    return ", ".join(f"{count} {WORDS.get(outcome, outcome)}" for outcome, count in tally.items() if count)
