"""Account: what was refused, failed and lost, and what it cost in time and money."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mensura.dialogue import tally_words
from mensura.running.results.summary import RunResult
from mensura.stats.wording import duration, several

if TYPE_CHECKING:
    from mensura.report.runs import SameTest
    from mensura.store import Store

MOST_LINES = 6


def losses(taken: Sequence["SameTest"], *, excluded: int = 0) -> list[str]:
    """Return for each run what did not finish and what was not answered, or that there is nothing of the kind."""
    said = [f"{several(excluded, 'session')} excluded, with the reasons given below."] if excluded else []
    for one in taken:
        for result in one.results:
            who = one.labels[result.head.id] if len(taken) == 1 else f"{one.labels[result.head.id]} on {one.test}"
            total = sum(result.counts.values())
            ended = [f"{n} {status.replace('_', ' ')}" for status, n in result.counts.items() if n]
            if result.counts.get("finished") != total:
                said.append(f"{who}: of {several(total, 'session')} {', '.join(ended)}.")
            unanswered = {outcome: n for outcome, n in result.outcomes.items() if outcome != "answered"}
            if unanswered:
                said.append(f"{who}: of {sum(result.outcomes.values())} asks {tally_words(unanswered)}.")
    if not said:
        total = sum(sum(result.counts.values()) for one in taken for result in one.results)
        return [f"Nothing: all {total} sessions finished, and every question was answered."]
    more = len(said) - MOST_LINES
    return said if more < 2 else [*said[:MOST_LINES], f"And {more} more lines of this kind, in the details."]


def costs(results: Sequence[RunResult], *, store: "Store") -> list[str]:
    """Return how long sessions took, and what subjects noted of tokens and money."""
    said, sessions, seconds = [], 0, 0.0
    for result in results:
        over = [(one.created, one.ended) for one in store.sessions.of(result.head.id) if one.ended is not None]
        sessions += len(over)
        seconds += max(end for _, end in over) - min(begin for begin, _ in over) if over else 0.0
    if sessions:
        said.append(f"{several(sessions, 'session')} in {duration(seconds)}, from the first to the last of each run.")
    spent: dict[str, float | None] = {}
    for result in results:
        for name, amount in result.spent.items():
            before = spent.get(name, 0.0)
            spent[name] = None if amount is None or before is None else before + amount
    said.append(f"{spent_words(spent)}." if spent else "No tokens or costs were recorded.")
    return said


def spent_words(spent: Mapping[str, float | None]) -> str:
    """Write what subjects spent.

    >>> spent_words({"tokens_in": 1200.0, "cost": None})
    'Spent: tokens in 1200, cost unknown'
    """
    known = {name: "unknown" if amount is None else f"{amount:g}" for name, amount in spent.items()}
    return f"Spent: {', '.join(f'{name} {amount}' for name, amount in known.items())}".replace("_", " ")
