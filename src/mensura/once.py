"""Once: a cache for what is expensive to make. One thread makes it, and the others that want it wait for that one."""

from collections.abc import Callable
from functools import lru_cache, wraps
from threading import RLock
from typing import ParamSpec, TypeVar

Wanted = ParamSpec("Wanted")
Made = TypeVar("Made")


def once(*, most: int) -> Callable[[Callable[Wanted, Made]], Callable[Wanted, Made]]:
    """Keep the last results of a function, each made once even if many threads ask for it at the same moment.

    `lru_cache` alone lets each of them make its own: thirty people who open their links together would have thirty
    worlds built side by side, each thirty times as slow.

    >>> @once(most=8)
    ... def square(number):
    ...     print("multiplying")
    ...     return number * number
    >>> square(3) + square(3)
    multiplying
    18
    """

    def keep(make: Callable[Wanted, Made]) -> Callable[Wanted, Made]:
        kept = lru_cache(maxsize=most)(make)
        making: dict[object, RLock] = {}

        @wraps(make)
        def found(*arguments: Wanted.args, **named: Wanted.kwargs) -> Made:
            # A lock for each thing: who wants one that is there already does not wait while another is made.
            thing = (arguments, tuple(named.items()))
            with making.setdefault(thing, RLock()):
                try:
                    return kept(*arguments, **named)  # type: ignore[arg-type]
                finally:
                    # Names of things may be long; what is forgotten by the cache must not be kept here.
                    making.pop(thing, None)

        return found

    return keep
