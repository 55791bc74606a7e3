"""Endings: how the sessions of runs ended, in words."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mensura.stats.wording import several

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead

ENDED = ("finished", "crashed", "timed_out", "invalid", "expired", "lost")
"""How a session may have ended in which nothing was answered: finished where every question was declined."""
LONGEST_LINE = 300
"""Characters of a line of last words; of a longer one its beginning and its end are shown."""


def nothing_answered(who: str, heads: Sequence["RunHead"], *, store: "Store") -> str:
    """Return that nothing was answered in any session of some runs, and why; "" where something was or may yet be."""
    counts: Counter[str] = Counter()
    for head in heads:
        counts.update(store.sessions.count(head.id))
    if not counts or set(counts) - set(ENDED):
        return ""
    if any(not result.scores.is_silent for head in heads for result in store.results.each(head.id)):
        return ""
    ended = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items())
    words = (said for head in heads for said in store.sessions.last_words(head.id).values())
    why = first_and_last(next(words, ""))
    many = several(counts.total(), "session")
    return f"No score of {who} is known: nothing was answered in {many} ({ended}). {why}".rstrip()


def first_and_last(words: str) -> str:
    """Return how last words begin and end: the end of a traceback, its last place, and the end of a line say most.

    >>> first_and_last("It crashed.\\n  File \\"mine.py\\", line 3, in answer\\nKeyError: 'a'")
    'It crashed. ... File "mine.py", line 3 ... KeyError: \\'a\\''
    """
    lines = [_shortened(line.strip()) for line in words.splitlines() if line.strip()]
    shown = lines[0] if lines else ""
    place = [line.partition(", in ")[0] for line in lines[:-1] if line.startswith('File "')][-1:]
    return shown if len(lines) < 2 else " ... ".join([shown, *place, lines[-1]])


def _shortened(line: str) -> str:
    return line if len(line) <= LONGEST_LINE else f"{line[: LONGEST_LINE // 2]} ... {line[-LONGEST_LINE // 2 :]}"
