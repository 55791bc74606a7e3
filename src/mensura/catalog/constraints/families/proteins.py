"""Protein folding in the HP model: a chain on a lattice, in which H next to H is worth one unit of energy."""

from itertools import product
from typing import Literal

import numpy as np

from mensura.catalog.constraints.families.network import names_of
from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter


def proteins(
    rng: np.random.Generator,
    *,
    sequence: str = "HPPHPPH",
    lattice: Literal["square", "cubic"] = "square",
    box: int = 0,
) -> Problem:
    """Fold a chain of H and P so that as many H as can be are neighbours without being so in the chain.

    Each residue chooses a cell of a box (its side even, and wide enough unless given) whose parity is that of its place
    in the chain: steps change parity. Neighbours in the chain are neighbours on the lattice, no two residues share a
    cell, and each contact of two H costs -1, so that the optimum is the energy that papers give, for folds that fit
    into the box. Values are cells, counted along x, then y, then z.

    References
    ----------
    .. [1] Lau and Dill (1989), Macromolecules 22, 3986-3997.
    """
    n, axes = len(sequence), 2 if lattice == "square" else 3
    if n < 2 or set(sequence) - {"H", "P"}:
        raise BadParameter(f"A protein is a sequence of at least two letters H and P; got {sequence!r}.")
    side = box or _side(n, axes)
    if side % 2 or side**axes < n:
        raise BadParameter(f"A box needs an even side and room for {n} residues; got box={box}.")
    # Reversed, so that the first axis counts fastest.
    cells = np.array([place[::-1] for place in product(range(side), repeat=axes)])
    parity = cells.sum(axis=1) % 2
    held = [np.flatnonzero(parity == i % 2) for i in range(2)]
    # Cells of unlike parity can be neighbours, those of like parity can be the same.
    beside = np.abs(cells[held[0]][:, None] - cells[held[1]][None]).sum(axis=2) == 1
    names = names_of(n)
    constraints = []
    for i in range(n):
        for j in range(i + 1, n):
            touching = beside if i % 2 == 0 else beside.T
            if j == i + 1:
                table = touching
            elif (j - i) % 2 == 0:
                table = ~np.eye(len(held[i % 2]), dtype=bool)
            elif sequence[i] == sequence[j] == "H":
                table = -1.0 * touching
            else:
                continue
            constraints.append(Constraint((names[i], names[j]), table))
    return Problem(
        name="proteins",
        objective="min",
        domains={"even": tuple(held[0].tolist()), "odd": tuple(held[1].tolist())},
        variables={name: ("even", "odd")[i % 2] for i, name in enumerate(names)},
        agents={name: (name,) for name in names},
        constraints=tuple(constraints),
        notes={"sequence": sequence, "lattice": lattice, "side": side, "links_per_variable": len(constraints) / n},
    )


def _side(n: int, axes: int) -> int:
    """Return an even side with room for folds that are not as compact as can be."""
    side = int(np.ceil((2 * n) ** (1 / axes)))
    return side + side % 2
