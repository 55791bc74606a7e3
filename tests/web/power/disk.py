"""Disk: what a power cut leaves of files, from a record of every write, flush and name, in order (`record.c`)."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from random import Random

HEAD = struct.Struct("<cHHQQ")
SECTOR = 512
"""What a disk writes whole or not at all."""


@dataclass(frozen=True)
class Change:
    """One thing that a disk was told."""

    what: str
    path: str
    other: str
    offset: int
    length: int
    written: bytes


def read_changes(trace: Path) -> Iterator[Change]:
    """Read what `record.c` wrote."""
    text, place = trace.read_bytes(), 0
    while place < len(text):
        what, one, two, offset, length = HEAD.unpack_from(text, place)
        place += HEAD.size
        names = text[place : place + one].decode(), text[place + one : place + one + two].decode()
        place += one + two
        written = text[place : place + length] if what == b"W" else b""
        place += len(written)
        yield Change(what.decode(), *names, offset, length, written)


@dataclass
class Sheet:
    """One file: what is on the disk for sure, and what was changed since its last flush."""

    kept: bytearray = field(default_factory=bytearray)
    loose: list[Change] = field(default_factory=list)

    def flush(self) -> None:
        """Keep all of it."""
        for change in self.loose:
            _apply(self.kept, change)
        self.loose.clear()

    def after(self, rng: Random | None) -> bytes:
        """Return what is left: of what was not flushed nothing, or by chance this sector and not that one."""
        left = bytearray(self.kept)
        for change in self.loose if rng is not None else ():
            if change.what == "T":
                if rng.random() < 0.5:
                    _apply(left, change)
                continue
            for begin in range(0, change.length, SECTOR):
                if rng.random() < 0.5:
                    part = change.written[begin : begin + SECTOR]
                    _apply(left, Change("W", "", "", change.offset + begin, len(part), part))
        return bytes(left)


class Disk:
    """The files of a folder, as a disk is told of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Sheet] = {}
        self.kept: dict[str, Sheet] = {}
        """The names that a flush of their folder made sure of."""

    def tell(self, change: Change) -> None:
        """Carry out one change."""
        path, names = change.path.removesuffix(" (deleted)"), self.names
        if change.what == "S" and path not in names:
            self._keep_names(path)
        elif change.what == "S":
            names[path].flush()
        elif change.what == "M":
            names[path] = Sheet()
        elif change.what == "L":
            names[change.other] = names[path]
        elif change.what == "R":
            names[change.other] = names.pop(path)
        elif change.what == "U":
            names.pop(path, None)
        elif path in names:
            names[path].loose.append(change)

    def cut(self, place: Path, rng: Random | None = None) -> None:
        """Write what a power cut now would leave into a new folder; by chance, if given, more than what is sure."""
        names = self.kept if rng is None or rng.random() < 0.5 else self.names
        for path, sheet in names.items():
            # The index of the log is made anew by the first who opens the store.
            if not path.endswith("-shm"):
                target = place / PurePosixPath(path).relative_to(self.folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(sheet.after(rng))
                target.chmod(0o600)

    def _keep_names(self, folder: str) -> None:
        inside = {path for path in (*self.names, *self.kept) if str(PurePosixPath(path).parent) == folder}
        for path in inside:
            self.kept.pop(path, None)
            if path in self.names:
                self.kept[path] = self.names[path]


def _apply(content: bytearray, change: Change) -> None:
    end = change.length if change.what == "T" else change.offset
    if change.what == "T":
        del content[end:]
    content.extend(bytes(max(0, end - len(content))))
    if change.what == "W":
        content[change.offset : change.offset + len(change.written)] = change.written
