"""Makes a whole world from parameters and chance."""

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from mensura.catalog.detection.world.clutter import make_clutter
from mensura.catalog.detection.world.evidence import Evidence, observe
from mensura.catalog.detection.world.exploitation import ATTACK, Exploitations, make_exploitations
from mensura.catalog.detection.world.means import Means, make_means
from mensura.catalog.detection.world.parameters import WorldParameters
from mensura.catalog.detection.world.patterns import LIBRARY
from mensura.catalog.detection.world.society import Population, make_society
from mensura.catalog.detection.world.transactions import Transactions, unfold
from mensura.catalog.detection.world.truth import GroundTruth, make_truth


@dataclass(frozen=True, slots=True)
class ThreatWorld:
    """Everything there is: what is true, what can be seen, and what is given away about the patterns."""

    parameters: WorldParameters
    means: Means
    society: Population
    exploitations: Exploitations
    transactions: Transactions
    evidence: Evidence
    truth: GroundTruth
    hidden_methods: frozenset[tuple[str, str]]


def make_world(parameters: WorldParameters, rng: Generator) -> ThreatWorld:
    """Simulate a world; the same parameters and generator state give the same world.

    >>> world = make_world(WorldParameters(individuals=200), np.random.default_rng(1))
    >>> len(world.society.threat), bool(len(world.evidence) > 0)
    (10, True)
    """
    means = make_means(parameters, rng)
    society = make_society(parameters, means, rng)
    exploitations = make_exploitations(parameters, means, society, rng)
    acts = unfold(parameters, means, society, exploitations, rng)
    signal = int(np.sum(exploitations.context[acts.event] == ATTACK))
    transactions = Transactions.joined([acts, make_clutter(parameters, means, society, rng, signal=signal)])
    evidence = observe(parameters, means, society, exploitations, transactions, rng)
    truth = make_truth(parameters, means, society, exploitations, transactions, rng)
    hidden = frozenset(
        (name, method.name)
        for name, methods in LIBRARY.items()
        for method in methods
        if len(methods) > 1 and rng.random() >= parameters.method_known
    )
    return ThreatWorld(parameters, means, society, exploitations, transactions, evidence, truth, hidden)
