"""Exhibits of the mapping test: the graphs of the first two stories, as structure mapping reads them."""

from collections.abc import Sequence
from dataclasses import replace

from mensura.catalog.analogy.showing.counted import texts_asked
from mensura.catalog.analogy.showing.picture import graph_exhibit
from mensura.catalog.analogy.subjects import graph
from mensura.exhibit import Exhibit, Group


def exhibits(groups: Sequence[Group]) -> list[Exhibit]:
    """Draw the graphs of two stories that were asked about, always of the same two."""
    for record, truths in (records for group in groups for records in group.records):
        texts = texts_asked(record, truths)
        if texts:
            pair = texts[min(texts)]
            return [
                replace(graph_exhibit(graph(text, "shallow")), title=f"Story {number} of a pair as a graph")
                for number, text in enumerate(pair, 1)
            ]
    return []
