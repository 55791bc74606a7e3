"""What a system's stored runs of a benchmark and of the game come to."""

from collections.abc import Iterable

from mensura.catalog.imitation.versus.comparison import SystemResults
from mensura.dialogue import Items, Scores
from mensura.dialogue.record import POOLED


def results_of(benchmark: Iterable[Scores], game: Iterable[Scores], *, score: str = "accuracy") -> SystemResults:
    """Return a system's grade on each item, over its sessions, and its games that count; hung juries took nobody in."""
    by_item: dict[str, list[float]] = {}
    for number, scores in enumerate(benchmark):
        held = scores.values[score]
        pairs = zip(held.keys, held.values, strict=True) if isinstance(held, Items) else [(f"session {number}", held)]
        for key, value in pairs:
            if value == value:
                by_item.setdefault(str(key), []).append(float(value))
    taken, beliefs = taken_in(game)
    return SystemResults([sum(each) / len(each) for _, each in sorted(by_item.items())], taken, beliefs)


def taken_in(game: Iterable[Scores]) -> tuple[list[float], list[list[float]]]:
    """Return of each game that counts whether the judges took the witness in, and the course of their belief."""
    taken, beliefs = [], []
    for scores in game:
        for one in scores.details.get(POOLED, {}).get("games", ()):
            if not one["void"] and one["pretends"]:
                taken.append(float(one["decision"] not in (one["truth"], "hung")))
                beliefs.append([0.5, *(float(mean) for _, _, mean in one["beliefs"])])
    return taken, beliefs
