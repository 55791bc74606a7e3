"""Proteins: energies against walks that are listed one by one, and against published ones."""

from math import ceil, sqrt

import numpy as np
import pytest

from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.oracle.cp_sat import solve
from mensura.catalog.constraints.oracle.find import truth_of


def energy(sequence, axes):
    """Return the least energy over all self-avoiding walks, by listing them."""
    steps = [tuple(sign * (i == axis) for i in range(axes)) for axis in range(axes) for sign in (1, -1)]
    best = 0

    def walk(path):
        nonlocal best
        if len(path) == len(sequence):
            at = {place: i for i, place in enumerate(path)}
            touching = (
                (at[place], at.get(tuple(map(sum, zip(place, step, strict=True))), -1))
                for place in path
                for step in steps
            )
            best = min(best, -sum(j > i + 1 and sequence[i] == sequence[j] == "H" for i, j in touching))
            return
        for step in steps if len(path) > 1 else steps[:1]:
            place = tuple(map(sum, zip(path[-1], step, strict=True)))
            if place not in path:
                walk([*path, place])

    walk([(0,) * axes])
    return best


@pytest.mark.parametrize("sequence", ["HPPH", "HHHH", "HPPHPPH", "HPHPPHH", "PHPPHPPH", "HHPPHPHH"])
def test_folds_in_the_plane_have_the_energy_of_the_best_walk(sequence):
    problem = find_problem(f"proteins:sequence={sequence},box=6", np.random.default_rng(1))
    assert _best(problem) == energy(sequence, 2)


@pytest.mark.parametrize("sequence", ["HPPH", "HPPHPH", "HHPHPH"])
def test_folds_in_space_have_the_energy_of_the_best_walk(sequence):
    problem = find_problem(f"proteins:sequence={sequence},lattice=cubic,box=4", np.random.default_rng(1))
    assert _best(problem) == energy(sequence, 3)


@pytest.mark.parametrize("n", [6, 9, 12, 16])
def test_a_chain_of_h_alone_is_as_compact_as_a_polyomino_can_be(n):
    """n cells of the square lattice have at most 2n - ⌈2√n⌉ neighbours: Harary and Harborth (1976); n - 1 are bonds."""
    problem = find_problem(f"proteins:sequence={'H' * n},box=4", np.random.default_rng(1))
    assert _best(problem) == -(2 * n - ceil(2 * sqrt(n)) - (n - 1))


def test_a_chain_of_eight_h_fills_a_cube():
    """A cube has twelve edges, seven of which are bonds."""
    assert _best(find_problem("proteins:sequence=HHHHHHHH,lattice=cubic,box=2", np.random.default_rng(1))) == -5


def test_a_chain_without_h_is_only_a_walk():
    problem = find_problem("proteins:sequence=PPP,box=2", np.random.default_rng(1))
    # The first has two cells of its parity, each with two ways round the square.
    assert (problem.objective, truth_of(problem).solutions) == ("satisfy", 4)


def _best(problem):
    verdict, assignment = solve(problem, seconds=60)
    assert verdict == "best"
    return problem.cost(assignment)
