"""At hand: what was expensive to make, kept while its version holds."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class AtHand(Generic[Made]):
    """The last things made, each under a key and with the version that it was made from."""

    def __init__(self, most: int = 64) -> None:
        self.most = most
        self._kept: OrderedDict[Hashable, tuple[Any, Made]] = OrderedDict()
        self._lock = Lock()

    def has(self, key: Hashable, version: Any = None) -> bool:
        """Return whether a thing is at hand and still holds."""
        with self._lock:
            return key in self._kept and self._kept[key][0] == version

    def get(self, key: Hashable, make: Callable[[], Made], version: Any = None) -> Made:
        """Return the thing that still holds, or make it.

        >>> kept = AtHand()
        >>> kept.get("a", lambda: "first", 1), kept.get("a", lambda: "second", 1), kept.get("a", lambda: "third", 2)
        ('first', 'first', 'third')
        """
        with self._lock:
            known = self._kept.get(key)
        if known is not None and known[0] == version:
            return known[1]
        made = make()
        with self._lock:
            self._kept[key] = version, made
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return made
