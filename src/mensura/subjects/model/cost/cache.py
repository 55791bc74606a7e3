"""Cache: answers of models that were paid for before, kept by everything that could change them."""

import json
import logging
import os
import sqlite3
import time
from dataclasses import asdict, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from mensura.dialogue.canonical import canonical
from mensura.errors import StoreError, SubjectLost
from mensura.json_file import loads
from mensura.private_file import cache_folder, close_to_others
from mensura.subjects.model.request import Completion, FunctionCall, ModelRequest

FILE = "answers.db"
TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, completion TEXT NOT NULL, time REAL NOT NULL)"
PATIENCE = 30.0
"""Seconds that one process waits for another that writes."""
log = logging.getLogger("mensura.subjects")


def default_folder() -> str:
    """Return where the cache is kept: in the user's own folder for such things."""
    return str(cache_folder())


def answer_key(request: ModelRequest, *, asked: tuple[object, ...], epoch: int = 0) -> str:
    """Hash all that could change an answer: who is asked where, everything that is sent, and which time it is asked.

    The key to a provider is not part of it. The form by which an answer is forced is none either: it follows from the
    server, and is kept with the answer.
    """
    sent = {**asdict(request), "asked": asked, "epoch": epoch}
    if not request.again:
        # As it was named before several copies of a model had answers of their own.
        del sent["again"]
    return sha256(canonical(sent).encode()).hexdigest()


class AnswerCache:
    """A file of answers, which only its owner can read; several processes may use it at once.

    The first answer to a request is kept: asking again gives that one, which is not a new observation.
    """

    def __init__(self, folder: str) -> None:
        self.path = Path(folder).expanduser() / FILE
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
            close_to_others(self.path)
            self._file = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")
            self._file.execute(TABLE)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"The cache {self.path} cannot be used: {error}. Remove it, or name another folder with --cache."
            ) from None

    def find(self, key: str) -> Completion | None:
        """Return the answer kept under a key; None where there is none."""
        try:
            row = self._file.execute("SELECT completion FROM answers WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            raise SubjectLost(f"The cache {self.path} cannot be read: {error}. Nothing was asked.") from None
        return None if row is None else _read(row[0])

    def keep(self, key: str, completion: Completion) -> None:
        """Keep an answer; one that cannot be kept is only missing here, since every run stores its own."""
        try:
            written = json.dumps(asdict(completion), allow_nan=False)
            self._file.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?)", (key, written, time.time()))
        except (sqlite3.Error, ValueError, TypeError) as error:
            log.warning("An answer was not kept in the cache %s: %s", self.path, error)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def open_cache(folder: str) -> AnswerCache:
    """Return the cache in a folder, opened once in each process."""
    return _opened(os.getpid(), str(Path(folder).expanduser().absolute()))


@cache
def _opened(process: int, folder: str) -> AnswerCache:
    return AnswerCache(folder)


def _read(written: str) -> Completion | None:
    try:
        parts: dict[str, Any] = loads(written)
        calls = tuple(FunctionCall(**call) for call in parts.pop("calls"))
        own = tuple(parts.pop("own", ()))
        return replace(Completion(**parts), calls=calls, own=own, cached=True, retries=0)
    except (ValueError, TypeError, KeyError):
        # Written by another version: asked again.
        return None
