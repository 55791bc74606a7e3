"""Finds the pairs worth considering: by shared values where they are few, all of them where most share something."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from os import cpu_count
from typing import Any

import numpy as np

from mensura.catalog.detection.scoring.arrays import Compiled, Floats, Integers, Rule
from mensura.catalog.detection.scoring.assignment import Candidates
from mensura.catalog.detection.scoring.crowd import Common, mark_common

# A full matrix is kept up to this many entries (2 GB); sparse rows come from at most this many looks, and beyond
# that the values that most pairs share are set aside.
MOST_ENTRIES = 250_000_000
MOST_LOOKS = 40_000_000
# Above this share of all pairs, looking at each pair once is quicker than going by shared values.
_CROWDED = 0.2


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, and what is known of the whole matrix of pairs: best recall by reference, best precision by
    hypothesis, and how many candidates each has.

    Where `common` is set, pairs that share only very common values are not among them.
    """

    candidates: Candidates
    best_recall: Floats
    best_precision: Floats
    per_reference: Integers
    per_hypothesis: Integers
    common: Common | None = None


def find_candidates(compiled: Compiled, rule: Rule) -> Found:
    """Find all pairs that the rule admits, or all but those that share only very common values (see `Common`)."""
    from mensura.catalog.detection.scoring.searching import work

    height, width = len(compiled.reference.basis), len(compiled.hypothesis.basis)
    if height == 0 or width == 0:
        none = Candidates((height, width), np.zeros(height + 1, np.int64), np.empty(0, np.int64), np.empty(0))
        nothing, nobody = np.zeros(height, np.int64), np.zeros(width, np.int64)
        return Found(none, np.zeros(height), np.zeros(width), nothing, nobody)
    looks = work(compiled.reference, compiled.postings, compiled.credits, rule)
    if looks >= _CROWDED * height * width and height * width <= MOST_ENTRIES:
        return _dense(compiled, rule, height, width)
    if looks > MOST_LOOKS:
        rule, common = mark_common(compiled, rule, budget=MOST_LOOKS / 2)
        return replace(_sparse(compiled, rule, height, width), common=common)
    return _sparse(compiled, rule, height, width)


def _dense(compiled: Compiled, rule: Rule, height: int, width: int) -> Found:
    from mensura.catalog.detection.scoring.searching import dense_block

    matrix = np.empty((height, width))
    parts = in_blocks(lambda begin, end: dense_block(begin, end, *compiled, rule, matrix), height)
    return Found(
        Candidates.full(matrix),
        np.concatenate([part[1] for part in parts]),
        np.maximum.reduce([part[2] for part in parts]),
        np.concatenate([part[0] for part in parts]),
        np.add.reduce([part[3] for part in parts]),
    )


def _sparse(compiled: Compiled, rule: Rule, height: int, width: int) -> Found:
    from mensura.catalog.detection.scoring.searching import sparse_block

    parts = in_blocks(lambda begin, end: sparse_block(begin, end, *compiled, rule), height)
    counts = np.concatenate([part[0] for part in parts])
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    columns = np.concatenate([part[1] for part in parts])
    worth = np.concatenate([part[2] for part in parts])
    return Found(
        Candidates((height, width), start, columns, worth),
        np.concatenate([part[3] for part in parts]),
        np.maximum.reduce([part[4] for part in parts]),
        counts,
        np.add.reduce([part[5] for part in parts]),
    )


def in_blocks(block: Callable[[int, int], Any], height: int) -> list[Any]:
    """Call a function that frees the interpreter on ranges of rows, in threads, and give the results in order."""
    threads = min(cpu_count() or 1, 8)
    if height < 64 * threads:
        return [block(0, height)]
    edges = np.linspace(0, height, threads + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(block, edges[:-1], edges[1:]))
