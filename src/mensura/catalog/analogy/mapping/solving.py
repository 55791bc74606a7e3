"""From two graphs to a problem, and from the name of a method to its solver."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from mensura.catalog.analogy.extraction.shallow.closed import word_set
from mensura.catalog.analogy.graph.skeleton import SkeletonGraph
from mensura.catalog.analogy.mapping.objective import SAME, MappingProblem, SolvedMapping, arrays_of
from mensura.errors import UnknownName
from mensura.words.form import base_form
from mensura.words.taxonomy import Part, Taxonomy, taxonomy

Method = Literal["greedy", "improved", "exact"]
METHODS: tuple[Method, ...] = get_args(Method)
PERSON = word_set(
    "i me you he him she her we us who whom they them himself herself themselves yourself myself ourselves "
    "someone somebody everyone everybody anyone anybody nobody"
)
"""Pronouns of people: where it is not known whom they mean, a person is meant."""
PREFIXES = ("sub", "super", "re", "pre", "co", "non", "inter", "multi", "micro", "meta", "hyper")


@dataclass(frozen=True)
class NodeLikeness:
    """How alike the words of two graphs are: Lin's similarity, 1 for the same word, NaN where one is unknown."""

    concepts: Any
    relations: Any
    same_concepts: Any
    same_relations: Any


def lemmas_of(graph: SkeletonGraph) -> tuple[list[str], list[str]]:
    """Return lemmas of concepts and of relations."""
    return [one.lemma for one in graph.concepts], [one.lemma for one in graph.relations]


def likeness_of(first: SkeletonGraph, second: SkeletonGraph, *, counts: str = "") -> NodeLikeness:
    """Return how alike the words of two graphs are."""
    one, other = lemmas_of(first), lemmas_of(second)
    return NodeLikeness(
        lin(one[0], other[0], part="noun", counts=counts),
        lin(one[1], other[1], part="verb", counts=counts),
        same(one[0], other[0]),
        same(one[1], other[1]),
    )


def lin(one: Sequence[str], other: Sequence[str], *, part: Part, counts: str = "") -> Any:
    """Return Lin's similarity of all words with all others; 1 for the same word even where WordNet has it not.

    NaN is where a word is unknown.
    """
    rows, columns = list(dict.fromkeys(one)), list(dict.fromkeys(other))
    words = taxonomy(counts)
    found = words.similarities(
        [meaning(word, words, part) for word in rows], [meaning(word, words, part) for word in columns], part=part
    )
    row, column = {word: at for at, word in enumerate(rows)}, {word: at for at, word in enumerate(columns)}
    for word in row.keys() & column.keys():
        found[row[word], column[word]] = 1.0
    return found[np.ix_([row[word] for word in one], [column[word] for word in other])]


def meaning(word: str, words: Taxonomy, part: Part) -> str:
    """Return the word by which WordNet knows one: itself, the last part of a compound, or what a prefix stands before.

    A pronoun of people is a person. A word of which none of these is known is returned as it is.
    """
    if part == "noun" and word in PERSON:
        return "person"
    if words.knows(word, part):
        return word
    compound = word.rpartition("-")[2]
    bare = [compound.removeprefix(one) for one in PREFIXES if compound.startswith(one)] if part == "noun" else []
    for known in (compound, *(one for one in bare if len(one) > 3)):
        form = base_form(known, part=part, words=words)
        if form:
            return form
    return word


def same(one: Sequence[str], other: Sequence[str]) -> Any:
    """Return which words are the same."""
    number = {word: at for at, word in enumerate(dict.fromkeys([*one, *other]))}
    left, right = (np.array([number[word] for word in words], dtype=np.int64) for words in (one, other))
    return left[:, None] == right[None, :]


def pose(first: SkeletonGraph, second: SkeletonGraph, likeness: NodeLikeness) -> MappingProblem:
    """Return the problem of mapping one graph to another."""
    (places, links), (others, other_links) = arrays_of(first), arrays_of(second)
    return MappingProblem(
        (places, others),
        (links, other_links),
        np.where(likeness.same_concepts, SAME, np.nan_to_num(likeness.concepts)),
        np.where(likeness.same_relations, SAME, np.nan_to_num(likeness.relations)),
    )


def solve(
    problem: MappingProblem, *, method: str = "greedy", budget: int = 50, seconds: float = 60.0
) -> tuple[SolvedMapping, float]:
    """Solve by a method; return the mapping and the seconds it took.

    Parameters
    ----------
    problem
        What is to be mapped.
    method
        greedy, improved or exact.
    budget
        How often `improved` destroys and repairs.
    seconds
        How long `exact` may look; then it returns the best it has, with its gap.
    """
    begun = time.perf_counter()
    if method == "greedy":
        from mensura.catalog.analogy.mapping.greedy import solve_greedy

        found = solve_greedy(problem)
    elif method == "improved":
        from mensura.catalog.analogy.mapping.improved import solve_improved

        found = solve_improved(problem, budget=budget)
    elif method == "exact":
        from mensura.catalog.analogy.mapping.exact import solve_exact

        found = solve_exact(problem, seconds=seconds)
    else:
        raise UnknownName(f"There is no method {method!r}; methods are {', '.join(METHODS)}.")
    return found, time.perf_counter() - begun
