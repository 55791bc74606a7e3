"""Extractors by name, and the graph that one makes of a text."""

from functools import lru_cache

from mensura.catalog.analogy.graph.building import build_graph
from mensura.catalog.analogy.graph.sentence import sentences
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.graph.statement import GraphSource
from mensura.errors import UnknownName

EXTRACTORS = ("shallow", "udpipe:FILE", "spacy:MODEL", "triples:FILE")


@lru_cache(maxsize=8)
def find_extractor(name: str) -> GraphSource:
    """Return an extractor: shallow, udpipe:FILE, spacy:MODEL or triples:FILE."""
    kind, _, what = name.partition(":")
    if name == "shallow":
        from mensura.catalog.analogy.extraction.shallow.extractor import ShallowExtractor

        return ShallowExtractor()
    raise UnknownName(f"There is no extractor {name!r}; extractors are {', '.join(EXTRACTORS)}.")


def graph_of(text: str, source: GraphSource) -> SkeletonGraph:
    """Return the graph of a text."""
    held = sentences(text)
    return build_graph(source.read(held), held, extractor=source.name)
