"""A glance at a store: what a key press asks of it, without the libraries that opening it takes."""

import sqlite3
from contextlib import closing

from mensura.store.place import find_place


def newest_runs(store: str | None, *, most: int) -> list[tuple[str, str]]:
    """Return id and test of the newest runs of an SQLite store, the newest first; nothing of any other."""
    path = find_place(store).path
    if path is None or not path.exists():
        return []
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=0.2)) as file:
        asked = "SELECT id, test FROM runs ORDER BY created DESC, number DESC LIMIT ?"
        return [(str(id), str(test)) for id, test in file.execute(asked, (most,))]
