"""Faults: database errors with clear messages."""

import sqlite3
from contextlib import suppress
from pathlib import Path
from shutil import disk_usage

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from mensura.errors import Conflict, StoreError

FULL = (
    "The disk is full: there is no space left for the store {place}. What it holds is safe. Free some space, and "
    "resume a run that was stopped with `mensura resume last`; or name a store on another disk with --store."
)
SQLITE_MEANINGS = (
    (
        ("locked", "busy"),
        "The store {place} is busy: another program holds it. Try again when that program has finished.",
    ),
    (
        ("full",),
        FULL,
    ),
    (
        ("readonly",),
        "The store {place} can only be read. Copy it to where you may write, or name another with --store.",
    ),
    (
        ("malformed", "not a database", "no such table", "no such column"),
        "The store {place} is damaged ({detail}). Restore it from a copy or an export.",
    ),
    (
        ("unable to open", "i/o error"),
        "The store {place} cannot be reached ({detail}). Is its folder there, and may you write to it?",
    ),
)
POSTGRES_MEANINGS = {
    "53100": FULL,
    "53200": "The server of the store {place} is out of memory. Try again later.",
    "53300": "The server of the store {place} has too many connections. Try again later.",
    "25006": "The store {place} can only be read. Ask for the right to write, or name another with --store.",
    "42501": "The store {place} refuses this user ({detail}). Ask for the right, or name another with --store.",
    "55P03": "The store {place} is busy: another program holds it. Try again when that program has finished.",
    "57014": "The store {place} is busy: another program holds it. Try again when that program has finished.",
    "40P01": "The store {place} is busy: two programs waited for one another. Try again.",
    "42P01": "The store {place} is damaged ({detail}). Restore it from a copy or an export.",
    "42703": "The store {place} is damaged ({detail}). Restore it from a copy or an export.",
    "XX001": "The store {place} is damaged ({detail}). Restore it from a copy or an export.",
    "XX002": "The store {place} is damaged ({detail}). Restore it from a copy or an export.",
}


def fault(error: Exception, *, place: str) -> StoreError:
    """Make the error that says what a database error means; the transaction was rolled back."""
    cause: BaseException = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
    detail = _first_line(cause)
    if _is_double(cause):
        return Conflict(f"Another writer was first ({detail}); nothing was changed.")
    sentence = _meaning(cause, error, place)
    if sentence is None:
        sentence = "The store {place} refused ({detail})."
    return StoreError(sentence.format(place=place, detail=detail) + " Nothing was changed.")


def _is_double(cause: BaseException) -> bool:
    return getattr(cause, "sqlstate", None) == "23505" or str(cause).startswith("UNIQUE")


def _meaning(cause: BaseException, error: Exception, place: str) -> str | None:
    state = getattr(cause, "sqlstate", None)
    if state is not None:
        return POSTGRES_MEANINGS.get(state)
    if isinstance(cause, sqlite3.Error):
        text = str(cause).lower()
        if "i/o error" in text and _is_full(place):
            return FULL
        for words, sentence in SQLITE_MEANINGS:
            if any(word in text for word in words):
                return sentence
        return None
    if isinstance(error, PoolTimeoutError):
        return "The store {place} is busy: this program has too many connections to it. Try again."
    if isinstance(error, DBAPIError):
        return "The server of the store {place} cannot be reached ({detail}). Is it running, and is the URL right?"
    if isinstance(error, UnicodeError | OverflowError):
        return "The store {place} cannot keep a text or number it was given ({detail})."
    return None


def _is_full(place: str) -> bool:
    """Return whether the disk of a store has no room for the files that SQLite keeps beside it."""
    with suppress(OSError):
        return disk_usage(Path(place).parent).free < 2**16
    return False


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].strip().rstrip(".") if lines else type(error).__name__


CAUGHT = (SQLAlchemyError, sqlite3.Error, UnicodeError, OverflowError)
"""Errors that a database can raise."""
