"""Exhibits of the translation test: closeness by language or damage, with word counting beside it."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mensura.catalog.analogy.showing.boxes import box_figure
from mensura.catalog.analogy.showing.counted import texts_asked
from mensura.catalog.analogy.subjects import WORD_COUNTS
from mensura.catalog.analogy.translation.scoring import SCORES, score, told
from mensura.dialogue import Record
from mensura.exhibit import Exhibit, Group
from mensura.exhibit.exhibit import Cell
from mensura.stats import Estimate, Scale, unit_estimate

WORDS = (
    "Texts beside versions of themselves. The trend is Spearman's correlation of closeness with the order of versions "
    "that was stated before anything was measured, for each text; the loss is how much closeness falls where sentences "
    "are only split or joined. Intervals draw texts anew. Rows in brackets are plain word counting on the same texts."
)
SIMULATED = "The versions are damaged by a program, at stated doses: nobody translated them. Simulated."


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Show trend and loss of each group and of word counting, and a box for each language or kind of damage."""
    rows: list[Sequence[Cell]] = []
    shown: dict[str, Mapping[str, Mapping[str, float]]] = {}
    first: tuple[Record, Mapping[str, Any]] | None = None
    made = False
    for group in groups:
        made |= not group.parameters.get("data")
        for record, truths in group.records:
            shown.setdefault(group.name, told(record, truths))
            first = first or (record, truths)
        rows.append((group.name, *(group.estimates.get(one.name) for one in SCORES)))
    if first is None:
        return []
    record, truths = first
    texts = texts_asked(record, truths)
    for name, measure in WORD_COUNTS.items():
        if texts and name not in shown:
            counted = _counted(record, {key: measure(pair[1], pair[0]) for key, pair in texts.items()})
            shown[f"({name})"] = told(counted, truths)
            rows.append((f"({name})", *_estimates(counted, truths)))
    languages = _in_order(truths)
    boxes = {
        name: {language: [known[language] for known in texts.values() if language in known and known[language] >= 0]
               for language in languages}
        for name, texts in shown.items()
    }  # fmt: skip
    figure = box_figure(boxes, levels=languages, axis="version", about="Closeness of versions to their original.")
    columns = ("subject", *(one.title for one in SCORES))
    return [Exhibit("Closeness by version", WORDS, columns, rows, [figure], [SIMULATED] if made else [])]


def _in_order(truths: Mapping[str, Any]) -> list[str]:
    tiers = {truth["language"]: truth["tier"] for truth in truths.values()}
    return sorted(tiers, key=lambda name: (tiers[name] is None, tiers[name] or 0, name))


def _counted(record: Record, closeness: Mapping[str, float | None]) -> Record:
    """Return the record as it would be had word counting answered."""
    from dataclasses import replace

    answers = [
        replace(
            answer, value=closeness[answer.key], status="answered" if closeness[answer.key] is not None else "refused"
        )
        for answer in record.answers
        if answer.key in closeness
    ]
    return replace(record, answers=answers)


def _estimates(record: Record, truths: Mapping[str, Any]) -> list[Estimate | None]:
    found = score(record, truths)
    return [
        unit_estimate(found[one.name].values[~np.isnan(found[one.name].values)], unit="text", scale=Scale(-1, 1))
        if one.name in found
        else None
        for one in SCORES
    ]
