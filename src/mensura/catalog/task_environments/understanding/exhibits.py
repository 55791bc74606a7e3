"""Exhibits of understanding: the four numbers of every group with their intervals, and what they are made of."""

from collections.abc import Sequence

import numpy as np

from mensura.exhibit import Exhibit, Group
from mensura.exhibit.exhibit import Cell
from mensura.stats.adaptivity.understanding import PARTS, understanding
from mensura.stats.wording import several

ABOUT = (
    "From 0, the best of those who do not know the phenomenon, to 1, the truth; means are taken before they are held "
    "within 0 and 1. The four are never made one."
)


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Return one table for all groups, and one of the parts of each."""
    held = [group for group in groups if group.scores]
    if not held:
        return []
    rows: list[list[Cell]] = []
    for group in held:
        numbers = {part: group.values(part) for part in PARTS}
        found = understanding(
            predict=numbers["predict"],
            achieve=numbers["achieve"],
            explain=numbers["explain"],
            recreate=numbers["recreate"],
        )
        rows.append([group.name, *(getattr(found, part) for part in PARTS)])
    return [Exhibit("Understanding", ABOUT, ("group", *PARTS), rows), *(_parts(group) for group in held)]


def _parts(group: Group) -> Exhibit:
    """Return the mean of each ingredient: where the number of a part comes from."""
    details = [one.details["parts"] for one in group.scores if "parts" in one.details]
    names = [(part, name) for part in PARTS for name in (details[0][part] if details else ())]
    found = {
        (part, name): [one[part][name] for one in details if one[part].get(name) is not None] for part, name in names
    }
    rows: list[list[Cell]] = [
        [part, name, float(np.mean(values)) if values else None] for (part, name), values in found.items()
    ]
    words = (
        f"Means over {several(len(details), 'session')}, from -1 to 1; what was left out counts -1, and what the "
        "ignorant answers as well as the truth counts nothing. Of with and without, and of the kinds of recreation, "
        "the lower counts."
    )
    return Exhibit(f"Parts of the understanding of {group.name}", words, ("part", "asked", "mean"), rows)
