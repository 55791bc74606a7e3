"""Interruption: what is said when a run is stopped, by Ctrl-C or by a signal."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mensura.console import next_step, say
from mensura.errors import Interrupted


@contextmanager
def interruptible(again: Callable[[], str] = lambda: "mensura resume last", *, as_json: bool = False) -> Iterator[None]:
    """Turn Ctrl-C, SIGTERM and SIGHUP into the scores so far and a sentence: every answer is stored already.

    `again` returns how to continue. The exit status is 1 after Ctrl-C and 128 and the number of the signal otherwise.
    """
    received: list[int] = []
    try:
        with _stopped_by_signals(received):
            yield
    except KeyboardInterrupt as stopped:
        by = f" by {signal.Signals(received[0]).name}" if received else ""
        say(f"\nInterrupted{by}. Everything answered so far is stored.")
        if isinstance(stopped, Interrupted) and stopped.result.scores:
            from mensura.cli.printing import print_result

            print_result(stopped.result, as_json=as_json)
        next_step(again())
        sys.exit(128 + received[0] if received else 1)


@contextmanager
def _stopped_by_signals(received: list[int]) -> Iterator[None]:
    """Raise KeyboardInterrupt inside on SIGTERM and SIGHUP, and note which came; one that is ignored stays ignored."""
    ours = os.getpid()

    def stop(number: int, frame: object) -> None:
        if os.getpid() != ours:
            # A worker that was forked here ends as it would without us.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        received.append(number)
        raise KeyboardInterrupt

    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
