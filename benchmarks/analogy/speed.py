"""Seconds of this process's own processor time on one thread, medians over rounds; loading WordNet apart."""

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.analogy.documents import common_words, corpus_texts, generated, joined
from mensura.catalog.analogy.comparison import compare_graphs
from mensura.catalog.analogy.extraction.find import find_extractor, graph_of
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.mapping.solving import likeness_of, pose, solve
from mensura.catalog.analogy.retrieval.graph_store import GraphStore
from mensura.catalog.analogy.retrieval.ranking import find_analogies
from mensura.store import open_store
from mensura.words.taxonomy import taxonomy

SEED = 24
CLONES = 200


def main() -> None:
    """Print one line per measurement: what, how long, what is wanted."""
    source = find_extractor("shallow")
    compare_graphs(*(graph_of(generated(seed), source) for seed in (1, 2)))
    print(f"{'what':66} {'CPU':>10} {'wanted':>10}")
    texts = [generated(seed) for seed in range(30)]
    _line("shallow, one document of 200 generated words", _median(lambda at: graph_of(texts[at], source), 30), 0.020)
    held = [one for one in corpus_texts() if 150 <= len(one.split()) <= 250][:30]
    _line(f"shallow, one of {len(held)} corpus documents of 150 to 250 words",
          _median(lambda at: graph_of(held[at % len(held)], source), 30), 0.020)  # fmt: skip
    _lin()
    _pairs(source)
    clones()
    _search(957)


def _lin() -> None:
    nouns, _ = common_words()
    rng = np.random.default_rng(SEED)
    drawn = [[str(one) for one in rng.choice(nouns, size=300, replace=False)] for _ in range(12)]
    taxonomy().similarities(drawn[0], drawn[1], part="noun")
    spent = _median(lambda at: taxonomy().similarities(drawn[at], drawn[at + 1], part="noun"), 11)
    _line("Lin, 300 x 300 nouns", spent, 0.050)


def _pairs(source: Any) -> None:
    graphs = [graph for graph in (graph_of(one, source) for one in corpus_texts()) if 60 <= len(graph) <= 80]
    if len(graphs) < 8:
        graphs = [graph_of(generated(seed, words=180), source) for seed in range(30)]
    size = statistics.mean(len(one) for one in graphs)
    spent = _median(lambda at: compare_graphs(graphs[at % len(graphs)], graphs[(at + 1) % len(graphs)]), 60)
    _line(f"compare, one pair of {size:.0f} nodes each, Lin included", spent, 0.010)


def clones() -> None:
    """Map graphs of joined documents to themselves, with their words and without."""
    texts = corpus_texts()
    for nodes, wanted in ((350, 0.2), (650, 1.0)):
        graphs = [joined(texts, nodes=nodes, seed=seed) for seed in range(5)]
        sizes = [len(one) for one in graphs]
        spent = _median(lambda at, held=graphs: compare_graphs(held[at], shuffled(held[at], at)), 5)
        _line(f"clone of {min(sizes)} to {max(sizes)} nodes", spent, wanted)
    rng = np.random.default_rng(SEED)
    whole, shares, bare, times = 0, [], [], []
    for at in range(CLONES):
        graph = joined(texts, nodes=int(rng.integers(300, 680)), seed=1000 + at)
        begun = time.process_time()
        share = mapped_share(graph)
        times.append(time.process_time() - begun)
        shares.append(len(graph))
        whole += share == 1.0
        if at < 20:
            bare.append(mapped_share(without_words(graph)))
    print(
        f"  {whole} of {CLONES} clones of {min(shares)} to {max(shares)} nodes mapped whole (seed {SEED}); "
        f"slowest {max(times):.2f} s, Lin included"
    )
    print(f"  words removed, 20 of them: {np.mean(bare):.2f} of the nodes on average, least {min(bare):.2f}")


def shuffled(graph: SkeletonGraph, seed: int) -> SkeletonGraph:
    """Return a copy whose nodes stand in another order, so that their order cannot give the solution away."""
    rng = np.random.default_rng(seed)
    concepts, relations = rng.permutation(len(graph.concepts)), rng.permutation(len(graph.relations))
    to = {int(old): new for new, old in enumerate(concepts)}
    place = {int(old): new for new, old in enumerate(relations)}
    moved = [
        replace(one, subject=None if one.subject is None else to[one.subject],
                object=None if one.object is None else to[one.object])
        for one in (graph.relations[at] for at in relations)
    ]  # fmt: skip
    second = [replace(one, first=place[one.first], second=place[one.second]) for one in graph.second_order]
    return replace(
        graph, concepts=tuple(graph.concepts[at] for at in concepts), relations=tuple(moved), second_order=tuple(second)
    )


def mapped_share(graph: SkeletonGraph) -> float:
    """Return the share of a graph's nodes that is mapped to a copy of it in another order."""
    copy = shuffled(graph, SEED)
    solved, _ = solve(pose(graph, copy, likeness_of(graph, copy)))
    return float(((solved.concepts >= 0).sum() + (solved.relations >= 0).sum()) / len(graph))


def without_words(graph: SkeletonGraph) -> SkeletonGraph:
    """Return a graph with nothing but its structure: every concept and every relation has a name of no meaning."""
    return replace(
        graph,
        concepts=tuple(replace(one, lemma="x") for one in graph.concepts),
        relations=tuple(replace(one, lemma="x") for one in graph.relations),
    )


def _search(count: int) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        for seed in range(count):
            (place / f"{seed}.txt").write_text(generated(seed))
        (place / "target.txt").write_text(generated(count + 1))
        held = open_store(place / "mensura.db")
        store = GraphStore(held.graphs)
        first, _ = _timed(lambda: find_analogies(place / "target.txt", place, store=store))
        again, found = _timed(lambda: find_analogies(place / "target.txt", place, store=store))
        held.close()
    _line(f"one target against {len(found.ranked)} stored graphs, reading them included", again, 10.0)
    print(f"  the first time, extraction included: {first:.1f} s")
    print(f"  {found.tail.sentence}")


def _line(what: str, spent: float, wanted: float) -> None:
    print(f"{what:66} {spent:9.4f}s {wanted:9.3f}s  {'ok' if spent < wanted else 'TOO SLOW'}")


def _median(work: Callable[[int], Any], rounds: int) -> float:
    return statistics.median(_timed(lambda at=at: work(at))[0] for at in range(rounds))


def _timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


if __name__ == "__main__":
    main()
