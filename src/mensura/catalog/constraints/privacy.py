"""Privacy: how much of what only some agents were told the letters of a run reveal to others, by trying all worlds.

A tuple of an agent's constraint is private from another agent that was not told of the constraint. That agent is
granted everything else: the rest of the problem, the order, the algorithm. It goes through all worlds, one for each way
in which the private tuples might be allowed or forbidden, and keeps those in which it would have read the very same
letters in the very same cycles. A tuple is revealed where all these worlds agree on it. To who knows less, less is.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.mailman import Mailman, Reading
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import shares_of
from mensura.catalog.constraints.order.tree import PseudoTree
from mensura.catalog.constraints.problem.problem import Problem
from mensura.dialogue import Ask

NOT_COMPUTED = "not computed"
Seen = dict[str, list[Any]]
"""Agent → what it read, with the cycle in which it did."""
Cells = tuple[tuple[int, tuple[int, ...]], ...]
"""Which constraints, and which of their tuples."""


class DrawsByChance(Exception):
    """An agent wanted to draw: others cannot know what it would have done in another world."""


class NoChance:
    """Stands for the generator of an agent that must not draw."""

    def __getattr__(self, name: str) -> Any:
        raise DrawsByChance(name)


def privacy_lost(
    problem: Problem,
    *,
    ranks: Mapping[str, int],
    tree: PseudoTree,
    make: Callable[[], Agent],
    reading: Reading = "packet",
    most: int = 8,
) -> dict[str, Any] | str:
    """Return which share of private tuples a synchronous run reveals, over all and for each reader and agent.

    Parameters
    ----------
    most
        The most private tuples of one agent that are enumerated; where one has more, nothing is computed.
    """
    pairs: dict[Cells, list[tuple[str, str]]] = {}
    for agent in problem.agents:
        for reader in problem.agents:
            if reader != agent and (cells := private_cells(problem, agent, reader)):
                pairs.setdefault(cells, []).append((reader, agent))
    if any(len(cells) > most or not all(problem.constraints[at].hard for at, _ in cells) for cells in pairs):
        return NOT_COMPUTED
    found: dict[str, dict[str, int]] = {}
    try:
        true, cycles = read_in(problem, ranks, tree, make, reading, RunEnds(cycles=10_000))
        for cells, both in pairs.items():
            worlds: dict[str, list[tuple[bool, ...]]] = {reader: [] for reader, _ in both}
            for tuples in product((False, True), repeat=len(cells)):
                other = _world(problem, cells, tuples)
                seen, _ = read_in(other, ranks, tree, make, reading, RunEnds(cycles=cycles + 1))
                for reader, kept in worlds.items():
                    if seen[reader] == true[reader]:
                        kept.append(tuples)
            for reader, agent in both:
                held = np.array(worlds[reader])
                revealed = int((held == held[0]).all(axis=0).sum())
                found[f"{agent} to {reader}"] = {"revealed": revealed, "tuples": len(cells)}
    except DrawsByChance:
        return NOT_COMPUTED
    tuples_in_all = sum(one["tuples"] for one in found.values())
    revealed_in_all = sum(one["revealed"] for one in found.values())
    share = revealed_in_all / tuples_in_all if tuples_in_all else None
    return {"share": share, "revealed": revealed_in_all, "tuples": tuples_in_all, "pairs": found}


def private_cells(problem: Problem, agent: str, reader: str) -> Cells:
    """Return the tuples of all constraints that an agent is told and a reader is not."""
    cells = []
    for at, constraint in enumerate(problem.constraints):
        told = constraint.known_to or {problem.owner[name] for name in constraint.scope}
        if agent in told and reader not in told:
            cells += [(at, place) for place in np.ndindex(constraint.table.shape)]
    return tuple(cells)


def read_in(
    problem: Problem,
    ranks: Mapping[str, int],
    tree: PseudoTree,
    make: Callable[[], Agent],
    reading: Reading,
    ends: RunEnds,
) -> tuple[Seen, int]:
    """Run a problem in synchronous cycles and return what each agent read, and after how many cycles it was over."""
    mailman = Mailman(problem, rng=np.random.default_rng(0), reading=reading, ends=ends)
    agents: dict[str, Agent] = {}
    seen: Seen = {name: [] for name in problem.agents}
    for name, share in shares_of(problem, ranks, tree).items():
        agents[name] = make()
        agents[name].begin(NoChance(), name)  # type: ignore[arg-type]
        mailman.take(name, agents[name](Ask(Post(share, (), 0), role=name)))
    while woken := mailman.wake():
        for name, letters in woken:
            seen[name].append((mailman.cycle, letters))
        calls = [(name, agents[name](Ask(Post(None, letters, mailman.cycle), role=name))) for name, letters in woken]
        for name, made in calls:
            mailman.take(name, made)
    return seen, mailman.cycle


def _world(problem: Problem, cells: Cells, tuples: tuple[bool, ...]) -> Problem:
    tables = {at: problem.constraints[at].table.copy() for at, _ in cells}
    for (at, place), allowed in zip(cells, tuples, strict=True):
        tables[at][place] = allowed
    changed = [replace(one, table=tables.get(at, one.table)) for at, one in enumerate(problem.constraints)]
    return replace(problem, constraints=tuple(changed))
