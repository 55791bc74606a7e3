"""Distributed breakout, compiled: `algorithms/dba.py` says what it does and why."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mensura.catalog.constraints.compiled.compiled import compiled
from mensura.catalog.constraints.compiled.lockstep import LockstepRun, PricedLinks

Ints = np.ndarray[Any, Any]


@compiled
def offer(
    value: Ints,
    best: Ints,
    gain: Ints,
    now: Ints,
    steps: Ints,
    weights: Ints,
    acts: Ints,
    first: Ints,
    target: Ints,
    sizes: Ints,
    prices: Any,
    spent: Ints,
) -> None:
    """Let those who act find by how much they could improve."""
    costs = np.zeros(prices.shape[1], np.int64)
    for me in range(len(value)):
        if not acts[me]:
            continue
        begin, end = first[me], first[me + 1]
        costs[:] = 0
        for link in range(begin, end):
            for own in range(sizes[me]):
                if prices[link, own, value[target[link]]] > 0:
                    costs[own] += weights[link]
        now[me] = costs[value[me]]
        best[me], gain[me] = value[me], 0
        spent[me] = end - begin
        if now[me]:
            spent[me] *= sizes[me]
            best[me] = np.argmin(costs[: sizes[me]])
            gain[me] = now[me] - costs[best[me]]
            steps[me] = 0


@compiled
def move(
    value: Ints,
    best: Ints,
    gain: Ints,
    now: Ints,
    steps: Ints,
    weights: Ints,
    acts: Ints,
    silent: Ints,
    first: Ints,
    target: Ints,
    ranks: Ints,
    prices: Any,
    spent: Ints,
) -> None:
    """Let the best of those near move, or let weights grow."""
    before, counted = value.copy(), steps.copy()
    for me in range(len(value)):
        if not acts[me]:
            continue
        most, quiet, first_of_all = gain[target[first[me]]], now[me] == 0, True
        for link in range(first[me], first[me + 1]):
            other = target[link]
            most = max(most, gain[other])
            steps[me] = min(steps[me], counted[other])
            quiet &= now[other] == 0
            first_of_all &= gain[me] > gain[other] or (gain[me] == gain[other] and ranks[me] < ranks[other])
        if quiet:
            steps[me] += 1
            if steps[me] > len(value):
                silent[me] = 1
                continue
        if gain[me] > 0 and first_of_all:
            value[me] = best[me]
        elif now[me] and gain[me] <= 0 and most <= 0:
            for link in range(first[me], first[me + 1]):
                spent[me] += 1
                if prices[link, before[me], before[target[link]]] > 0:
                    weights[link] += 1


class BreakoutRun(LockstepRun):
    """A run of distributed breakout: agents that see nothing violated for long enough fall silent."""

    phases = ("ok", "improve")

    def __init__(self, links: PricedLinks, agents: Sequence[Any], latencies: Ints) -> None:
        count = len(agents)
        self.weights = np.ones(len(links.target), np.int64)
        self.best, self.gain, self.now, self.steps, self.silent = (np.zeros(count, np.int64) for _ in range(5))
        super().__init__(links, agents, latencies)

    def _speaks(self) -> Any:
        return 1 - self.silent

    def _act(self, spent: Ints, acts: Ints) -> None:
        links = self.links
        if self.cycle % 2 == 0:
            offer(
                self.values,
                self.best,
                self.gain,
                self.now,
                self.steps,
                self.weights,
                acts,
                links.first,
                links.target,
                links.sizes,
                links.prices,
                spent,
            )
        else:
            move(
                self.values,
                self.best,
                self.gain,
                self.now,
                self.steps,
                self.weights,
                acts,
                self.silent,
                links.first,
                links.target,
                links.ranks,
                links.prices,
                spent,
            )
