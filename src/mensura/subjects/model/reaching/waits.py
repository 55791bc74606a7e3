"""Waits: what this process waits for at this moment, for those who show it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(eq=False)
class Awaited:
    """Something that is waited for.

    Parameters
    ----------
    name
        What is waited for, such as a model.
    place
        Where it is; "" where it is not known.
    since
        When the waiting began.
    fault
        Why it is asked again; "" while the first answer is waited for.
    until
        When it is asked again; None while an answer is waited for.
    """

    name: str
    place: str = ""
    since: float = field(default_factory=time.monotonic)
    fault: str = ""
    until: float | None = None

    def pause(self, fault: str, seconds: float) -> None:
        """Note that it failed, and is asked again after `seconds`."""
        self.fault, self.until = fault, time.monotonic() + seconds

    def ask(self) -> None:
        """Note that it is asked now."""
        self.until = None

    @property
    def seconds(self) -> float:
        """How long it has been waited for."""
        return time.monotonic() - self.since

    def __str__(self) -> str:
        # Numbers first: terminals cut the line off at its end.
        why = f": {self.fault}" if self.fault else ""
        if self.until is None:
            return f"Waiting {self.seconds:.0f} s for {self.name}{f' at {self.place}' if self.place else ''}{why}"
        left = max(0.0, self.until - time.monotonic())
        return f"Asking {self.name} again in {left:.0f} s, after {self.seconds:.0f} s{why}"


_waits: dict[int, Awaited] = {}


@contextmanager
def waiting(name: str, place: str = "") -> Iterator[Awaited]:
    """Note that something is waited for, as long as it is."""
    wait = Awaited(name, place)
    _waits[id(wait)] = wait
    try:
        yield wait
    finally:
        del _waits[id(wait)]


def longest_wait() -> tuple[Awaited | None, int]:
    """Return what has been waited for longest, what failed before all else, and how many things are waited for.

    >>> with waiting("a model") as wait:
    ...     longest_wait() == (wait, 1)
    True
    """
    # A copy: other threads begin and end waits meanwhile.
    found = list(_waits.copy().values())
    return min(found, key=lambda wait: (not wait.fault, wait.since), default=None), len(found)
