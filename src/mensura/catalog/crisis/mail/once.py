"""Once: words that are not used twice in one world, so long as there are others."""

from collections.abc import Sequence
from random import Random


class Once:
    """Deals phrases so that none comes twice before all of its pool have come, and subjects that were not used yet.

    >>> once = Once(Random(1))
    >>> sorted(once.deal(("a", "b", "c")) for _ in range(3))
    ['a', 'b', 'c']
    >>> sorted(once.subject(("Lunch", "Food")) for _ in range(2))
    ['Food', 'Lunch']
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._left: dict[Sequence[str], list[str]] = {}
        self._subjects: set[str] = set()

    def deal(self, pool: tuple[str, ...]) -> str:
        """Return a phrase of a pool."""
        left = self._left.setdefault(pool, [])
        if not left:
            left += self._rng.sample(pool, len(pool))
        return left.pop()

    def subject(self, options: Sequence[str]) -> str:
        """Return one of several subjects, if possible one that no message has had."""
        fresh = [one for one in options if one.lower() not in self._subjects]
        chosen = self._rng.choice(fresh or list(options))
        self._subjects.add(chosen.lower())
        return chosen
