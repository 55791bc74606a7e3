"""The best answers: normative distributions for every stage of every task, and the worth of each INT."""

from mensura.catalog.sensemaking.solving.distribution import (
    divergence,
    entropy,
    floor,
    integer_percents,
    negentropy,
    similarity,
)
from mensura.catalog.sensemaking.solving.information import best_layers, expected_gain
from mensura.catalog.sensemaking.solving.normative import normative_stages, solve
from mensura.catalog.sensemaking.solving.waves import WaveBelief, solve_waves

__all__ = [
    "WaveBelief",
    "best_layers",
    "divergence",
    "entropy",
    "expected_gain",
    "floor",
    "integer_percents",
    "negentropy",
    "normative_stages",
    "similarity",
    "solve",
    "solve_waves",
]
