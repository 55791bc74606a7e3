"""Heap: what was freed goes back to the system; the C library would keep it for as long as a run takes."""

import ctypes
import gc
import sys
from contextlib import suppress


def give_back() -> None:
    """Hand freed memory back, where the C library has a function for that (glibc); elsewhere nothing happens."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def sweep() -> None:
    """Free what was made not long ago and holds on to itself, without looking at all that lives.

    The command line lets Python look for such things seldom: rows that were written by the thousand would pile up.
    """
    gc.collect(1)
