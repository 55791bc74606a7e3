"""Interruption: what is said when the person stops a run with Ctrl-C."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mensura.console import next_step, say
from mensura.errors import Interrupted


@contextmanager
def interruptible(run: str = "last", *, as_json: bool = False) -> Iterator[None]:
    """Turn Ctrl-C into the scores so far and a sentence: every answer is stored already, so nothing is lost."""
    try:
        yield
    except KeyboardInterrupt as stopped:
        say("\nInterrupted. Everything answered so far is stored.")
        if isinstance(stopped, Interrupted) and stopped.result.scores:
            from mensura.cli.printing import print_result

            print_result(stopped.result, as_json=as_json)
        next_step(f"mensura resume {run}")
        sys.exit(1)
