"""Where installed files of words are looked for, and where what was read of them is kept."""

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from mensura.private_file import cache_folder

NODE = ("node_modules", "~/node_modules", "/usr/local/lib/node_modules", "/usr/lib/node_modules")
"""Folders of packages of npm: of this folder, of the user, and of the machine."""
Arrays = dict[str, Any]


def find_file(variable: str, places: tuple[str, ...], name: str) -> Path | None:
    """Find a file in the folder that an environment variable names, else in the first place that has it."""
    given = os.environ.get(variable)
    for place in (given,) if given else places:
        file = Path(place).expanduser() / name
        if file.is_file():
            return file
    return None


def kept(file: Path, name: str, read: Callable[[Path], Arrays]) -> Arrays:
    """Return what was read of a file, from the user's cache folder where it was read before.

    A file that has changed, by its place, size or time, is read anew. Where the folder cannot be written to, nothing
    is kept.
    """
    known = file.stat()
    key = blake2b(f"{file.resolve()} {known.st_size} {known.st_mtime_ns}".encode(), digest_size=8).hexdigest()
    base = cache_folder()
    cached = base / f"{name}-{key}.npz"
    if cached.is_file():
        # A file that a full disk or a power cut has broken is made anew.
        with suppress(Exception), np.load(cached, allow_pickle=False) as arrays:  # noqa: TID251
            return dict(arrays)
    made = read(file)
    # Written beside and moved, so that no other process meets half a file.
    beside = base / f"{cached.stem}.{os.getpid()}.npz"
    with suppress(OSError):
        base.mkdir(parents=True, exist_ok=True)
        try:
            np.savez(beside, **made)
            beside.replace(cached)
        finally:
            beside.unlink(missing_ok=True)
    return made
