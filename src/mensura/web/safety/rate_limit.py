"""RateLimit: how often someone may ask, kept in memory."""

import time
from collections import OrderedDict
from threading import Lock


class RateLimit:
    """So many requests a second for each key; what was not used is saved up, to a limit.

    >>> limit = RateLimit(rate=1.0, saved=2.0)
    >>> [limit.wait("ann", now=0.0) for _ in range(3)], limit.wait("bob", now=0.0)
    ([0.0, 0.0, 1.0], 0.0)
    """

    def __init__(self, rate: float, *, saved: float, most_keys: int = 20_000) -> None:
        self.rate = rate
        self.saved = saved
        self.most_keys = most_keys
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, key: str, *, cost: float = 1.0, now: float | None = None) -> float:
        """Use some of what a key may do; returns the seconds to wait where it is used up, else 0."""
        moment = time.monotonic() if now is None else now
        with self._lock:
            left, then = self._left.get(key, (self.saved, moment))
            left = min(self.saved, left + (moment - then) * self.rate)
            short = cost - left
            self._left[key] = (left if short > 0 else left - cost, moment)
            self._left.move_to_end(key)
            if len(self._left) > self.most_keys:
                self._left.popitem(last=False)
        return max(short, 0.0) / self.rate
