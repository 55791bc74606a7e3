"""Private files: what holds answers, seeds or names is for its owner only; and the folder of the user's caches."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """Return where models' answers, word lists and kernels are cached; `XDG_CACHE_HOME` moves it."""
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "mensura"


def make_private(path: Path) -> Path:
    """Make an empty file that only its owner can read, or empty and close the one that is there."""
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    path.chmod(0o600)
    return path


def close_to_others(path: Path) -> bool:
    """Keep strangers on this machine from a file, and a group that may only read it; return whether they had access.

    A group that may write was let in on purpose, and stays.
    """
    mode = path.stat().st_mode
    wanted = mode & ~0o007 if mode & 0o020 else mode & ~0o077
    if mode != wanted:
        path.chmod(wanted)
    return mode != wanted
