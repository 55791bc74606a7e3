"""The best answers: normative distributions for every stage of every task, and the worth of each INT."""

from mensura.catalog.sensemaking.solving.distribution import (
    divergence,
    entropy,
    floor,
    integer_percents,
    negentropy,
    similarity,
)
from mensura.catalog.sensemaking.solving.information import (
    adaptive_sequence,
    best_layers,
    best_sequence,
    expected_gain,
    greedy_sequence,
)
from mensura.catalog.sensemaking.solving.normative import normative_stages, solve
from mensura.catalog.sensemaking.solving.waves import WaveBelief, solve_waves

__all__ = [
    "WaveBelief",
    "adaptive_sequence",
    "best_layers",
    "best_sequence",
    "divergence",
    "entropy",
    "expected_gain",
    "floor",
    "greedy_sequence",
    "integer_percents",
    "negentropy",
    "normative_stages",
    "similarity",
    "solve",
    "solve_waves",
]
