"""Interruption: what is said when the person stops a run with Ctrl-C."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mensura.console import next_step, say
from mensura.errors import Interrupted


@contextmanager
def interruptible(again: Callable[[], str] = lambda: "mensura resume last", *, as_json: bool = False) -> Iterator[None]:
    """Turn Ctrl-C into the scores so far and a sentence: every answer is stored already, so nothing is lost.

    `again` returns how to continue.
    """
    try:
        yield
    except KeyboardInterrupt as stopped:
        say("\nInterrupted. Everything answered so far is stored.")
        if isinstance(stopped, Interrupted) and stopped.result.scores:
            from mensura.cli.printing import print_result

            print_result(stopped.result, as_json=as_json)
        next_step(again())
        sys.exit(1)
