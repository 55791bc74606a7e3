"""Guard: stops a subject that hangs inside this process, and gives its failures one shape.

The guard costs next to nothing per answer: one timer runs for a whole session and looks a few times per limit whether
answers still come. In other threads, which no signal reaches, each call goes through a separate lane. Its reach ends
where Python's does: it cannot stop code that never comes back to the interpreter (a loop in a C extension). Subjects
given by file run in their own process, where such things are stopped too.
"""

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from threading import current_thread, get_ident, main_thread
from types import FrameType
from typing import Any

from mensura.errors import SubjectCrashed, SubjectFailed, SubjectLost, SubjectTimedOut
from mensura.subjects.lane import LONGEST_WORDS, LOOKS, Hung, Lane, OwnLimits

OURS = ("mensura.dialogue.session", "mensura.store")
"""Where time belongs to the test or to the store and not to the subject."""


class Guard:
    """The guard that `guarded` gives; call `tick` before every ask, or call the subject by `call`."""

    def __init__(self, seconds: float | None, lane: Lane | None = None) -> None:
        self.seconds = seconds
        self.lane = lane
        """Where calls are made that no signal can stop."""
        # A counter made in C: handing out the next number is all that a tick costs.
        self.tick: Callable[[], int] = count().__next__
        self._last = -1
        self._quiet = 0

    @classmethod
    def apart(cls, seconds: float | None) -> "Guard":
        """Make a guard for threads other than the main one; its lane must be closed."""
        return cls(seconds, None if seconds is None else Lane(seconds))

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the subject's."""
        self.tick()
        return function(*arguments) if self.lane is None else self.lane(function, *arguments)

    def close(self) -> None:
        """Let the lane go."""
        if self.lane is not None:
            self.lane.close()

    def rest(self) -> None:
        """Stop nothing any more: a look may still come before the timer is off."""
        self._quiet = -1_000_000

    def look(self, number: int, frame: FrameType | None) -> None:
        """Count how often nothing had been ticked since the last look; stop the subject after a whole limit."""
        now = self.tick()
        quiet = now == self._last + 1 and not OwnLimits.within(get_ident()) and not _elsewhere(frame)
        self._last = now
        self._quiet = self._quiet + 1 if quiet else min(self._quiet, 0)
        if self._quiet > LOOKS:
            raise Hung


@contextmanager
def guarded(seconds: float | None) -> Iterator[Guard]:
    """Stop whatever runs inside when no `tick` comes for `seconds`, with `SubjectTimedOut`.

    Outside the main thread only what goes through `Guard.call` is watched; with None, nothing is.

    Examples
    --------
    >>> with guarded(60.0) as guard:
    ...     for question in range(3):
    ...         _ = guard.tick()
    """
    if seconds is None or not hasattr(signal, "setitimer") or current_thread() is not main_thread():
        guard = Guard.apart(seconds)
        try:
            yield guard
        finally:
            guard.close()
        return
    guard = Guard(seconds)
    previous = signal.signal(signal.SIGALRM, guard.look)
    signal.setitimer(signal.ITIMER_REAL, seconds / LOOKS, seconds / LOOKS)
    try:
        yield guard
    except Hung as hung:
        # Writing the traceback may take longer than a look, and must not be stopped itself.
        guard.rest()
        raise SubjectTimedOut(f"No answer came within {seconds:g} s.", last_words=last_words(hung)) from None
    finally:
        guard.rest()
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def failure(error: BaseException, *, doing: str = "answering") -> SubjectFailed:
    """Turn what a subject raised into the failure that the record keeps, with the end of its traceback.

    >>> str(failure(ZeroDivisionError("division by zero")))
    'The subject raised ZeroDivisionError while answering: division by zero'
    """
    if isinstance(error, SubjectFailed) and not (isinstance(error, SubjectLost) and _raised_outside(error)):
        return error
    words = f"The subject raised {type(error).__name__} while {doing}: {error}"
    return SubjectCrashed(words, last_words=last_words(error))


def last_words(error: BaseException) -> str:
    """Keep the end of a traceback."""
    return "".join(traceback.format_exception(error))[-LONGEST_WORDS:]


def _raised_outside(error: BaseException) -> bool:
    """Return whether a subject's own code raised this: only ours may say that a subject was lost."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and not str(trace.tb_frame.f_globals.get("__name__", "")).startswith("mensura.")


def _elsewhere(frame: FrameType | None) -> bool:
    while frame is not None:
        name: Any = frame.f_globals.get("__name__", "")
        if isinstance(name, str) and name.startswith(OURS):
            return True
        frame = frame.f_back
    return False
