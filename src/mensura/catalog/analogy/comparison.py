"""Compare two documents: the mapping of their graphs, its scores, and the plain measures beside them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from mensura.catalog.analogy.document.language import foreign
from mensura.catalog.analogy.extraction.find import find_extractor, graph_of
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.likeness.plain import containment, longest_common_subsequence, tfidf, words_of
from mensura.catalog.analogy.mapping.inference import Inference, candidate_inferences
from mensura.catalog.analogy.mapping.objective import SolvedMapping
from mensura.catalog.analogy.mapping.solving import NodeLikeness, lemmas_of, likeness_of, meaning, pose, solve
from mensura.words.taxonomy import Part, taxonomy

RUNS = (1, 2, 3, 5)
STRUCTURAL = ("unified", "jaccard", "semantic", "conceptual", "relational")
NOT_SCORED = "not scored"
TINY = 3
MOST = 1_000
"""How many relations a graph may have: beyond that a mapping takes minutes."""


@dataclass(frozen=True)
class MappedPair:
    """Two nodes that correspond: `type` is noun or verb; `lin` is None where WordNet does not know one of the words."""

    type: Part
    first: str
    second: str
    first_id: str
    second_id: str
    lin: float | None
    counts: str = field(default="", repr=False)

    def generic(self) -> tuple[str | None, tuple[str, str] | None]:
        """Return the nearest thing in WordNet that both are kinds of, and the senses that were chosen."""
        return _generic(self.first, self.second, self.type, self.counts)

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        name, senses = self.generic()
        return {
            "type": self.type, "first": self.first, "second": self.second, "first_id": self.first_id,
            "second_id": self.second_id, "lin": self.lin, "generic": name, "senses": senses,
        }  # fmt: skip


@lru_cache(maxsize=50_000)
def _generic(first: str, second: str, part: Part, counts: str) -> tuple[str | None, tuple[str, str] | None]:
    if first == second:
        return first, (first, second)
    words = taxonomy(counts)
    found = words.common(meaning(first, words, part), meaning(second, words, part), part=part)
    return (found.name, found.senses) if found else (None, None)


@dataclass(frozen=True)
class DocumentComparison:
    """How alike two documents are beneath their words, and by their words."""

    scores: Mapping[str, float | None]
    """unified, jaccard, semantic, conceptual, relational, tfidf, containment1, 2, 3, 5 and lcs; None: not scored."""
    pairs: tuple[MappedPair, ...]
    graphs: tuple[SkeletonGraph, SkeletonGraph]
    solved: SolvedMapping | None
    method: str
    seconds: float
    inferences: tuple[Inference, ...] = ()
    why: str = ""
    """Why the mapping is not scored, in a sentence; "" where it is."""
    counts: str = ""

    @property
    def scored(self) -> bool:
        """Whether there is a mapping to score."""
        return not self.why

    @property
    def unmapped(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Ids of nodes of either graph that correspond to nothing."""
        taken = ({one.first_id for one in self.pairs}, {one.second_id for one in self.pairs})
        return tuple(  # type: ignore[return-value]
            tuple(name for name in node_ids(graph) if name not in held)
            for graph, held in zip(self.graphs, taken, strict=True)
        )

    @property
    def unknown_words(self) -> tuple[str, ...]:
        """Words of either graph that WordNet does not know; no pair of different words is scored by them."""
        return unknown_words(self.graphs[0], self.graphs[1], counts=self.counts)

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        words = taxonomy(self.counts)
        labels = [node_labels(graph) for graph in self.graphs]
        return {
            "scored": self.scored,
            "why": self.why or None,
            "scores": dict(self.scores),
            "pairs": [one.as_json() for one in self.pairs],
            "unmapped": {
                side: [{"id": name, "lemma": held[name]} for name in names]
                for side, names, held in zip(("first", "second"), self.unmapped, labels, strict=True)
            },
            "second_order": [list(pair) for pair in self.solved.second_order] if self.solved else [],
            "inferences": [one.as_json() for one in self.inferences],
            "unknown_words": self.unknown_words,
            "solver": {
                "method": self.method,
                "gap": self.solved.gap if self.solved else None,
                "value": self.solved.value if self.solved else None,
                "bound": self.solved.bound if self.solved else None,
                "structure": self.solved.structure if self.solved else None,
                "seconds": self.seconds,
            },
            "extractor": self.graphs[0].extractor,
            "sizes": [len(graph) for graph in self.graphs],
            "wordnet": {"version": words.version, "hash": words.hash, "counts": words.met},
        }


def compare(
    first: str,
    second: str,
    *,
    extractor: str = "shallow",
    method: str = "greedy",
    second_order: bool = True,
    budget: int = 50,
    seconds: float = 60.0,
    counts: str = "",
) -> DocumentComparison:
    """Compare two texts.

    Parameters
    ----------
    first, second
        The texts themselves.
    extractor
        shallow, udpipe:FILE, spacy:MODEL or triples:FILE.
    method
        greedy, improved or exact.
    second_order
        Whether causes, conditions, purposes and times count.
    budget, seconds
        What `improved` and `exact` may spend.
    counts
        A file of counts of words from which information is taken; "" for WordNet's own.
    """
    source = find_extractor(extractor, texts=2)
    for name, text in (("first", first), ("second", second)):
        why = unfit(text)
        if why:
            why = f"The {name} text {why}, so the pair is {NOT_SCORED}."
            return not_scored(why, method=method, extractor=source.name, counts=counts)
    graphs = graph_of(first, source), graph_of(second, source)
    return compare_graphs(
        *graphs,
        texts=(first, second),
        method=method,
        second_order=second_order,
        budget=budget,
        seconds=seconds,
        counts=counts,
    )


def compare_graphs(
    first: SkeletonGraph,
    second: SkeletonGraph,
    *,
    texts: tuple[str, str] | None = None,
    method: str = "greedy",
    second_order: bool = True,
    budget: int = 50,
    seconds: float = 60.0,
    counts: str = "",
    likeness: NodeLikeness | None = None,
) -> DocumentComparison:
    """Compare two graphs; `texts` are what they were made of, for the plain measures."""
    if not second_order:
        first, second = first.without_second_order(), second.without_second_order()
    plain = plain_scores(*texts) if texts else {}
    bare = [name for name, graph in zip(("first", "second"), (first, second), strict=True) if not graph.relations]
    if bare:
        which = "Neither text states" if len(bare) == 2 else f"The {bare[0]} text does not state"
        why = f"{which} a relation between things that the extractor could find, so the pair is {NOT_SCORED}."
        return not_scored(why, method=method, graphs=(first, second), plain=plain, counts=counts)
    large = [len(graph.relations) for graph in (first, second) if len(graph.relations) > MOST]
    if large:
        why = f"A text states {large[0]} relations and {MOST} can be mapped: choose parts of it. It is {NOT_SCORED}."
        return not_scored(why, method=method, graphs=(first, second), plain=plain, counts=counts)
    alike = likeness if likeness is not None else likeness_of(first, second, counts=counts)
    solved, spent = solve(pose(first, second, alike), method=method, budget=budget, seconds=seconds)
    pairs = _pairs(first, second, solved, alike, counts)
    scores = _scores(first, second, pairs) | plain
    inferences = candidate_inferences(first, second, solved)
    return DocumentComparison(scores, pairs, (first, second), solved, method, spent, inferences, counts=counts)


def not_scored(
    why: str,
    *,
    method: str,
    extractor: str = "shallow",
    graphs: tuple[SkeletonGraph, SkeletonGraph] | None = None,
    plain: Mapping[str, float | None] | None = None,
    counts: str = "",
) -> DocumentComparison:
    """Return what stands in the place of a comparison that could not be made, and why."""
    nothing = SkeletonGraph((), (), extractor=extractor)
    scores = dict.fromkeys(STRUCTURAL) | dict(plain if plain is not None else plain_scores("", ""))
    return DocumentComparison(scores, (), graphs or (nothing, nothing), None, method, 0.0, why=why, counts=counts)


def unfit(text: str) -> str:
    """Return in a few words why a text cannot be compared: empty, tiny or not English; "" where it can."""
    words = len(words_of(text))
    if not words:
        return "is empty" if not text.strip() else "has no words in Latin letters"
    if words < TINY:
        return f"has only {words} word{'s' if words > 1 else ''}"
    language = foreign(text)
    return f"is {language}, and only English can be read" if language else ""


def plain_scores(first: str, second: str) -> dict[str, float | None]:
    """Return TF-IDF, containment and longest common subsequence."""
    found: dict[str, float | None] = {"tfidf": tfidf(first, second)}
    found |= {f"containment{size}": containment(first, second, size=size) for size in RUNS}
    return found | {"lcs": longest_common_subsequence(first, second)}


def node_ids(graph: SkeletonGraph) -> list[str]:
    """Return ids of all nodes: c0, c1 ... for concepts, r0, r1 ... for relations."""
    return [f"c{at}" for at in range(len(graph.concepts))] + [f"r{at}" for at in range(len(graph.relations))]


def node_labels(graph: SkeletonGraph) -> dict[str, str]:
    """Return the lemma of every node by its id."""
    lemmas = [*(one.lemma for one in graph.concepts), *(one.lemma for one in graph.relations)]
    return dict(zip(node_ids(graph), lemmas, strict=True))


def unknown_words(*graphs: SkeletonGraph, counts: str = "") -> tuple[str, ...]:
    """Return the words of graphs that WordNet does not know."""
    words = taxonomy(counts)
    nouns = {one.lemma for graph in graphs for one in graph.concepts}
    verbs = {one.lemma for graph in graphs for one in graph.relations}
    unknown = {one for one in nouns if not words.knows(meaning(one, words, "noun"), "noun")}
    return tuple(sorted(unknown | {one for one in verbs if not words.knows(meaning(one, words, "verb"), "verb")}))


def _pairs(
    first: SkeletonGraph, second: SkeletonGraph, solved: SolvedMapping, alike: NodeLikeness, counts: str
) -> tuple[MappedPair, ...]:
    found: list[MappedPair] = []
    (nouns, verbs), (others, other_verbs) = lemmas_of(first), lemmas_of(second)
    parts: tuple[tuple[Part, str, list[str], list[str], Any, Any], ...] = (
        ("noun", "c", nouns, others, solved.concepts, alike.concepts),
        ("verb", "r", verbs, other_verbs, solved.relations, alike.relations),
    )
    for part, sign, one, other, to, matrix in parts:
        for at in np.flatnonzero(to >= 0).tolist():
            place = int(to[at])
            value = float(matrix[at, place])
            lin = None if value != value else value
            found.append(MappedPair(part, one[at], other[place], f"{sign}{at}", f"{sign}{place}", lin, counts))
    return tuple(found)


def _scores(first: SkeletonGraph, second: SkeletonGraph, pairs: tuple[MappedPair, ...]) -> dict[str, float | None]:
    jaccard = len(pairs) / (len(first) + len(second) - len(pairs))
    semantic = _mean([one.lin for one in pairs])
    return {
        # Where nothing corresponds it is 0, however alike pairs might have been.
        "unified": (None if pairs else 0.0) if semantic is None else jaccard * semantic,
        "jaccard": jaccard,
        "semantic": semantic,
        "conceptual": _mean([one.lin for one in pairs if one.type == "noun"]),
        "relational": _mean([one.lin for one in pairs if one.type == "verb"]),
    }


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
