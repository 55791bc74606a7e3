"""Every document of a corpus against a target, ranked by how well it maps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.analogy.comparison import DocumentComparison, compare_graphs, plain_scores, unfit
from mensura.catalog.analogy.document.reading import read_document
from mensura.catalog.analogy.extraction.find import find_extractor
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.likeness.plain import cosine, document_frequencies, tfidf_vector
from mensura.catalog.analogy.mapping.solving import NodeLikeness, lemmas_of, lin, same
from mensura.catalog.analogy.retrieval.corpus import CorpusEntry, Distance, read_corpus
from mensura.catalog.analogy.retrieval.graph_store import GraphStore
from mensura.catalog.analogy.retrieval.tail import TailFit, fit_tail
from mensura.errors import BadData, BadFile

BY = ("unified", "semantic", "jaccard", "conceptual", "relational", "tfidf", "containment3")


@dataclass(frozen=True)
class Ranked:
    """A document with its scores; `comparison` has the mapping."""

    entry: CorpusEntry
    comparison: DocumentComparison

    @property
    def why(self) -> str:
        """Say in a sentence what the mapping rests on."""
        held = self.comparison
        if not held.scored:
            return held.why
        nouns = [one for one in held.pairs if one.type == "noun"]
        verbs = sum(one.type == "verb" for one in held.pairs)
        telling = sorted(
            (one for one in nouns if one.first != one.second and one.lin is not None), key=lambda one: -(one.lin or 0)
        )[:3]
        named = ", ".join(f"{one.first} with {one.second}" for one in telling)
        equal = sum(one.first == one.second for one in nouns)
        second = len(held.solved.second_order) if held.solved else 0
        return (
            f"{verbs} relations and {len(nouns)} concepts correspond ({equal} are the same word), {second} "
            f"second-order edges with them{f'; most alike of the others: {named}' if named else ''}."
        )


@dataclass(frozen=True)
class Found:
    """All documents ranked, those that could not be scored, and the distribution of the scores."""

    target: CorpusEntry
    by: str
    ranked: tuple[Ranked, ...]
    unscored: tuple[tuple[CorpusEntry, str], ...]
    left_out: int
    tail: TailFit | None

    @property
    def novelty(self) -> float | None:
        """1 less the greatest unified score with any document that was searched."""
        held = [one.comparison.scores["unified"] for one in self.ranked]
        known = [value for value in held if value is not None]
        return 1 - max(known) if known else None

    def as_json(self, *, best: int = 10) -> dict[str, Any]:
        """Return it for a machine; the best so many with their pairs and why."""
        values = np.array([_value(one, self.by) for one in self.ranked])
        rows = []
        for rank, one in enumerate(self.ranked, 1):
            row = {"rank": rank, **one.entry.as_json(), "scores": dict(one.comparison.scores)}
            if rank <= best:
                row |= {
                    "why": one.why,
                    "pairs": [pair.as_json() for pair in one.comparison.pairs],
                    "inferences": [held.as_json() for held in one.comparison.inferences[:5]],
                    "gap": one.comparison.solved.gap if one.comparison.solved else None,
                }
            rows.append(row)
        return {
            "target": self.target.as_json(),
            "by": self.by,
            "ranked": rows,
            "not_scored": [{**one.as_json(), "why": why} for one, why in self.unscored],
            "left_out_by_filters": self.left_out,
            "distribution": distribution(values) | {"tail": self.tail.as_json() if self.tail else None},
            "novelty": self.novelty,
        }


def distribution(values: Any) -> dict[str, Any]:
    """Return count, quantiles and a histogram of scores."""
    if not len(values):
        return {"n": 0}
    counts, edges = np.histogram(values, bins=min(20, max(5, len(values) // 10)))
    quantiles = {str(q): float(np.quantile(values, q)) for q in (0.05, 0.25, 0.5, 0.75, 0.95)}
    return {
        "n": len(values), "mean": float(values.mean()), "least": float(values.min()), "greatest": float(values.max()),
        "quantiles": quantiles, "histogram": {"counts": counts.tolist(), "edges": edges.tolist()},
    }  # fmt: skip


def find_analogies(
    target: Path,
    corpus: Path,
    *,
    extractor: str = "shallow",
    method: str = "greedy",
    parts: Sequence[str] = (),
    distance: Distance | None = None,
    year: int | None = None,
    topics: Sequence[str] = (),
    by: str = "unified",
    second_order: bool = True,
    counts: str = "",
    store: GraphStore | None = None,
) -> Found:
    """Map a target with every document of a corpus.

    Parameters
    ----------
    target
        A document; one of the corpus is not compared with itself, and has the year and topics of its entry.
    corpus
        A folder.
    extractor, method, second_order, counts
        As in `compare`.
    parts
        Parts of every document that are read.
    distance
        Which documents count.
    year, topics
        Those of the target, where the corpus does not have it.
    by
        The score that ranks.
    store
        Where graphs are kept.
    """
    entries = read_corpus(corpus)
    own = next((one for one in entries if one.file.resolve() == target.resolve()), None)
    known = own or CorpusEntry(target, target.name)
    known = replace(
        known, year=year if year is not None else known.year,
        topics=frozenset(one.lower() for one in topics) or known.topics,
    )  # fmt: skip
    others = [one for one in entries if one is not own]
    kept = [one for one in others if (distance or Distance()).keeps(one, known)]
    if not kept:
        raise BadData(
            f"None of the {len(others)} documents of {corpus} is left after the filters; widen them, or give the "
            "target's --year and --topics if corpus.jsonl does not have it."
        )
    source, kept_graphs = find_extractor(extractor, texts=2), store or GraphStore()
    text = read_document(target, parts=parts)
    why = unfit(text)
    if why:
        raise BadData(f"{target} {why}, so nothing can be found for it.")
    graph = kept_graphs.graph(text, source)
    texts: list[str] = []
    graphs: list[SkeletonGraph] = []
    scored: list[CorpusEntry] = []
    unscored: list[tuple[CorpusEntry, str]] = []
    for one in kept:
        try:
            held = read_document(one.file, parts=parts)
            reason = unfit(held)
        except BadFile as error:
            held, reason = "", str(error)
        if reason:
            unscored.append((one, f"{one.name} {reason}" if held else reason))
            continue
        texts.append(held)
        graphs.append(kept_graphs.graph(held, source))
        scored.append(one)
    alike = _Alike(graph, graphs, counts)
    frequencies = document_frequencies([text, *texts])
    vector = tfidf_vector(text, *frequencies)
    found = []
    for at, (one, held_graph) in enumerate(zip(scored, graphs, strict=True)):
        made = compare_graphs(
            graph, held_graph, method=method, second_order=second_order, counts=counts, likeness=alike.of(at)
        )
        if not made.scored:
            unscored.append((one, made.why))
            continue
        # Words are weighed by the corpus, not by the two texts alone.
        plain = plain_scores(text, texts[at]) | {"tfidf": cosine(vector, tfidf_vector(texts[at], *frequencies))}
        found.append(Ranked(one, replace(made, scores=dict(made.scores) | plain)))
    found.sort(key=lambda one: (-_value(one, by), one.entry.name))
    values = np.array([_value(one, by) for one in found])
    return Found(known, by, tuple(found), tuple(unscored), len(others) - len(kept), fit_tail(values))


def _value(one: Ranked, by: str) -> float:
    value = one.comparison.scores.get(by)
    return -1.0 if value is None else value


class _Alike:
    """Likeness of the words of one graph with those of many, each pair of words once."""

    def __init__(self, graph: SkeletonGraph, graphs: Sequence[SkeletonGraph], counts: str) -> None:
        self._own = lemmas_of(graph)
        self._lemmas = [lemmas_of(one) for one in graphs]
        self._place: list[dict[str, int]] = []
        self._lin: list[Any] = []
        for at, part in enumerate(("noun", "verb")):
            every = list(dict.fromkeys(word for one in self._lemmas for word in one[at]))
            self._place.append({word: place for place, word in enumerate(every)})
            self._lin.append(lin(self._own[at], every, part=part, counts=counts))  # type: ignore[arg-type]

    def of(self, at: int) -> NodeLikeness:
        """Return the likeness with one of them."""
        nouns, verbs = self._lemmas[at]
        columns = [[place[word] for word in words] for place, words in zip(self._place, (nouns, verbs), strict=True)]
        return NodeLikeness(
            self._lin[0][:, columns[0]],
            self._lin[1][:, columns[1]],
            same(self._own[0], nouns),
            same(self._own[1], verbs),
        )
