"""Simulated answers of persons to items whose parameters are known."""

from dataclasses import dataclass

import numpy as np

from mensura.stats.response.curves import Curves
from mensura.stats.response.measurement import measure
from mensura.stats.response.responses import ResponseMatrix, response_matrix


@dataclass(frozen=True)
class Simulated:
    curves: Curves
    ability: np.ndarray
    matrix: ResponseMatrix


def drawn_curves(items, rng, *, c=0.0):
    return Curves(np.exp(rng.normal(0, 0.35, items)), rng.normal(0, 1.2, items), np.full(items, c))


def simulated(persons, items, *, seed, mean=0.0, sd=1.0, curves=None, c=0.0, missing=0.0):
    """Let persons with normal abilities answer; `missing` of the answers are lost at random."""
    rng = np.random.default_rng(seed)
    curves = curves or drawn_curves(items, rng, c=c)
    ability = rng.normal(mean, sd, persons)
    right = (rng.random((persons, items)) < curves.right(ability).T).astype(float)
    right[rng.random(right.shape) < missing] = np.nan
    return Simulated(curves, ability, response_matrix(right))


def people_and_machines(machines, *, scrambled=False):
    """Measure 150 people and so many machines that are half a standard deviation abler, by the same or other items."""
    people = simulated(150, 12, seed=1)
    curves = people.curves
    if scrambled:
        curves = Curves(curves.a, curves.b[::-1].copy(), curves.c)
    others = simulated(machines, 12, seed=2, mean=0.5, curves=curves)
    matrix = response_matrix(np.vstack([people.matrix.right, others.matrix.right]))
    return measure(matrix, model="2pl", people=[True] * 150 + [False] * machines)
