"""Graphs that were made before, kept in the laboratory's database by all that could change them."""

import json
from hashlib import sha256
from importlib.metadata import version
from typing import Protocol

from mensura.catalog.analogy.extraction.find import graph_of
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph, graph_from_json
from mensura.catalog.analogy.graph.statement import GraphSource
from mensura.json_file import loads
from mensura.words.taxonomy import taxonomy

VERSION = version("mensura")


class GraphRows(Protocol):
    """The room of a store in which graphs are kept: `mensura.open_store().graphs`."""

    def find(self, key: str) -> str | None:
        """Return what is kept under a key; None where nothing is."""
        ...

    def keep(self, key: str, body: str) -> None:
        """Keep something under a key."""
        ...


class GraphStore:
    """Makes graphs of texts, and keeps them where it is given a place for them."""

    def __init__(self, kept: GraphRows | None = None) -> None:
        self._kept = kept

    def graph(self, text: str, source: GraphSource, *, rhetoric: str | None = None) -> SkeletonGraph:
        """Return the graph of a text, as it was kept or made now; `rhetoric` as for `graph_of`."""
        if source.version is None or rhetoric or self._kept is None:
            # A classifier may change under its name.
            return graph_of(text, source, rhetoric=rhetoric)
        words = f"{VERSION} {source.name} {source.version} {taxonomy().hash} {rhetoric is None} {text}"
        key = sha256(words.encode()).hexdigest()
        found = self._kept.find(key)
        if found is not None:
            return graph_from_json(loads(found))
        made = graph_of(text, source, rhetoric=rhetoric)
        self._kept.keep(key, json.dumps(made.as_json()))
        return made
