"""Interruption: what is said when the person stops a run with Ctrl-C."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from mensura.console import next_step, say


@contextmanager
def interruptible(run: str = "last") -> Iterator[None]:
    """Turn Ctrl-C into a sentence: every answer is stored already, so nothing is lost."""
    try:
        yield
    except KeyboardInterrupt:
        say("\nInterrupted. Everything answered so far is stored.")
        next_step(f"mensura resume {run}")
        sys.exit(1)
