"""Compiled loops that free the interpreter, run on all cores."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import Any

import numpy as np


def in_blocks(block: Callable[[int, int], Any], height: int) -> list[Any]:
    """Call a function that frees the interpreter on ranges of rows, in threads, and give the results in order."""
    threads = min(cpu_count() or 1, 8)
    if height < 64 * threads:
        return [block(0, height)]
    edges = np.linspace(0, height, threads + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(block, edges[:-1], edges[1:]))
