"""Simulate the coverage of every interval and write the tables into docs; `judged` or `adaptivity` makes one alone."""

import sys
from pathlib import Path
from time import perf_counter

from benchmarks.coverage import adaptivity, judged
from benchmarks.coverage.simulate import simulate_all
from benchmarks.coverage.table import put, written

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "scores.md"
REPETITIONS = 2000


def main() -> None:
    """Simulate, print progress, and write the page."""
    begun = perf_counter()
    if sys.argv[1:] != ["judged"]:
        put(written(adaptivity.simulated(repetitions=REPETITIONS)), page=DOCS / "adaptivity.md")
    if sys.argv[1:] == ["adaptivity"]:
        return
    put(judged.written(repetitions=REPETITIONS), page=PAGE, begin=judged.BEGIN, end=judged.END)
    if sys.argv[1:] == ["judged"]:
        return
    results = simulate_all(repetitions=REPETITIONS, progress=lambda line: print(line, file=sys.stderr))
    put(written(results), page=PAGE)
    print(f"{len(results)} cells in {perf_counter() - begun:.0f} s; the table is in {PAGE}.")


if __name__ == "__main__":
    main()
