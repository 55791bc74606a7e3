"""Local search in lockstep, compiled: DSA and MGM.

In synchronous runs everyone hears everyone near in every cycle, so that no letter need be written: what was said last
is what is heard.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.compiled.compiled import compiled
from mensura.catalog.constraints.compiled.post import CHECKS, CYCLES, LIMITS, MESSAGES, RunCounts, make_counts

Ints = np.ndarray[Any, Any]
Floats = np.ndarray[Any, Any]
DRAWN = 256
"""Numbers that an agent draws at once."""
SIZES = {"ok": 1, "improve": 3}
"""What a letter holds; those of all other kinds hold the number of their turn and one thing more."""


@dataclass(frozen=True)
class PricedLinks:
    """Agents by number with what their links cost, in the order in which each agent holds its constraints."""

    names: tuple[str, ...]
    ranks: Ints
    sizes: Ints
    first: Ints
    target: Ints
    prices: Floats
    """Link, own value and the other's → what it costs."""
    least: Floats
    """Link → the least that it can cost."""


def priced_links(agents: Sequence[Agent]) -> PricedLinks | None:
    """Write what agents hold as arrays; None where a constraint is not on two variables or an agent is alone."""
    if any(len(one.relations) != len(one.neighbours) or not one.neighbours for one in agents):
        return None
    if any(len(relation.scope) != 2 for one in agents for relation in one.relations):
        return None
    number = {one.name: place for place, one in enumerate(agents)}
    widest = max(len(one.domain) for one in agents)
    first = np.concatenate([[0], np.cumsum([len(one.relations) for one in agents])])
    target = np.array([number[one.owners[relation.scope[1]]] for one in agents for relation in one.relations])
    prices = np.zeros((len(target), widest, widest))
    for link, relation in enumerate(relation for one in agents for relation in one.relations):
        table = relation.prices
        prices[link, : table.shape[0], : table.shape[1]] = table
    least = np.array([relation.least for one in agents for relation in one.relations])
    sizes = np.array([len(one.domain) for one in agents])
    return PricedLinks(tuple(number), np.array([one.rank for one in agents]), sizes, first, target, prices, least)


@compiled
def costs_of(prices: Floats, target: Ints, begin: int, end: int, size: int, value: Ints, costs: Floats) -> None:
    """Sum what each value would cost, in the order of the constraints."""
    costs[:size] = 0.0
    for link in range(begin, end):
        theirs = value[target[link]]
        for own in range(size):
            costs[own] += prices[link, own, theirs]


@compiled
def chosen(costs: Floats, size: int, least: float, but: int, which: float) -> int:
    """Return one of the values that cost least, but for one, by a number from 0 to 1; -1 where there is none."""
    many = 0
    for own in range(size):
        many += costs[own] == least and own != but
    if many == 0:
        return -1
    wanted = int(which * many)
    for own in range(size):
        if costs[own] == least and own != but:
            if wanted == 0:
                return own
            wanted -= 1
    return -1


@compiled
def hear_all(clock: Ints, told: Ints, said: Ints, letters: Ints, first: Ints, target: Ints, latencies: Ints) -> None:
    """Move everyone's clocks to what those near said in the last turn, and count who spoke."""
    for me in range(len(first) - 1):
        letters[me] = 0
        for link in range(first[me], first[me + 1]):
            if said[target[link]]:
                letters[me] += 1
                for latency in range(len(latencies)):
                    clock[me, latency] = max(clock[me, latency], told[target[link], latency] + latencies[latency])


@compiled
def dsa_cycle(
    value: Ints,
    new: Ints,
    first: Ints,
    target: Ints,
    sizes: Ints,
    prices: Floats,
    least: Floats,
    drawn: Floats,
    used: Ints,
    spent: Ints,
    variant: int,
    p: float,
) -> None:
    """Let everyone move, perhaps; `algorithms/optimising/dsa.py` says how."""
    costs = np.zeros(prices.shape[1])
    for me in range(len(value)):
        begin, end, size = first[me], first[me + 1], sizes[me]
        costs_of(prices, target, begin, end, size, value, costs)
        spent[me] = size * (end - begin)
        new[me] = value[me]
        best = costs[:size].min()
        but = -1
        if best == costs[value[me]]:
            but = value[me]
            if variant == 0 or chosen(costs, size, best, but, 0.0) < 0:
                continue
            if variant == 1:
                conflict = False
                for link in range(begin, end):
                    spent[me] += 1
                    if prices[link, value[me], value[target[link]]] > least[link]:
                        conflict = True
                        break
                if not conflict:
                    continue
        used[me] += 1
        if drawn[me, used[me] - 1] < p:
            used[me] += 1
            new[me] = chosen(costs, size, best, but, drawn[me, used[me] - 1])


@compiled
def gain_cycle(
    value: Ints,
    best: Ints,
    gain: Floats,
    first: Ints,
    target: Ints,
    sizes: Ints,
    prices: Floats,
    drawn: Floats,
    used: Ints,
    spent: Ints,
) -> None:
    """Let everyone find its best value and what that gains."""
    costs = np.zeros(prices.shape[1])
    for me in range(len(value)):
        begin, end, size = first[me], first[me + 1], sizes[me]
        costs_of(prices, target, begin, end, size, value, costs)
        spent[me] = size * (end - begin)
        lowest = costs[:size].min()
        gain[me] = costs[value[me]] - lowest
        used[me] += 1
        best[me] = chosen(costs, size, lowest, -1, drawn[me, used[me] - 1])


@compiled
def move_cycle(value: Ints, best: Ints, gain: Floats, first: Ints, target: Ints, ranks: Ints, spent: Ints) -> None:
    """Let those move who gain more than anyone near, or as much and have an earlier rank."""
    moves = np.zeros(len(value), np.bool_)
    spent[:] = 0
    for me in range(len(value)):
        moves[me] = gain[me] > 0
        for link in range(first[me], first[me + 1]):
            other = target[link]
            if gain[other] > gain[me] or (gain[other] == gain[me] and ranks[other] < ranks[me]):
                moves[me] = False
                break
    for me in range(len(value)):
        if moves[me]:
            value[me] = best[me]


class LockstepRun:
    """A run in lockstep: `agents` have begun, so that their first values and their chance are their own.

    Everyone who has heard from all who are near acts, and says something for the next turn.
    """

    phases: tuple[str, ...]
    stopped = np.array([], np.int64)
    """Nothing is ever proved."""

    def __init__(self, links: PricedLinks, agents: Sequence[Any], latencies: Ints) -> None:
        count = len(agents)
        self.links, self.agents, self.latencies = links, agents, latencies
        self.values = np.array([one.domain.index(one.value) for one in agents])
        self.counts: RunCounts = make_counts(count, kinds=len(self.phases), latencies=len(latencies))
        self.cycle, self.reached = 0, ""
        self.degree = np.diff(links.first)
        self.said = np.ones(count, np.int64)
        self._say()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of messages."""
        return self.phases

    def run(self, limits: Ints, note: Callable[[int, Ints], None] = lambda cycle, values: None) -> None:
        """Run to the end; `note` is told the values after each cycle."""
        note(0, self.values)
        while self.said.any():
            sent, checks = self.counts.sent.sum(), self.counts.checks.sum()
            reached = [self.cycle >= limits[CYCLES], sent >= limits[MESSAGES], checks >= limits[CHECKS]]
            if any(reached):
                self.reached = LIMITS[reached.index(True)]
                return
            self._turn()
            note(self.cycle, self.values)

    def _say(self) -> None:
        spoken = self.degree * self.said
        self.counts.sent[:, self.cycle % len(self.phases)] += spoken
        self.counts.size[:] += SIZES.get(self.phases[self.cycle % len(self.phases)], 2) * spoken
        self.told = self.counts.clock.copy()

    def _turn(self) -> None:
        links, counts = self.links, self.counts
        letters, spent = np.zeros_like(self.degree), np.zeros_like(self.degree)
        hear_all(counts.clock, self.told, self.said, letters, links.first, links.target, self.latencies)
        counts.received[:] += letters
        counts.wakings[:] += letters > 0
        acts = (letters == self.degree).astype(np.int64)
        self._act(spent, acts)
        counts.checks[:] += spent
        counts.clock[:] += spent[:, None]
        self.cycle += 1
        self.said = acts * self._speaks()
        self._say()

    def _act(self, spent: Ints, acts: Ints) -> None:
        raise NotImplementedError

    def _speaks(self) -> Any:
        """Return who goes on speaking after a turn."""
        return 1


class DrawingRun(LockstepRun):
    """A run whose agents draw numbers while it goes on, each from its own chance; all fall silent after some steps."""

    def __init__(self, links: PricedLinks, agents: Sequence[Any], latencies: Ints) -> None:
        self.drawn = np.stack([one.rng.random(DRAWN) for one in agents])
        self.used = np.zeros(len(agents), np.int64)
        super().__init__(links, agents, latencies)

    def _speaks(self) -> Any:
        steps = self.agents[0].steps
        return 1 if steps is None or self.cycle < steps * len(self.phases) else 0

    def _draw(self) -> None:
        """Give new numbers to those who have too few for a turn, after those they have not used."""
        for me in np.flatnonzero(self.used > DRAWN - 2):
            rest = self.drawn[me, self.used[me] :]
            self.drawn[me] = np.concatenate([rest, self.agents[int(me)].rng.random(DRAWN - len(rest))])
            self.used[me] = 0


class DsaRun(DrawingRun):
    """A run of the distributed stochastic algorithm."""

    phases = ("value",)

    def _act(self, spent: Ints, acts: Ints) -> None:
        self._draw()
        links, one, new = self.links, self.agents[0], self.values.copy()
        dsa_cycle(
            self.values,
            new,
            links.first,
            links.target,
            links.sizes,
            links.prices,
            links.least,
            self.drawn,
            self.used,
            spent,
            "ABC".index(one.variant),
            one.p,
        )
        self.values = new


class MgmRun(DrawingRun):
    """A run of maximum gain message."""

    phases = ("value", "gain")

    def _act(self, spent: Ints, acts: Ints) -> None:
        links = self.links
        if self.cycle % 2 == 0:
            self._draw()
            self.best, self.gain = np.zeros_like(self.values), np.zeros(len(self.values))
            gain_cycle(
                self.values,
                self.best,
                self.gain,
                links.first,
                links.target,
                links.sizes,
                links.prices,
                self.drawn,
                self.used,
                spent,
            )
        else:
            move_cycle(self.values, self.best, self.gain, links.first, links.target, links.ranks, spent)
