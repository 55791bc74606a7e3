"""Extractors by name, and the graph that one makes of a text."""

from functools import lru_cache

from mensura.catalog.analogy.graph.building import build_graph
from mensura.catalog.analogy.graph.sentence import sentences
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.graph.statement import GraphSource
from mensura.errors import UnknownName

EXTRACTORS = ("shallow", "udpipe:FILE", "spacy:MODEL", "triples:FILE")


@lru_cache(maxsize=8)
def find_extractor(name: str, *, texts: int = 1) -> GraphSource:
    """Return an extractor that can read so many texts: shallow, udpipe:FILE, spacy:MODEL or triples:FILE."""
    kind, _, what = name.partition(":")
    if name == "shallow":
        from mensura.catalog.analogy.extraction.shallow.extractor import ShallowExtractor

        return ShallowExtractor()
    if what and kind == "triples":
        from mensura.catalog.analogy.extraction.triples import TripleFile

        return TripleFile(what, texts=texts)
    if what and kind == "udpipe":
        from mensura.catalog.analogy.extraction.udpipe import UdpipeExtractor

        return UdpipeExtractor(what)
    if what and kind == "spacy":
        from mensura.catalog.analogy.extraction.spacy import SpacyExtractor

        return SpacyExtractor(what)
    raise UnknownName(f"There is no extractor {name!r}; extractors are {', '.join(EXTRACTORS)}.")


def graph_of(text: str, source: GraphSource, *, rhetoric: str | None = None) -> SkeletonGraph:
    """Return the graph of a text; `rhetoric` is a classifier's file, "" for cue words, None for no categories."""
    held = sentences(text)
    categories: dict[int, str] = {}
    if rhetoric is not None:
        from mensura.catalog.analogy.rhetoric.category import categorise

        categories = {at: one for at, one in enumerate(categorise(held, model=rhetoric)) if one}
    return build_graph(source.read(held), held, extractor=source.name, categories=categories)
