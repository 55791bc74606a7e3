"""Records: what of Mensura's lies in a folder and holds truths, under whatever name."""

import hashlib
import os
import re
import sqlite3
import stat
import zipfile
from collections import defaultdict, deque
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from glob import escape
from pathlib import Path
from typing import BinaryIO
from urllib.parse import quote

MOST_LOOKED_AT = 50_000
SUFFIXES = ("-wal", "-shm", "-journal")
"""Files that SQLite keeps beside a database, with what was written last."""
TABLES = ("answers", "contents", "details", "events", "results", "truths")
FORMATS = (".parquet", ".csv", ".jsonl")
TELLING = {
    "answers": {"session", "key", "status", "value", "truth"},
    "details": {"session", "result", "details"},
    "events": {"session", "number", "kind", "role", "key", "tick"},
    "results": {"session", "scoring", "instance_hash", "environment_hash"},
    "runs": {"test", "parameters", "cast", "instance_hash", "seed_public"},
    "sessions": {"run", "course", "phase", "cast", "status"},
    "truths": {"session", "key", "version", "value", "source"},
}
"""Columns by which a table of an export, or of an unpacked archive, is known; none of them is ever left out."""
HISTORIES = frozenset({".git", ".hg", ".svn", ".bzr", ".jj"})
"""Folders that keep, packed, whatever a project once held: also the test, the bank, and what was removed since."""
REPOSITORY = frozenset({"HEAD", "objects", "refs"})
"""The contents of a repository of Git, whatever its folder is called."""
START_BYTES = 512
LONGEST_LINE = 1 << 20
LONGEST_FOOTER = 1 << 16
KEY = re.compile(rb'"(\w+)"\s*:')


@dataclass
class Search:
    """The contents of a folder: `hidden` holds truths or leads to them, `unsearched` was too much to look through."""

    hidden: set[Path] = field(default_factory=set)
    unsearched: set[Path] = field(default_factory=set)


def search_records(folder: Path, *, known: Collection[Path] = (), leave: Collection[Path] = ()) -> Search:
    """Look through a folder, the nearest first, for stores, archives, exports, copies, repositories and sockets.

    Parameters
    ----------
    known
        Files to be hidden, and folders of such; the files are found by another name too, as links and as copies.
    leave
        Folders that are not looked through, such as Python's own.
    """
    found = Search()
    twins = Twins.of(known)
    left = set(map(str, (*leave, *known)))
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
        if names >= REPOSITORY and place != folder:
            found.hidden.add(place)
            continue
        if any(f"truths{ending}" in names for ending in FORMATS):
            tables = {place / f"{table}{ending}" for table in TABLES for ending in FORMATS}
            found.hidden |= tables if place == folder else {place}
            if place != folder:
                continue
        for entry in entries:
            if entry.is_symlink():
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name in HISTORIES:
                    found.hidden.add(Path(entry.path))
                elif entry.path not in left:
                    waiting.append(Path(entry.path))
            elif _is_secret(entry, twins):
                path = Path(entry.path)
                found.hidden |= {path, *beside(path), *compiled(path)}
    return found


def beside(path: Path) -> Iterator[Path]:
    """Name the files that SQLite keeps beside a database."""
    return (path.with_name(path.name + suffix) for suffix in SUFFIXES)


def compiled(path: Path) -> list[Path]:
    """Name what Python keeps of a file beside it, with every constant in it."""
    return list((path.parent / "__pycache__").glob(f"{escape(path.stem)}.*.pyc")) if path.suffix == ".py" else []


@dataclass(frozen=True)
class Twins:
    """Recognises hidden files and copies of them."""

    places: frozenset[tuple[int, int]]
    by_size: Mapping[int, list[Path]]

    @classmethod
    def of(cls, known: Collection[Path]) -> "Twins":
        """Take the files, and those right in the folders."""
        places, by_size = set(), defaultdict(list)
        for path in (file for one in known for file in _files(one)):
            try:
                found = path.stat()
            except OSError:
                continue
            if stat.S_ISREG(found.st_mode):
                places.add((found.st_dev, found.st_ino))
                by_size[found.st_size].append(path)
        return cls(frozenset(places), by_size)

    def include(self, path: str, found: os.stat_result) -> bool:
        """Compare a file with them: by its place, then by its size, and only then by its bytes."""
        if (found.st_dev, found.st_ino) in self.places:
            return True
        alike = self.by_size.get(found.st_size, ()) if found.st_size else ()
        return any(_same_bytes(path, found, one) for one in alike)


def _files(path: Path) -> list[Path]:
    try:
        return list(path.iterdir()) if path.is_dir() else [path]
    except OSError:
        return []


def _same_bytes(path: str, found: os.stat_result, other: Path) -> bool:
    try:
        there = other.stat()
        return _digest(path, found.st_ino, found.st_size, found.st_mtime_ns) == _digest(
            str(other), there.st_ino, there.st_size, there.st_mtime_ns
        )
    except OSError:
        return False


@lru_cache(maxsize=10_000)
def _digest(path: str, number: int, size: int, changed: int) -> bytes:
    """Digest a file once for as long as it stays as it is."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "blake2b").digest()


def _is_secret(entry: "os.DirEntry[str]", twins: Twins) -> bool:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return False
    # Through a socket one talks to programs outside.
    if not stat.S_ISREG(found.st_mode) or twins.include(entry.path, found):
        return True
    return found.st_size > 0 and _holds_truths(entry.path, found.st_ino, found.st_size, found.st_mtime_ns)


@lru_cache(maxsize=100_000)
def _holds_truths(path: str, number: int, size: int, changed: int) -> bool:
    """Look into a file once for as long as it stays as it is."""
    try:
        with open(path, "rb") as file:
            start = file.read(START_BYTES)
            if start.startswith(b"{"):
                file.seek(0)
                return _is_table(set(KEY.findall(file.readline(LONGEST_LINE))))
            if start.startswith(b"PAR1"):
                return _is_table(_names_in_footer(file, size))
    except OSError:
        return False
    if start.startswith(b"SQLite format 3\0"):
        return _is_store(path)
    if start.startswith(b"PK\x03\x04"):
        return _is_archive(path)
    return _is_table({name.strip(b' "') for name in re.split(rb"[,;\t|]", start.partition(b"\n")[0].strip())})


def _is_table(names: set[bytes]) -> bool:
    return any(names >= {name.encode() for name in telling} for telling in TELLING.values())


def _names_in_footer(file: BinaryIO, size: int) -> set[bytes]:
    """Find the telling names at the end of a parquet file, where each follows its length."""
    file.seek(max(0, size - 8))
    footer = int.from_bytes(file.read(4), "little")
    file.seek(max(0, size - 8 - footer))
    # The columns come first in it; of the rest there may be much.
    written = file.read(min(footer, LONGEST_FOOTER))
    telling = {name.encode() for names in TELLING.values() for name in names}
    return {name for name in telling if bytes([len(name)]) + name in written}


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
