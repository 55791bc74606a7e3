"""Lane: a thread in which a subject is called, so that one that hangs can be left behind."""

import ctypes
import sys
import traceback
from collections import Counter
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread, get_ident
from typing import Any, ClassVar

from mensura.errors import SubjectTimedOut

LONGEST_WORDS = 2000
LOOKS = 4
"""How often a guard looks within one limit: a subject is stopped after 1 to 1 + 1/LOOKS limits."""


class Hung(BaseException):
    """Raised inside the subject; no `except Exception` of its own may swallow it."""


class OwnLimits:
    """Entered by subjects that watch their own time, so that no guard stops them while they wait for others."""

    _depth: ClassVar[Counter[int]] = Counter()

    def __enter__(self) -> None:
        self._depth[get_ident()] += 1

    def __exit__(self, *error: object) -> None:
        here = get_ident()
        self._depth[here] -= 1
        if not self._depth[here]:
            # Threads come and go.
            del self._depth[here]

    @classmethod
    def within(cls, thread: int | None) -> bool:
        """Return whether a thread is inside."""
        return bool(cls._depth.get(thread or 0))


class Lane:
    """Calls functions one after the other in a separate thread, each with a time limit.

    Only the main thread can be stopped by a signal; elsewhere a call that takes too long is left behind in its lane,
    told to stop when it next comes back to the interpreter, and the next call begins a new lane.

    Examples
    --------
    >>> Lane(60.0)(max, 1, 2)
    2
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._thread: Thread | None = None
        self._calls: SimpleQueue[Any] = SimpleQueue()
        self._results: SimpleQueue[Any] = SimpleQueue()

    def __call__(self, function: Callable[..., Any], *arguments: Any) -> Any:
        thread = self._thread or self._begin()
        self._calls.put((function, arguments))
        quiet = 0
        while True:
            try:
                error, result = self._results.get(timeout=self.seconds / LOOKS)
            except Empty:
                quiet = 0 if OwnLimits.within(thread.ident) else quiet + 1
                if quiet > LOOKS:
                    raise self._leave(thread) from None
            else:
                if error is not None:
                    raise error
                return result

    def close(self) -> None:
        """Let the thread end when it is done."""
        if self._thread is not None:
            self._calls.put(None)
            self._thread = None

    def _begin(self) -> Thread:
        self._calls, self._results = SimpleQueue(), SimpleQueue()
        self._thread = Thread(target=_work, args=(self._calls, self._results), name="mensura-lane", daemon=True)
        self._thread.start()
        return self._thread

    def _leave(self, thread: Thread) -> SubjectTimedOut:
        frame = sys._current_frames().get(thread.ident or 0)
        words = "".join(traceback.format_stack(frame)) if frame is not None else ""
        self.close()
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Hung))
        return SubjectTimedOut(f"No answer came within {self.seconds:g} s.", last_words=words[-LONGEST_WORDS:])


def _work(calls: SimpleQueue[Any], results: SimpleQueue[Any]) -> None:
    while (call := calls.get()) is not None:
        function, arguments = call
        try:
            results.put((None, function(*arguments)))
        except BaseException as error:
            results.put((error, None))
            if isinstance(error, Hung):
                return
