"""A mind: what a subject does with evidence. The base judges, updates and decides as well as can be."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.probs import published_probs
from mensura.catalog.sensemaking.solving.information import best_layers, expected_gain

Belief = NDArray[np.float64]
WORTH_BUYING = 0.1
"""Bits per credit below which an INT is left on the shelf."""


class ReferenceMind:
    """The normative mind: Bayes throughout, all on the likeliest, and the INT of greatest mutual information.

    Beliefs are probabilities over the hypotheses of the trial, on the last axis: a mind without chance judges many
    trials at once. Children change what they do differently.
    """

    name: ClassVar[str] = "normative"
    about: ClassVar[str] = "Bayesian in every judgement, puts all on the likeliest, asks for the most informative INT"
    bounds: ClassVar[Mapping[str, tuple[float, float]]] = {}
    """Parameters of the mind, with the range each may take."""

    def __init__(self, **parameters: float) -> None:
        self.parameters = parameters
        self.rng = np.random.default_rng(0)
        self.probs = published_probs()

    def begin(self, rng: np.random.Generator) -> None:
        """Take the chance this mind may use."""
        self.rng = rng

    def judge(self, normative: Belief) -> Belief:
        """Judge groups from a sample of attacks whose exact message is `normative`."""
        return normative

    def judge_sites(self, normative: Belief) -> Belief:
        """Judge sites from their distances, whose exact message is `normative`."""
        return self.judge(normative)

    def start(self, shown: Belief, exact: Belief) -> Belief:
        """Take in HUMINT that is given in whole percents; `exact` is what the roads themselves say."""
        return exact

    def update(self, before: Belief, likelihood: Belief) -> Belief:
        """Combine what was believed with a report whose likelihoods are given."""
        posterior = before * likelihood
        total = posterior.sum(axis=-1, keepdims=True)
        return np.where(total > 0, posterior / np.where(total > 0, total, 1.0), before)

    def allocate(self, belief: Belief) -> Belief:
        """Divide the resources, as shares of one."""
        return all_on_likeliest(belief)

    def say(self, belief: Belief) -> Belief:
        """Report a belief that follows from another by arithmetic alone."""
        return belief

    def pick(self, belief: Belief) -> int:
        """Choose one hypothesis where only one may be chosen."""
        return int(np.argmax(belief))

    def choose(self, belief: Belief, menu: Sequence[Layer], *, groups: Sequence[str]) -> Layer:
        """Choose the next INT."""
        return best_layers(belief, menu=menu, groups=groups, probs=self.probs)[0]

    def surprise(self, belief: Belief, truth: int) -> int:
        """Report surprise from 0 to 6 at what came true: the less it was believed, the more."""
        return int(np.clip(np.floor(6 * (1 - belief[truth]) + 0.5), 0, 6))

    def buy(
        self, belief: Belief, offered: Mapping[Layer, float], *, credits: float, groups: Sequence[str]
    ) -> list[Layer]:
        """Buy INTs after feedback (Task 7): the one with most bits per credit, if a credit brings a tenth of a bit."""
        worth = {
            layer: expected_gain(belief, layer, groups=groups, probs=self.probs) / cost
            for layer, cost in offered.items()
            if 0 < cost <= credits
        }
        best = max(worth, key=lambda layer: worth[layer], default=None)
        return [] if best is None or worth[best] < WORTH_BUYING else [best]

    def declared(self) -> dict[str, Any]:
        """The parameters, as declared and hashed with every run."""
        return {"mind": self.name, **self.parameters}


def all_on_likeliest(belief: Belief) -> Belief:
    """Everything on the first of the largest."""
    return np.asarray((np.arange(len(belief)) == np.argmax(belief)).astype(float))


def even(belief: Belief) -> Belief:
    """All alike."""
    return np.full(belief.shape, 1 / belief.shape[-1])


def towards(start: Belief, end: Belief, *, share: float) -> Belief:
    """Move a share of the way from one belief to another."""
    return np.asarray(start + share * (end - start))
