"""Python's search for unreachable circles, put off while very many small objects are made."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Make objects without looking for garbage among them again and again.

    Reading a hundred thousand cases makes millions of lists and dicts that all stay, and the collector would walk
    through them dozens of times.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
