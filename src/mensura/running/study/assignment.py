"""Assignment: which cell the next person goes to, so that usable data stay balanced when people drop out."""

from collections.abc import Mapping

import numpy as np


def next_cell(usable: Mapping[str, int], under_way: Mapping[str, int], rng: np.random.Generator) -> str:
    """Choose the cell with the fewest sessions that are usable or may still become so; chance decides among equals.

    Sessions that were dropped or excluded count no more, so their cell is filled again.

    >>> next_cell({"a": 3, "b": 2}, {"a": 0, "b": 0}, np.random.default_rng(1))
    'b'
    """
    counts = {name: usable[name] + under_way.get(name, 0) for name in usable}
    fewest = min(counts.values())
    least = [name for name, count in counts.items() if count == fewest]
    return least[int(rng.integers(len(least)))]
