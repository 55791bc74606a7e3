"""Greedy mapping: grown match by match, each the one that adds most."""

from typing import Any

import numpy as np

from mensura.catalog.analogy.mapping.objective import JOIN, SECOND, MappingProblem, SolvedMapping, value_of

GUIDE = 1.0
"""What likeness of 1 counts beside a mapped relation while a mapping grows."""


def solve_greedy(problem: MappingProblem) -> SolvedMapping:
    """Return the mapping that grows by the match of the greatest gain; ties go to the earlier relation.

    While it grows likeness counts as much as structure: the first matches decide which others are possible, and
    structure alone cannot tell them apart. What comes of it is valued by the objective as every mapping is.
    """
    concepts = np.full(problem.concepts.shape[0], -1, np.int64)
    relations = np.full(problem.relations.shape[0], -1, np.int64)
    grown(problem, concepts, relations, np.zeros(problem.relations.shape), GUIDE)
    return value_of(problem, concepts, relations)


def grown(problem: MappingProblem, concepts: Any, relations: Any, noise: Any, weight: float) -> None:
    """Add to a mapping, in place, until nothing can be added."""
    from mensura.catalog.analogy.mapping.growing import grow

    grow(
        *problem.places, *problem.links, problem.concepts, problem.relations, concepts, relations, JOIN, SECOND,
        weight, noise,
    )  # fmt: skip
