"""Improved mapping: part of a mapping is destroyed and grown anew, so many times, and kept if it is worth no less."""

from typing import Any

import numpy as np

from mensura.catalog.analogy.mapping.greedy import grown, solve_greedy
from mensura.catalog.analogy.mapping.objective import MappingProblem, SolvedMapping, value_of

SEED = 24
NOISE = 0.6
"""How much chance is added to the gain of a match while a mapping is repaired."""


def solve_improved(problem: MappingProblem, *, budget: int) -> SolvedMapping:
    """Return the best mapping met in so many repairs, from the greedy one on, always the same."""
    best = held = solve_greedy(problem)
    rng = np.random.default_rng(SEED)
    for _ in range(budget):
        mapped = np.flatnonzero(held.relations >= 0)
        if not len(mapped):
            return best
        concepts, relations = _destroyed(problem, held, mapped, rng)
        noise = NOISE * rng.random(problem.relations.shape) * rng.random()
        grown(problem, concepts, relations, noise, problem.epsilon)
        found = value_of(problem, concepts, relations, bound=held.bound)
        if found.value >= held.value:
            held = found
            best = found
    return best


def _destroyed(problem: MappingProblem, held: SolvedMapping, mapped: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """Return the mapping without a part: relations around a concept pair, or some drawn at random."""
    relations = held.relations.copy()
    share = rng.uniform(0.1, 0.6)
    if rng.random() < 0.5:
        gone = mapped[rng.random(len(mapped)) < share]
    else:
        centre = problem.places[0][rng.choice(mapped)]
        near = set(centre[centre >= 0].tolist())
        for at in mapped.tolist():
            around = set(problem.places[0][at].tolist()) - {-1}
            if around & near and rng.random() < share + 0.3:
                near |= around
        gone = np.array([at for at in mapped.tolist() if set(problem.places[0][at].tolist()) & near], dtype=np.int64)
    relations[gone] = -1
    concepts = np.full(len(held.concepts), -1, np.int64)
    for at in np.flatnonzero(relations >= 0).tolist():
        for role in range(2):
            if problem.places[0][at, role] >= 0:
                concepts[problem.places[0][at, role]] = problem.places[1][relations[at], role]
    return concepts, relations
