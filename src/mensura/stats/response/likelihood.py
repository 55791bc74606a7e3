"""Likelihood of item parameters, with abilities averaged out: expected counts, steps and information."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mensura.stats.intervals.sample import Floats
from mensura.stats.response.curves import TINY
from mensura.stats.response.responses import Model

NODES = 61
FARTHEST = 6.0
C_PRIOR = (5.0, 17.0)
"""Beta prior of the lower asymptote c of the 3pl model: its mode is 0.2."""
LONGEST_STEP = 1.0
STEEPEST = 12.0
"""Slopes beyond this are not told apart by any data, and lead numbers astray."""


def grid(nodes: int = NODES) -> tuple[Floats, Floats]:
    """Return abilities from -6 to 6 and their shares in a normal population of mean 0 and standard deviation 1."""
    ability = np.linspace(-FARTHEST, FARTHEST, nodes)
    weight = np.exp(-0.5 * ability**2)
    return ability, weight / weight.sum()


@dataclass(frozen=True, eq=False)
class Expected:
    """Expectations of abilities under some parameters."""

    log_likelihood: float
    posterior: Floats
    """Patterns × nodes."""
    right: Floats
    """Items × nodes: how many right answers were given at each ability."""
    asked: Floats


class Marginal:
    """The marginal likelihood of one matrix: parameters are slope, intercept and, of 3pl, the logit of c for each item.

    Persons with the same answers are counted together. All arrays of parameters are items × 2 or items × 3.
    """

    def __init__(self, right: Floats, *, model: Model, nodes: int = NODES) -> None:
        self.model: Model = model
        filled = np.where(np.isnan(right), -1, right).astype(np.int8)
        patterns, counts = np.unique(filled, axis=0, return_counts=True)
        self.counts: Floats = counts.astype(float)
        self.ones: Floats = (patterns == 1).astype(float)
        self.known: Floats = (patterns >= 0).astype(float)
        self.ability, self.weight = grid(nodes)

    @cached_property
    def start(self) -> Floats:
        """Parameters to begin with: slope 1, and the difficulty that the share of right answers suggests."""
        share = (self.counts @ self.ones + 0.5) / (self.counts @ self.known + 1)
        columns = [np.ones(len(share)), 1.16 * np.log(share / (1 - share))]
        if self.model == "3pl":
            columns.append(np.full(len(share), np.log(0.15 / 0.85)))
            columns[1] = columns[1] - 0.5
        return np.column_stack(columns)

    def chance(self, parameters: Floats) -> Floats:
        """Return the chance of a right answer, items × nodes."""
        rising = 1 / (1 + np.exp(-np.clip(np.outer(parameters[:, 0], self.ability) + parameters[:, 1:2], -500, 500)))
        low = _logistic(parameters[:, 2:3]) if self.model == "3pl" else 0.0
        return np.asarray(np.clip(low + (1 - low) * rising, TINY, 1 - TINY))

    def expect(self, parameters: Floats) -> Expected:
        """Return the log likelihood, the posterior of each pattern and the expected counts."""
        chance = self.chance(parameters)
        wrong = np.log1p(-chance)
        joint = self.ones @ (np.log(chance) - wrong) + self.known @ wrong
        highest = joint.max(axis=1, keepdims=True)
        mass = np.exp(joint - highest) * self.weight
        total = mass.sum(axis=1, keepdims=True)
        posterior = mass / total
        counted = posterior * self.counts[:, None]
        log_likelihood = float(self.counts @ (np.log(total) + highest)[:, 0])
        return Expected(log_likelihood, posterior, self.ones.T @ counted, self.known.T @ counted)

    def penalty(self, parameters: Floats) -> float:
        """Return the logarithm of the prior of the parameters, up to a constant."""
        if self.model != "3pl":
            return 0.0
        low = _logistic(parameters[:, 2])
        return float(((C_PRIOR[0] - 1) * np.log(low) + (C_PRIOR[1] - 1) * np.log1p(-low)).sum())

    def derivatives(self, parameters: Floats) -> tuple[Floats, Floats]:
        """Return P, items × nodes, and the derivatives of P over PQ, parameters × items × nodes."""
        chance = self.chance(parameters)
        if self.model != "3pl":
            ones = np.ones_like(chance)
            return chance, np.stack([ones * self.ability, ones])
        low = _logistic(parameters[:, 2:3])
        steep = (chance - low) / (chance * (1 - low))
        return chance, np.stack([steep * self.ability, steep, low / chance])

    def gradient(self, parameters: Floats, expected: Expected) -> Floats:
        """Return the gradient of the log posterior, the expected counts being given, items × parameters."""
        chance, factors = self.derivatives(parameters)
        slope: Floats = np.einsum("mjk,jk->jm", factors, expected.right - expected.asked * chance)
        if self.model == "3pl":
            low = _logistic(parameters[:, 2])
            slope[:, 2] += (C_PRIOR[0] - 1) * (1 - low) - (C_PRIOR[1] - 1) * low
        return slope

    def improve(self, parameters: Floats, expected: Expected) -> Floats:
        """Make one scoring step towards the parameters that the expected counts fit best."""
        chance, factors = self.derivatives(parameters)
        slope = self.gradient(parameters, expected)
        spread = expected.asked * chance * (1 - chance)
        information = np.einsum("mjk,jk,njk->jmn", factors, spread, factors)
        if self.model == "3pl":
            low = _logistic(parameters[:, 2])
            information[:, 2, 2] += (sum(C_PRIOR) - 2) * low * (1 - low)
        step = _common_step(slope, information) if self.model == "rasch" else _own_steps(slope, information)
        step = np.clip(step, -LONGEST_STEP, LONGEST_STEP)
        if (steep := np.abs(parameters[:, 0] + step[:, 0]) > STEEPEST).any():
            # A slope that can go no farther is held there, and the others are the best beside it.
            step[steep, 0] = bounded(parameters + step)[steep, 0] - parameters[steep, 0]
            beside = slope[steep, 1:] - information[steep, 1:, 0] * step[steep, :1]
            step[steep, 1:] = np.clip(_own_steps(beside, information[steep, 1:, 1:]), -LONGEST_STEP, LONGEST_STEP)
        moved = parameters + step
        return bounded(moved)

    def information(self, parameters: Floats) -> Floats:
        """Return the observed information of all parameters, item by item, by Louis's identity.

        Complete information less what is missing because abilities are not seen:
        E[B] - E[ss'] + E[s]E[s]' summed over persons.
        """
        expected = self.expect(parameters)
        chance, factors = self.derivatives(parameters)
        items, kinds = parameters.shape
        made = np.zeros((kinds, items, kinds, items))
        for place, each in enumerate(self._curvature(parameters, expected)):
            made[:, place, :, place] = each
        counted = expected.posterior * self.counts[:, None]
        for node in range(len(self.ability)):
            apart = self.ones - self.known * chance[:, node]
            crossed = apart.T @ (apart * counted[:, node : node + 1])
            made -= np.einsum("mi,nj,ij->minj", factors[:, :, node], factors[:, :, node], crossed, optimize=True)
        means = [
            self.ones * (expected.posterior @ factor.T) - self.known * (expected.posterior @ (factor * chance).T)
            for factor in factors
        ]
        for one, first in enumerate(means):
            for other, second in enumerate(means):
                made[one, :, other] += (first * self.counts[:, None]).T @ second
        return np.asarray(made.transpose(1, 0, 3, 2).reshape(items * kinds, items * kinds))

    def _curvature(self, parameters: Floats, expected: Expected) -> Floats:
        """Return minus the second derivatives for each item, the expected counts being given."""
        kinds = parameters.shape[1]
        width = 1e-5
        made = np.empty((len(parameters), kinds, kinds))
        for kind in range(kinds):
            change = np.zeros(kinds)
            change[kind] = width
            ahead, behind = (self.gradient(parameters + sign * change, expected) for sign in (1, -1))
            made[:, :, kind] = (behind - ahead) / (2 * width)
        return (made + made.transpose(0, 2, 1)) / 2


def bounded(parameters: Floats) -> Floats:
    """Keep parameters where they mean something; an intercept may be that of the steepest item far from everyone."""
    most = np.array([STEEPEST, STEEPEST * FARTHEST, STEEPEST])[: parameters.shape[1]]
    return np.clip(parameters, -most, most)


def _own_steps(slope: Floats, information: Floats) -> Floats:
    ridge = 1e-8 * np.eye(slope.shape[1]) * (1 + np.abs(information).max(axis=(1, 2), keepdims=True))
    return np.asarray(np.linalg.solve(information + ridge, slope[:, :, None])[:, :, 0])


def _common_step(slope: Floats, information: Floats) -> Floats:
    """Return the step of one slope for all items and of their intercepts."""
    both, own = information[:, 0, 1], information[:, 1, 1] + 1e-8
    common = (slope[:, 0] - both * slope[:, 1] / own).sum() / ((information[:, 0, 0] - both**2 / own).sum() + 1e-8)
    return np.column_stack([np.full(len(slope), common), (slope[:, 1] - both * common) / own])


def _logistic(value: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(value, -500, 500))))
