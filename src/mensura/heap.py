"""Heap: what was freed goes back to the system; the C library would keep it for as long as a run takes."""

import ctypes
import gc
import sys
import time
from contextlib import suppress

_SECONDS = 1.0
"""So often at most: to look for what can be handed back takes the longer the more there is."""
_last = [float("-inf")]


def give_back() -> None:
    """Hand freed memory back, where the C library has a function for that (glibc); elsewhere nothing happens."""
    now = time.monotonic()
    if sys.platform == "linux" and now - _last[0] >= _SECONDS:
        _last[0] = now
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def sweep() -> None:
    """Free what was made not long ago and holds on to itself, without looking at all that lives.

    The command line lets Python look for such things seldom: rows that were written by the thousand would pile up.
    """
    gc.collect(1)
