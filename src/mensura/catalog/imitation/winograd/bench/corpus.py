"""Counts of words, and of words near one another, in texts that the user gives."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mensura.text_file import read_text

WINDOW = 10
"""Two words are near one another with at most so many words between."""
WORD = re.compile(r"[a-z']+")


@dataclass(frozen=True)
class WordCounts:
    """How often words were met, and how often near one another."""

    words: int = 0
    """Words of the texts in all."""
    single: Counter[str] = field(default_factory=Counter)
    near: dict[tuple[str, str], int] = field(default_factory=dict)
    files: tuple[str, ...] = ()

    def together(self, one: str, other: str) -> int:
        """Return how often two words were met near one another."""
        return self.near.get((min(one, other), max(one, other)), 0)


def count_words(paths: Sequence[str | Path], wanted: Iterable[str]) -> WordCounts:
    """Count the wanted words in texts, each text file as it is."""
    words = frozenset(wanted)
    single: Counter[str] = Counter()
    near: dict[tuple[str, str], int] = defaultdict(int)
    total = 0
    for path in paths:
        recent: deque[tuple[int, str]] = deque()
        for place, found in enumerate(WORD.finditer(read_text(path).lower().replace("’", "'")), start=1):
            total += 1
            word = found[0]
            if word not in words:
                continue
            single[word] += 1
            while recent and place - recent[0][0] > WINDOW + 1:
                recent.popleft()
            for _, earlier in recent:
                if earlier != word:
                    near[min(earlier, word), max(earlier, word)] += 1
            recent.append((place, word))
    return WordCounts(total, single, dict(near), tuple(str(path) for path in paths))
