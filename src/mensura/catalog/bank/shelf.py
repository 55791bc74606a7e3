"""Shelf: banks that were read, kept until one of their files changes; a worker finds its test again for every item."""

import os
from collections.abc import Callable, Iterable
from threading import RLock

from mensura.dialogue import Test

MOST = 16
Stamps = tuple[tuple[str, int, int], ...]
_read: dict[tuple[str, str], tuple[Stamps, Test]] = {}
_lock = RLock()
"""Of many sessions that begin at once, one reads the file and the others wait for it."""


def shelved(name: str, read: Callable[[], Test]) -> Test:
    """Return the test of a name, as it was read if nothing has changed since; else read it."""
    key = (os.getcwd(), name)
    with _lock:
        if key in _read:
            stamps, test = _read.pop(key)
            if stamps == _stamps(file for file, *_ in stamps):
                _read[key] = stamps, test
                return test
        test = read()
        while len(_read) >= MOST:
            del _read[next(iter(_read))]
        _read[key] = _stamps(test.bank.origin.files if test.bank else ()), test
    return test


def _stamps(files: Iterable[str]) -> Stamps:
    """Return how files stand; a file that is gone has no size and no time."""
    return tuple(_stamp(file) for file in files)


def _stamp(file: str) -> tuple[str, int, int]:
    try:
        found = os.stat(file)
    except OSError:
        return file, -1, -1
    return file, found.st_size, found.st_mtime_ns
