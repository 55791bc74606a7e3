"""Seconds of this process's own processor time on one thread, medians over rounds; loading WordNet apart."""

import statistics
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from benchmarks.analogy.documents import common_words, corpus_texts, generated
from mensura.catalog.analogy.comparison import compare_graphs
from mensura.catalog.analogy.extraction.find import find_extractor, graph_of
from mensura.catalog.analogy.retrieval.graph_store import GraphStore
from mensura.catalog.analogy.retrieval.ranking import find_analogies
from mensura.store import open_store
from mensura.words.taxonomy import taxonomy

SEED = 24


def main() -> None:
    """Print one line per measurement: what, how long, what is wanted."""
    source = find_extractor("shallow")
    compare_graphs(*(graph_of(generated(seed), source) for seed in (1, 2)))
    print(f"{'what':66} {'CPU':>10} {'wanted':>10}")
    texts = [generated(seed) for seed in range(30)]
    line("shallow, one document of 200 generated words", median(lambda at: graph_of(texts[at], source), 30), 0.020)
    held = [one for one in corpus_texts() if 150 <= len(one.split()) <= 250][:30]
    line(f"shallow, one of {len(held)} corpus documents of 150 to 250 words",
          median(lambda at: graph_of(held[at % len(held)], source), 30), 0.020)  # fmt: skip
    _lin()
    _pairs(source)
    _search(957)


def _lin() -> None:
    nouns, _ = common_words()
    rng = np.random.default_rng(SEED)
    drawn = [[str(one) for one in rng.choice(nouns, size=300, replace=False)] for _ in range(12)]
    taxonomy().similarities(drawn[0], drawn[1], part="noun")
    spent = median(lambda at: taxonomy().similarities(drawn[at], drawn[at + 1], part="noun"), 11)
    line("Lin, 300 x 300 nouns", spent, 0.050)


def _pairs(source: Any) -> None:
    graphs = [graph for graph in (graph_of(one, source) for one in corpus_texts()) if 60 <= len(graph) <= 80]
    if len(graphs) < 8:
        graphs = [graph_of(generated(seed, words=180), source) for seed in range(30)]
    size = statistics.mean(len(one) for one in graphs)
    spent = median(lambda at: compare_graphs(graphs[at % len(graphs)], graphs[(at + 1) % len(graphs)]), 60)
    line(f"compare, one pair of {size:.0f} nodes each, Lin included", spent, 0.010)


def _search(count: int) -> None:
    with TemporaryDirectory() as folder:
        place = Path(folder)
        for seed in range(count):
            (place / f"{seed}.txt").write_text(generated(seed))
        (place / "target.txt").write_text(generated(count + 1))
        held = open_store(place / "mensura.db")
        store = GraphStore(held.graphs)
        first, _ = timed(lambda: find_analogies(place / "target.txt", place, store=store))
        again, found = timed(lambda: find_analogies(place / "target.txt", place, store=store))
        held.close()
    line(f"one target against {len(found.ranked)} stored graphs, reading them included", again, 10.0)
    print(f"  the first time, extraction included: {first:.1f} s")
    print(f"  {found.tail.sentence}")


def line(what: str, spent: float, wanted: float) -> None:
    """Print what was measured beside what is wanted."""
    print(f"{what:66} {spent:9.4f}s {wanted:9.3f}s  {'ok' if spent < wanted else 'TOO SLOW'}")


def median(work: Callable[[int], Any], rounds: int) -> float:
    """Return the median seconds of so many rounds."""
    return statistics.median(timed(lambda at=at: work(at))[0] for at in range(rounds))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor seconds of a piece of work, and what it gave."""
    begun = time.process_time()
    found = work()
    return time.process_time() - begun, found


if __name__ == "__main__":
    main()
