"""Nogoods that an agent keeps, by the value of its own that each forbids."""

from collections import deque
from collections.abc import Iterable
from typing import Any

Reason = tuple[tuple[str, Any], ...]
"""Agents with values that cannot stand together with a value of one's own; empty where it cannot be at all."""


class KeptNogoods:
    """Keeps nogoods in the order in which they came: the order in which they are tested decides ties.

    Parameters
    ----------
    most
        How many are kept, the oldest forgotten first; 0: all.
    implied
        Whether those are kept, too, that others imply.
    """

    def __init__(self, *, most: int, implied: bool) -> None:
        self._most, self._implied = most, implied
        self._kept: dict[int, dict[Reason, None]] = {}
        self._ages: deque[tuple[int, Reason]] = deque()

    def keep(self, place: int, reason: Reason) -> bool:
        """Keep a reason against the value at a place; False where one that is kept implies it."""
        kept = self._kept.setdefault(place, {})
        if not self._implied:
            if any(set(other) <= set(reason) for other in kept):
                return False
            for longer in [other for other in kept if set(reason) <= set(other)]:
                del kept[longer]
        kept[reason] = None
        if self._most:
            self._ages.append((place, reason))
            while len(self._ages) > self._most:
                oldest, gone = self._ages.popleft()
                self._kept[oldest].pop(gone, None)
        return True

    def against(self, place: int) -> Iterable[Reason]:
        """Return the reasons against the value at a place."""
        return self._kept.get(place, ())

    def __len__(self) -> int:
        return sum(map(len, self._kept.values()))
