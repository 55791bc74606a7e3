"""Graphs that were made before, kept in a database by all that could change them."""

import json
import os
import sqlite3
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from mensura.catalog.analogy.extraction.find import graph_of
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph, graph_from_json
from mensura.catalog.analogy.graph.statement import GraphSource
from mensura.words.taxonomy import taxonomy

TABLE = "CREATE TABLE IF NOT EXISTS graphs (key TEXT PRIMARY KEY, graph TEXT NOT NULL)"
RULES = 2
"""Raised whenever an extractor would make another graph of the same text."""


class GraphStore:
    """A database of graphs; where it cannot be used every graph is made anew."""

    def __init__(self, path: Path | None = None) -> None:
        base = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "mensura"
        self._file: sqlite3.Connection | None = None
        with suppress(OSError, sqlite3.Error):
            (path or base / "graphs.db").parent.mkdir(parents=True, exist_ok=True)
            self._file = sqlite3.connect(path or base / "graphs.db", timeout=30, isolation_level=None)
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute(TABLE)

    def graph(self, text: str, source: GraphSource) -> SkeletonGraph:
        """Return the graph of a text, as it was kept or made now."""
        if source.name.startswith("triples:") or self._file is None:
            # A file of triples may change under its name.
            return graph_of(text, source)
        words = f"{version('mensura')} {RULES} {source.name} {taxonomy().hash} {text}"
        key = sha256(words.encode()).hexdigest()
        with suppress(sqlite3.Error, ValueError, KeyError):
            row = self._file.execute("SELECT graph FROM graphs WHERE key = ?", (key,)).fetchone()
            if row:
                return graph_from_json(json.loads(row[0]))
        made = graph_of(text, source)
        with suppress(sqlite3.Error):
            self._file.execute("INSERT OR IGNORE INTO graphs VALUES (?, ?)", (key, json.dumps(made.as_json())))
        return made

    def close(self) -> None:
        """Close the database."""
        if self._file is not None:
            self._file.close()
