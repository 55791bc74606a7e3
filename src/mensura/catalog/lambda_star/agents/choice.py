"""Choosing among equals, and stepping toward a cell: what several agents do."""

from collections.abc import Sequence

import numpy as np

from mensura.catalog.lambda_star.environment.observation import Observation


def uniform_best(values: Sequence[float], rng: np.random.Generator) -> int:
    """Draw the place of one of the highest values."""
    best = max(values)
    places = [place for place, value in enumerate(values) if value == best]
    return places[0] if len(places) == 1 else places[int(rng.random() * len(places))]


def best_in_sight(observation: Observation, values: Sequence[float], rng: np.random.Generator) -> int:
    """Return the cell in sight of highest value, drawn among equals; one in reach where all are equal."""
    if min(values) == max(values):
        return observation.torus.moves[observation.cell][int(rng.random() * 9)]
    return observation.seen[uniform_best(values, rng)]


def toward(observation: Observation, target: int) -> int:
    """Return the action, 1 to 9, that is one step toward a cell."""
    return observation.torus.toward(observation.cell, target) + 1
