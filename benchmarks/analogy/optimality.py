"""How near greedy and improved come to the optimum on 50 pairs of small graphs, and how long exact takes."""

import time

import numpy as np

from benchmarks.analogy.documents import corpus_texts
from mensura.catalog.analogy.extraction.find import find_extractor, graph_of
from mensura.catalog.analogy.graph.sentence import sentences
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.mapping.solving import likeness_of, pose, solve
from mensura.stats.intervals.bootstrap import bootstrap_estimate

SEED = 24
PAIRS = 50
NODES = 45
SECONDS = 60.0


def main() -> None:
    """Print the share of the optimum that each method reaches, and the time of exact."""
    rng = np.random.default_rng(SEED)
    graphs = small_graphs(rng, 2 * PAIRS)
    shares: dict[str, list[float]] = {"greedy": [], "improved 50": [], "improved 1000": []}
    times, proven = [], 0
    for first, second in zip(graphs[::2], graphs[1::2], strict=True):
        problem = pose(first, second, likeness_of(first, second))
        begun = time.process_time()
        best, _ = solve(problem, method="exact", seconds=SECONDS)
        times.append(time.process_time() - begun)
        if best.gap > 1e-6:
            continue
        proven += 1
        for name in shares:
            method, _, budget = name.partition(" ")
            shares[name].append(solve(problem, method=method, budget=int(budget or 0))[0].value / best.value)
    sizes = [len(one) for one in graphs]
    print(f"{PAIRS} pairs of graphs of {min(sizes)} to {max(sizes)} nodes (seed {SEED}); optimum proven for {proven}")
    print(
        f"exact: median {np.median(times):.2f} s, slowest {max(times):.2f} s of CPU (wanted under 5 s at {NODES} nodes)"
    )
    for name, held in shares.items():
        found = bootstrap_estimate(held, rng=np.random.default_rng(SEED))
        print(f"{name:14} of the optimum: {found}")


def small_graphs(rng: np.random.Generator, count: int) -> list[SkeletonGraph]:
    """Return graphs of 33 to 45 nodes: whole sentences from the beginning of different documents."""
    texts, source = corpus_texts(), find_extractor("shallow")
    found: list[SkeletonGraph] = []
    for at in rng.permutation(len(texts)):
        held = sentences(texts[at])
        for length in range(1, len(held) + 1):
            graph = graph_of(" ".join(held[:length]), source)
            if NODES - 12 <= len(graph) <= NODES:
                found.append(graph)
                break
        if len(found) == count:
            return found
    raise SystemExit(f"Only {len(found)} documents have 33 to {NODES} nodes.")


if __name__ == "__main__":
    main()
