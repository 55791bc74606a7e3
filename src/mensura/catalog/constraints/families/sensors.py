"""Sensor tracking: sensors on a grid turn to targets, each of which takes several of them."""

from itertools import product

import numpy as np

from mensura.catalog.constraints.families.network import names_of
from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter

TURNS = ("off", "nw", "ne", "sw", "se")


def sensors(rng: np.random.Generator, *, n: int = 16, targets: int = 4, need: int = 3, most: int = 10) -> Problem:
    """Track as many targets as can be with n sensors on a square grid.

    A target is in the middle of four sensors. It is tracked if at least `need` of them turn to it; otherwise it costs
    a whole number from 1 to `most`. A sensor turns one way or is off, and being on costs 1. Constraints are on four
    sensors at once. (After the grid of Zhang et al. 2005, Artificial Intelligence 161, 55-87; costs are ours.)
    """
    side = round(n**0.5)
    if n < 4 or side * side != n:
        raise BadParameter(f"Sensors are placed on a square grid: n is 4, 9, 16, 25 ...; got n={n}.")
    if not 0 <= targets <= (side - 1) ** 2:
        raise BadParameter(f"{n} sensors have room for 0 to {(side - 1) ** 2} targets; got targets={targets}.")
    if not 1 <= need <= 4 or most < 1:
        raise BadParameter(f"A target needs 1 to 4 sensors and costs at least 1; got need={need}, most={most}.")
    names = names_of(n)
    constraints = [Constraint((name,), np.array([0.0, 1, 1, 1, 1])) for name in names]
    # Of the four sensors round a target, the one in the north-west turns south-east to it, and so on.
    turned = np.zeros((5, 5, 5, 5), dtype=int)
    for corner, turn in enumerate(("se", "sw", "ne", "nw")):
        shape = [5 if i == corner else 1 for i in range(4)]
        turned = turned + (np.arange(5) == TURNS.index(turn)).reshape(shape)
    places = rng.choice((side - 1) ** 2, size=targets, replace=False).tolist()
    for place, worth in zip(sorted(places), rng.integers(1, most + 1, size=targets).tolist(), strict=True):
        y, x = divmod(place, side - 1)
        scope = tuple(names[(y + j) * side + x + i] for j, i in product((0, 1), (0, 1)))
        constraints.append(Constraint(scope, np.where(turned >= need, 0.0, float(worth))))
    return Problem(
        name="sensors",
        objective="min",
        domains={"turns": TURNS},
        variables=dict.fromkeys(names, "turns"),
        agents={name: (name,) for name in names},
        constraints=tuple(constraints),
        place={name: (float(i % side), float(i // side)) for i, name in enumerate(names)},
        notes={"targets": targets, "links_per_variable": targets / n},
    )
