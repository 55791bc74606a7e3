"""Place: where a store is, read from what the user gave."""

import os
from dataclasses import dataclass
from pathlib import Path

from mensura.errors import StoreError

DEFAULT = "mensura.db"
VARIABLE = "MENSURA_STORE"


@dataclass(frozen=True)
class Place:
    """Where a store is."""

    url: str
    """The address that opens it from any folder and process; may hold a password."""
    path: Path | None
    """The file of an SQLite store; None for PostgreSQL."""
    shown: str
    """The place in messages, without any password."""


def find_place(given: str | Path | None = None) -> Place:
    """Read a path or a URL; None means the environment variable MENSURA_STORE, else `mensura.db` in this folder.

    >>> find_place("postgres://ann:secret@db.example/lab").shown
    'postgresql+psycopg://ann:***@db.example/lab'
    """
    if not isinstance(given, str | Path | None):
        raise StoreError(f"A store is a path, a URL or an open store; got {given!r}.")
    text = str(given if given is not None else os.environ.get(VARIABLE) or DEFAULT)
    if "://" not in text:
        return _file(Path(text))
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as error:
        raise StoreError(
            "The URL of the store cannot be read; expected sqlite:///path or postgresql://user@host/database."
        ) from error
    kind = url.drivername.partition("+")[0]
    if kind == "sqlite":
        if not url.database or url.database == ":memory:" or url.query:
            raise StoreError(f"A store in SQLite is a file: sqlite:///path/to/mensura.db; got {text!r}.")
        return _file(Path(url.database))
    if kind in ("postgres", "postgresql"):
        url = url.set(drivername="postgresql+psycopg")
        return Place(url.render_as_string(hide_password=False), None, url.render_as_string(hide_password=True))
    raise StoreError(
        f"A store is in SQLite or PostgreSQL, not in {kind!r}; give a path, sqlite:///path or "
        "postgresql://user@host/database."
    )


def _file(path: Path) -> Place:
    path = path.expanduser().absolute()
    return Place(f"sqlite:///{path}", path, str(path))
