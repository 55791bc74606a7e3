"""Waits that end: for a condition, and for a program that is told to end."""

import subprocess
import time
from collections.abc import Callable
from typing import Any

PATIENCE_SECONDS = 120.0
"""Far longer than anything takes that works, since a busy machine is no fault."""


def until(condition: Callable[[], Any], *, seconds: float = PATIENCE_SECONDS, pause: float = 0.02) -> Any:
    """Return what a condition gives as soon as that is true; fail when the time is over."""
    last = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < last, f"it did not happen within {seconds:g} s"
        time.sleep(pause)
    return found


def end(program: subprocess.Popen[Any], *, seconds: float = PATIENCE_SECONDS) -> int:
    """Tell a program to end, kill it when it does not, and return its exit status."""
    program.terminate()
    try:
        return program.wait(seconds)
    except subprocess.TimeoutExpired:
        program.kill()
        return program.wait()
