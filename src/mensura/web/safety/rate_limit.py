"""RateLimit: how often someone may ask; kept in memory, and by the store where several processes serve."""

import time
from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mensura.store.people.shared_limits import SharedLimits

SHARE_SECONDS = 0.25
"""How often one key is reckoned up with the other processes at most."""


@dataclass
class _Key:
    """The remaining requests of a key, the time of that count, and the requests since the last exchange."""

    left: float
    then: float
    unshared: float = 0.0
    shared: float = float("-inf")


class RateLimit:
    """A number of requests a second for each key; unused ones are saved up, to a limit.

    Given the shared limits of a store, processes count together: a key that has used up more than the part `alone` of
    what it saved is reckoned up with the others, a few times a second at most. Those who stay below cost no write.

    >>> limit = RateLimit(rate=1.0, saved=2.0)
    >>> [limit.wait("ann", now=0.0) for _ in range(3)], limit.wait("bob", now=0.0)
    ([0.0, 0.0, 1.0], 0.0)
    """

    def __init__(
        self,
        rate: float,
        *,
        saved: float,
        most_keys: int = 20_000,
        name: str = "",
        together: "SharedLimits | None" = None,
        alone: float = 0.5,
    ) -> None:
        self.rate = rate
        self.saved = saved
        self.most_keys = most_keys
        self.name = name
        self.together = together
        self.alone = alone
        self._keys: OrderedDict[str, _Key] = OrderedDict()
        self._lock = Lock()

    def wait(self, key: str, *, cost: float = 1.0, now: float | None = None) -> float:
        """Use some of what a key may do; returns the seconds to wait where it is used up, else 0."""
        moment = time.monotonic() if now is None else now
        with self._lock:
            one = self._keys.setdefault(key, _Key(self.saved, moment))
            one.left = min(self.saved, one.left + (moment - one.then) * self.rate)
            short, one.then = cost - one.left, moment
            if short <= 0:
                one.left -= cost
                one.unshared += cost
            self._keys.move_to_end(key)
            if len(self._keys) > self.most_keys:
                self._keys.popitem(last=False)
            due = self._is_due(one, moment)
            used = one.unshared
            if due:
                one.shared, one.unshared = moment, 0.0
        if due and self.together is not None:
            left = self.together.use(f"{self.name} {key}", used, rate=self.rate, saved=self.saved)
            with self._lock:
                one.left = min(one.left, left)
            if left < 0 and short <= 0:
                # Others have used it up; what was just asked for is refused, and counted.
                return -left / self.rate
        return max(short, 0.0) / self.rate

    def _is_due(self, one: _Key, moment: float) -> bool:
        """Return whether a key is to be reckoned up with the other processes now."""
        if self.together is None or not one.unshared:
            return False
        return one.left <= self.saved * (1 - self.alone) and (self.alone == 0 or moment - one.shared >= SHARE_SECONDS)
