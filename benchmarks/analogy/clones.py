"""How much of a large graph is mapped to a copy of it in another order: with its words, and without them."""

import time
from dataclasses import replace

import numpy as np

from benchmarks.analogy.documents import corpus_texts, joined
from benchmarks.analogy.speed import SEED, line, median
from mensura.catalog.analogy.comparison import compare_graphs
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.mapping.solving import likeness_of, pose, solve
from mensura.stats.intervals.bootstrap import bootstrap_estimate

CLONES = 200
BARE = 20


def main() -> None:
    """Map graphs of joined documents to themselves, with their words and without."""
    texts = corpus_texts()
    for nodes, wanted in ((350, 0.2), (650, 1.0)):
        graphs = [joined(texts, nodes=nodes, seed=seed) for seed in range(5)]
        sizes = [len(one) for one in graphs]
        spent = median(lambda at, held=graphs: compare_graphs(held[at], shuffled(held[at], at)), 5)
        line(f"clone of {min(sizes)} to {max(sizes)} nodes", spent, wanted)
    rng = np.random.default_rng(SEED)
    whole, shares, bare, times = 0, [], [], []
    for at in range(CLONES):
        graph = joined(texts, nodes=int(rng.integers(300, 680)), seed=1000 + at)
        begun = time.process_time()
        share = mapped_share(graph)
        times.append(time.process_time() - begun)
        shares.append(len(graph))
        whole += share == 1.0
        if at < BARE:
            bare.append(mapped_share(without_words(graph)))
    print(
        f"  {whole} of {CLONES} clones of {min(shares)} to {max(shares)} nodes mapped whole (seed {SEED}); "
        f"slowest {max(times):.2f} s, Lin included"
    )
    found = bootstrap_estimate(bare, rng=np.random.default_rng(SEED))
    print(f"  words removed, {BARE} of them: share of nodes that greedy maps {found}, least {min(bare):.2f}")


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


if __name__ == "__main__":
    main()
