"""Graphs: what was made of documents, kept by a key of all that could change it."""

from dataclasses import dataclass

from mensura.store.database import Database

FIND = "SELECT body FROM graphs WHERE key = ?"
KEEP = "INSERT INTO graphs (key, body) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING key"


@dataclass(eq=False, repr=False)
class Graphs:
    """The graphs in a store; the first that is kept under a key stands."""

    database: Database

    def find(self, key: str) -> str | None:
        """Return what is kept under a key; None where nothing is.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from mensura.store import open_store
        >>> with TemporaryDirectory() as folder, open_store(f"{folder}/mensura.db") as store:
        ...     store.graphs.keep("a", "{}")
        ...     store.graphs.find("a"), store.graphs.find("b")
        ('{}', None)
        """
        rows = self.database.glance(FIND, (key,))
        return str(rows[0][0]) if rows else None

    def keep(self, key: str, body: str) -> None:
        """Keep something under a key; a store that may only be read keeps nothing."""
        if not self.database.read_only:
            self.database.jot(KEEP, (key, body))
