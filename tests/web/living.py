"""A world that lives on from ask to ask, for tests of its pages: people add words to a list, a program may sort it."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from mensura.dialogue import Ask, Prompt, Round, Text, Timing, test


@dataclass
class Board(Prompt):
    """A list of words; only how many there are is logged."""

    kind: ClassVar[str] = "board"
    page: ClassVar[dict[str, str]] = {
        "folder": str(Path(__file__).parent / "living_pages"),
        "template": "board.html",
        "script": "board.js",
        "alone": "yes",
    }
    words: list[str]

    def data(self):
        return {"kind": self.kind, "count": len(self.words)}

    def page_data(self):
        return {**self.data(), "words": list(self.words)}

    def text(self):
        return f"{len(self.words)} words"


class Sorter:
    """A program that sorts, after a while."""

    def __init__(self, seconds=0.0):
        self.seconds = seconds

    def __call__(self, ask):
        time.sleep(self.seconds)
        return "sorted"


def roles(*, people=1, sorter=False, **others):
    return (("first", "second")[:people]) + (("sorter",) if sorter else ())


@test(
    "living-v1",
    roles=roles,
    played={"sorter": "quick"},
    subjects={"quick": Sorter, "slow": lambda: Sorter(1.2)},
    timing=Timing(people="wall", tick_seconds=0.1),
)
def living(rng, *, clock, people=1, sorter=False, length=3, lapse=0):
    """Add words until there are enough."""
    words = []
    while len(words) < length:
        until = clock.now + lapse if lapse else None
        asks = [
            Ask(Board(words), Text(longest=40), key="word", role=role, until=until) for role in roles(people=people)
        ]
        given = yield Round(asks, need="any")
        words += [f"{role}: {word}" for role, word in given.items()]
        if sorter and given:
            yield Ask("Sort.", Text(), key="sort", role="sorter")
