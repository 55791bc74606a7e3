"""Recording: the events of served sessions as lines of a file, written before anything is acknowledged."""

import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from mensura.dialogue import Event
from mensura.errors import BadFile
from mensura.json_file import loads


class EventFile:
    """A file of events; what is written is with the system at once, and on the disk when `settle` is called."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO = path.open("ab")
        self._settled = True

    def begin(self, head: dict[str, Any]) -> None:
        """Write what a session is of: test, parameters, seed and number."""
        self._write([{"session": head}])

    def write(self, events: Iterable[Event]) -> None:
        """Write events; a process that is killed afterwards has lost none of them."""
        self._write([{name: value for name, value in asdict(event).items() if value is not None} for event in events])

    def _write(self, lines: list[dict[str, Any]]) -> None:
        if lines:
            self._file.write(b"".join(json.dumps(line, default=list).encode() + b"\n" for line in lines))
            self._file.flush()
            self._settled = False

    def settle(self) -> None:
        """Bring what was written to the disk."""
        if not self._settled and not self._file.closed:
            # Before the disk is waited for: what is written meanwhile is for the next time.
            self._settled = True
            os.fdatasync(self._file.fileno())

    def close(self) -> None:
        """Settle and close."""
        self.settle()
        self._file.close()


def read_events(path: Path) -> list[tuple[dict[str, Any], list[Event]]]:
    """Return the sessions of a file, each with its head and events; a line that a kill cut off is left out."""
    found: list[tuple[dict[str, Any], list[Event]]] = []
    data = path.read_bytes()
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line:
            continue
        try:
            one = loads(line)
        except ValueError:
            if number >= data.count(b"\n") + 1:
                break
            raise BadFile(f"Line {number} of {path} is not an event.") from None
        if "session" in one:
            found.append((one["session"], []))
        elif found:
            found[-1][1].append(Event(**one))
    return found


def trim(path: Path) -> None:
    """Cut off a last line that was not written whole."""
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)
