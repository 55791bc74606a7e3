"""Exhibits of the plagiarism test: closeness by level, with plain word counting beside the subject that took it."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from mensura.catalog.analogy.plagiarism.corpus import LABELS, LEVELS
from mensura.catalog.analogy.plagiarism.scoring import COPIES, NONE, SCORES, estimates_of, medians, rated
from mensura.catalog.analogy.ranking import Rated
from mensura.catalog.analogy.showing.boxes import box_figure
from mensura.catalog.analogy.showing.counted import texts_asked
from mensura.catalog.analogy.subjects import WORD_COUNTS
from mensura.dialogue import Record
from mensura.exhibit import Exhibit, Group
from mensura.exhibit.exhibit import Cell

WORDS = (
    "The share of pairs in which the answer that took more from the source was said to be closer; .5 is chance. The "
    "first four columns are medians. Rows in brackets are plain word counting on the same answers, computed for "
    "comparison, whether it does better or worse. Intervals draw those who wrote the answers anew."
)
DIFFERENCES = (
    "By how much more often a copy was said to be closer than an answer of one's own: the area of the first less that "
    "of the second, over the same answers. Intervals draw the same writers for both; one that holds 0 decides nothing."
)
MADE = "The answers were made by a program from texts of ours, at stated doses: no person wrote them. Simulated."
SEVERAL = "Of several sessions the first is shown with its interval over writers; the scores above speak of all."


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Show medians and scores of each group and of word counting, and a box for each level."""
    shown: dict[str, Rated] = {}
    first: tuple[Record, Mapping[str, Any]] | None = None
    several = made = False
    for group in groups:
        made |= not group.parameters.get("data")
        records = list(group.records)
        if records:
            shown[group.name] = rated(*records[0])
            several |= len(records) > 1
            first = first or records[0]
    if first is None:
        return []
    shown |= {f"({name})": one for name, one in _counted(*first).items() if name not in shown}
    rows: list[Sequence[Cell]] = []
    for name, one in shown.items():
        middle, found = medians(one), estimates_of(one)
        rows.append((name, *(middle[level] for level in LEVELS), *(found[score.name] for score in SCORES)))
    columns = ("subject", *(LABELS[level] for level in LEVELS), *(score.title for score in SCORES))
    labels = [LABELS[level] for level in LEVELS]
    told = {
        name: {LABELS[level]: _known(one, place) for place, level in enumerate(LEVELS)} for name, one in shown.items()
    }
    figure = box_figure(told, levels=labels, axis="level", about="Closeness of answers to their source by level.")
    notes = [*([SEVERAL] if several else []), *([MADE] if made else [])]
    levels = Exhibit("Closeness to the source by level", WORDS, columns, rows, [figure], notes)
    pairs = _differences(shown)
    if not pairs:
        return [levels]
    return [levels, Exhibit("Which tells copies better", DIFFERENCES, ("first", "second", "difference"), pairs)]


def _differences(shown: Mapping[str, Rated]) -> list[Sequence[Cell]]:
    """Set each who took the test against the others, and against word counting, where both spoke of the same."""
    rows: list[Sequence[Cell]] = []
    for (name, one), (against, other) in combinations(shown.items(), 2):
        if not name.startswith("(") and one.of_the_same(other):
            rows.append((name, against, one.area_difference(other, COPIES, [NONE])))
    return rows


def _known(one: Rated, place: int) -> list[float]:
    values = one.closeness[one.level == place]
    return [float(value) for value in values[~np.isnan(values)]]


def _counted(record: Record, truths: Mapping[str, Any]) -> dict[str, Rated]:
    """Return what word counting says of the answers that a session was asked about."""
    texts = texts_asked(record, truths)
    if not texts:
        return {}
    keys = sorted(texts)
    found = {}
    for name, measure in WORD_COUNTS.items():
        told = [measure(texts[key][1], texts[key][0]) for key in keys]
        closeness = [float("nan") if one is None else one for one in told]
        found[name] = Rated.of(
            closeness,
            level=[LEVELS.index(truths[key]["level"]) for key in keys],
            task=[truths[key]["task"] for key in keys],
            unit=[truths[key]["participant"] for key in keys],
        )
    return found
