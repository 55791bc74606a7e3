"""Marking: where in its sentences a node of a graph is written, so that pages can colour it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.words.form import base_form
from mensura.words.taxonomy import taxonomy

if TYPE_CHECKING:
    from mensura.catalog.analogy.comparison import DocumentComparison

COLOURS = (
    *("#0059a0", "#a83c00", "#006b4e", "#94306f", "#7a5200", "#1f6f9c", "#5b3fa0", "#8a1c1c", "#3d6600"),
    *("#00616b", "#9b2d8f", "#56483c"),
)
"""Dark enough to be read on white; beyond their number they come again, and the pair's number tells them apart."""
WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")


@dataclass(frozen=True)
class Mark:
    """One mapped node on a page: the number of its pair and its colour."""

    number: int
    colour: str


def marks_of(comparison: "DocumentComparison") -> tuple[dict[str, Mark], dict[str, Mark]]:
    """Return the marks of both graphs of a comparison: one number and colour for each pair."""
    first: dict[str, Mark] = {}
    second: dict[str, Mark] = {}
    for number, pair in enumerate(comparison.pairs, start=1):
        first[pair.first_id] = second[pair.second_id] = Mark(number, COLOURS[(number - 1) % len(COLOURS)])
    return first, second


def marked_sentences(graph: SkeletonGraph, marks: Mapping[str, Mark]) -> list[str]:
    """Return the sentences of a graph as HTML, with the words of mapped nodes marked by pair and colour.

    A concept is found by how it is written; a verb by its base form, since an extractor keeps no places. Pronouns that
    were resolved, and words that cannot be found again, stay unmarked.
    """
    found = []
    for place, sentence in enumerate(graph.sentences):
        names = _names(graph, place)
        taken: set[str] = set()
        parts, end = [], 0
        for word in WORD.finditer(sentence):
            node = _node(word[0], names, taken)
            if node is None or node not in marks:
                continue
            mark = marks[node]
            parts.append(escape(sentence[end : word.start()]))
            parts.append(
                f'<mark class="m" data-pair="{mark.number}" style="--c:{mark.colour}" tabindex="0">{escape(word[0])}'
                f"<sup>{mark.number}</sup></mark>"
            )
            end = word.end()
        found.append("".join([*parts, escape(sentence[end:])]))
    return found


def _names(graph: SkeletonGraph, sentence: int) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return written words of the concepts of a sentence, and its verbs in their order with their ids."""
    nouns = {
        word.lower(): f"c{at}"
        for at, one in enumerate(graph.concepts)
        if sentence in one.sentences
        for form in (*one.written, one.lemma)
        for word in form.split()[-1:]
    }
    verbs = [(one.lemma, f"r{at}") for at, one in enumerate(graph.relations) if one.sentence == sentence]
    return nouns, verbs


def _node(word: str, names: tuple[dict[str, str], list[tuple[str, str]]], taken: set[str]) -> str | None:
    nouns, verbs = names
    low = word.lower()
    if low in nouns:
        return nouns[low]
    if not verbs:
        return None
    lemma = base_form(low, part="verb", words=taxonomy()) or low
    node = next((id for held, id in verbs if held == lemma and id not in taken), None)
    if node is not None:
        taken.add(node)
    return node
