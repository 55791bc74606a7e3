"""Records: what of Mensura's lies in a folder and holds truths, under whatever name."""

import os
import sqlite3
import stat
import zipfile
from collections import deque
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

MOST_LOOKED_AT = 50_000
SUFFIXES = ("-wal", "-shm", "-journal")
"""Files that SQLite keeps beside a database, with what was written last."""
TABLES = ("answers", "contents", "details", "events", "results", "truths")
FORMATS = (".parquet", ".csv", ".jsonl")


@dataclass
class Search:
    """What was found in a folder: `hidden` holds truths or leads to them, `unsearched` was too much to look through."""

    hidden: set[Path] = field(default_factory=set)
    unsearched: set[Path] = field(default_factory=set)


def search_records(folder: Path, *, known: Collection[Path] = (), leave: Collection[Path] = ()) -> Search:
    """Look through a folder, the nearest first, for stores, archives, exports and sockets.

    Parameters
    ----------
    known
        Files to be hidden; they are found by another name too, as hard links.
    leave
        Folders that are not looked through, such as Python's own.
    """
    found = Search()
    twins = set(_identities(known))
    left = set(map(str, leave))
    waiting, looked_at = deque([folder]), 0
    while waiting:
        place = waiting.popleft()
        try:
            entries = list(os.scandir(place))
        except OSError:
            continue
        looked_at += len(entries)
        if looked_at > MOST_LOOKED_AT and place != folder:
            found.unsearched |= {place, *waiting}
            break
        names = {entry.name for entry in entries}
        if any(f"truths{ending}" in names for ending in FORMATS):
            tables = {place / f"{table}{ending}" for table in TABLES for ending in FORMATS}
            found.hidden |= tables if place == folder else {place}
        for entry in entries:
            if entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.path not in left:
                    waiting.append(Path(entry.path))
            elif _is_secret(entry, twins):
                found.hidden |= {Path(entry.path), *beside(Path(entry.path))}
    return found


def beside(path: Path) -> Iterator[Path]:
    """Name the files that SQLite keeps beside a database."""
    return (path.with_name(path.name + suffix) for suffix in SUFFIXES)


def _identities(paths: Collection[Path]) -> Iterator[tuple[int, int]]:
    for path in paths:
        try:
            found = path.stat()
        except OSError:
            continue
        if stat.S_ISREG(found.st_mode):
            yield found.st_dev, found.st_ino


def _is_secret(entry: "os.DirEntry[str]", twins: set[tuple[int, int]]) -> bool:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    # Through a socket one talks to whoever listens outside.
    if not stat.S_ISREG(found.st_mode) or (found.st_dev, found.st_ino) in twins:
        return True
    return found.st_size > 0 and _holds_truths(entry.path, found.st_ino, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=100_000)
def _holds_truths(path: str, number: int, size: int, changed: int) -> bool:
    """Look into a file once for as long as it stays as it is."""
    try:
        with open(path, "rb") as file:
            start = file.read(16)
    except OSError:
        return False
    if start == b"SQLite format 3\0":
        return _is_store(path)
    return start.startswith(b"PK\x03\x04") and _is_archive(path)


def _is_store(path: str) -> bool:
    try:
        with closing(sqlite3.connect(f"file:{quote(path)}?mode=ro", uri=True, timeout=0.2)) as connection:
            return bool(connection.execute("SELECT 1 FROM meta WHERE value = 'mensura'").fetchall())
    except sqlite3.OperationalError as error:
        # Whatever cannot be looked into now may be one.
        return "no such" not in str(error)
    except sqlite3.DatabaseError:
        return False


def _is_archive(path: str) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (OSError, zipfile.BadZipFile, ValueError):
        return False
    return "manifest.json" in names and any(Path(name).name.startswith("truths.") for name in names)
