r"""What a mapping is worth: one objective for every way to find one.

A relation may be mapped to a relation with the same places filled, if its subject and its object are mapped to the
other's. With R mapped relations, J joins (each concept pair counts once for every mapped relation it has beyond its
first) and S mapped second-order edges a mapping is worth

.. math:: R + \tfrac14 J + 2 S + \epsilon L

where L is the sum of likeness over all pairs: Lin's similarity, 0 where a word is unknown, and 1.1 for the same lemma.
:math:`\epsilon` is so small that all likeness together is worth less than one join: it decides between structures of
equal worth only. Joins make connected systems worth more than as many single facts (systematicity).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.analogy.graph.skeleton import KINDS, SkeletonGraph

JOIN, SECOND, SAME = 0.25, 2.0, 1.1
"""What a join and a second-order edge are worth beside a relation, and the likeness of a word with itself."""


@dataclass(frozen=True)
class MappingProblem:
    """Two graphs as arrays, and how alike their words are."""

    places: tuple[Any, Any]
    """Of each graph an array of subject and object of each relation, -1 where there is none."""
    links: tuple[Any, Any]
    """Of each graph an array of kind, first and second of each second-order edge."""
    concepts: Any
    relations: Any
    """Likeness of every concept, or relation, of one graph with every one of the other."""

    @property
    def epsilon(self) -> float:
        """What likeness of 1 is worth: all of it together less than one join."""
        return float(0.9 * JOIN / (SAME * (min(self.concepts.shape) + min(self.relations.shape)) + 1))

    def shapes_match(self) -> Any:
        """Return which relation may be mapped to which: where the same places are filled."""
        one, other = ((held >= 0).astype(np.int8) @ np.array([1, 2], np.int8) for held in self.places)
        return one[:, None] == other[None, :]


@dataclass(frozen=True)
class SolvedMapping:
    """A mapping: the place in the second graph of every concept and relation of the first, or -1."""

    concepts: Any
    relations: Any
    structure: float
    likeness: float
    value: float
    bound: float
    second_order: tuple[tuple[int, int], ...] = ()
    """Places of the mapped second-order edges in both graphs."""

    @property
    def gap(self) -> float:
        """How far the best possible value can lie above this one, as a share of the bound."""
        return max(0.0, (self.bound - self.value) / self.bound) if self.bound > 0 else 0.0


def arrays_of(graph: SkeletonGraph) -> tuple[Any, Any]:
    """Return subject and object of every relation, and the second-order edges, as arrays."""
    places = np.array(
        [[-1 if place is None else place for place in one.places] for one in graph.relations], dtype=np.int64
    ).reshape(-1, 2)
    links = np.array(
        [[KINDS.index(one.kind), one.first, one.second] for one in graph.second_order], dtype=np.int64
    ).reshape(-1, 3)
    return places, links


def value_of(problem: MappingProblem, concepts: Any, relations: Any, *, bound: float | None = None) -> SolvedMapping:
    """Return what a mapping is worth, counted anew from the mapping itself.

    Raises
    ------
    ValueError
        If it is no mapping: not one to one, or a relation without its subject or object.
    """
    places, links = problem.places, problem.links
    for one in (concepts, relations):
        taken = one[one >= 0]
        if len(set(taken.tolist())) != len(taken):
            raise ValueError("two are mapped to one")
    support: dict[int, int] = {}
    likeness = 0.0
    for at, to in enumerate(relations.tolist()):
        if to < 0:
            continue
        likeness += float(problem.relations[at, to])
        for mine, theirs in zip(places[0][at].tolist(), places[1][to].tolist(), strict=True):
            if (mine < 0) != (theirs < 0) or (mine >= 0 and concepts[mine] != theirs):
                raise ValueError("a relation is mapped without its subject or object")
            if mine >= 0:
                support[mine] = support.get(mine, 0) + 1
    likeness += sum(float(problem.concepts[at, concepts[at]]) for at in support)
    if {at for at, to in enumerate(concepts.tolist()) if to >= 0} != set(support):
        raise ValueError("a concept is mapped that no mapped relation has")
    matched = matched_links(links, relations)
    structure = int((relations >= 0).sum()) + JOIN * sum(count - 1 for count in support.values())
    structure += SECOND * len(matched)
    value = structure + problem.epsilon * likeness
    best = upper_bound(problem) if bound is None else bound
    return SolvedMapping(concepts, relations, structure, likeness, value, max(best, value), matched)


def matched_links(links: tuple[Any, Any], relations: Any) -> tuple[tuple[int, int], ...]:
    """Return places of second-order edges of both graphs whose ends are mapped to each other, each at most once."""
    there: dict[tuple[int, int, int], int] = {}
    for at, one in enumerate(links[1].tolist()):
        there.setdefault(tuple(one), at)
    found, taken = [], set()
    for at, (kind, first, second) in enumerate(links[0].tolist()):
        to = there.get((kind, int(relations[first]), int(relations[second])))
        if to is not None and to not in taken:
            taken.add(to)
            found.append((at, to))
    return tuple(found)


def upper_bound(problem: MappingProblem) -> float:
    """Return what no mapping can exceed: every place filled as often as both graphs have it, and all likeness."""
    shapes = [((held >= 0).astype(np.int8) @ np.array([1, 2], np.int8)) for held in problem.places]
    most = sum(min(int((shapes[0] == one).sum()), int((shapes[1] == one).sum())) for one in (1, 2, 3))
    degrees = []
    for places, size in zip(problem.places, problem.concepts.shape, strict=True):
        held = np.bincount(places[places >= 0], minlength=size)
        degrees.append(np.sort(held)[::-1])
    short = min(len(one) for one in degrees)
    least = np.minimum(degrees[0][:short], degrees[1][:short])
    joins = min(int(np.maximum(least - 1, 0).sum()), 2 * most)
    kinds = [held[:, 0] for held in problem.links]
    second = sum(min(int((kinds[0] == one).sum()), int((kinds[1] == one).sum())) for one in range(len(KINDS)))
    likeness = 0.0
    for matrix in (problem.concepts, problem.relations):
        if matrix.size:
            likeness += min(float(matrix.max(axis=0).sum()), float(matrix.max(axis=1).sum()))
    return float(most + JOIN * joins + SECOND * second + problem.epsilon * likeness)
