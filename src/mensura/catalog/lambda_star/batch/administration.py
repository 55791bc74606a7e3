"""A whole administration in batch: environments in chunks, every agent of the team on each, threads side by side."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields, replace
from itertools import islice

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch import alone, learning, orders, signs
from mensura.catalog.lambda_star.batch.chance import AGENTS, BOUNDS
from mensura.catalog.lambda_star.batch.environments import Environments, make_environments, walked_complexity
from mensura.catalog.lambda_star.batch.ground import Game, ground_of
from mensura.catalog.lambda_star.batch.near_search import near_search
from mensura.catalog.lambda_star.batch.situations import situations_of
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.team import LEARNERS, Member

Floats = npt.NDArray[np.float64]
CHUNK = 250
"""Episodes made and played together: enough to keep a thread busy, few enough that memory does not grow."""


@dataclass(frozen=True)
class BatchPlan:
    """What is administered: where, how often, how long, with what sight, by which rules (with `reach`: as printed)."""

    torus: Torus
    episodes: int
    iterations: int
    reach: Reach | None
    sight: int = 1
    key: int = 0
    """What chooses all chance of the administration."""
    seats: tuple[int, ...] = ()
    """Which agent each of the team's is, member after member; empty: in order."""

    @property
    def original(self) -> bool:
        """Whether the rules are those of the program of 2016."""
        return self.reach is None


@dataclass(frozen=True)
class Chunk:
    """What came of some episodes: complexities, what agents earned, and the bounds on the same environments.

    `agents` has a column per agent. `sessions` has one per training session, the mean of all agents, and last the
    episode that counts.
    """

    complexity: npt.NDArray[np.int32]
    planned: npt.NDArray[np.int32]
    agents: Floats
    random: Floats
    oracle: Floats
    sessions: Floats

    @property
    def score(self) -> Floats:
        """Mean reward per agent and iteration."""
        return np.asarray(self.agents.mean(axis=1))


def administer(plan: BatchPlan, team: Sequence[Member], *, threads: int | None = None) -> Chunk:
    """Play all episodes and put the chunks together; stopped by Ctrl-C, those that were played by then."""
    chunks: list[Chunk] = []
    try:
        for chunk in play_chunks(plan, team, threads=threads):
            chunks.append(chunk)
    except KeyboardInterrupt:
        if not chunks:
            raise
    names = [part.name for part in fields(Chunk)]
    return Chunk(*(np.concatenate([getattr(chunk, name) for chunk in chunks]) for name in names))


def play_chunks(plan: BatchPlan, team: Sequence[Member], *, threads: int | None = None) -> Iterator[Chunk]:
    """Play episodes chunk by chunk, in order; the result does not depend on the number of threads."""
    firsts = iter(range(0, plan.episodes, CHUNK))
    workers = threads or usable_cores()
    if workers == 1:
        for first in firsts:
            yield play_chunk(plan, team, first)
        return
    with ThreadPoolExecutor(workers) as pool:
        # Few chunks are under way at a time, so that nothing piles up when the reader is slow.
        waiting = [pool.submit(play_chunk, plan, team, first) for first in islice(firsts, 2 * workers)]
        while waiting:
            chunk = waiting.pop(0).result()
            for first in islice(firsts, 1):
                waiting.append(pool.submit(play_chunk, plan, team, first))
            yield chunk


def usable_cores() -> int:
    """Count the processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_chunk(plan: BatchPlan, team: Sequence[Member], first: int) -> Chunk:
    """Make some environments, let every member of the team play them, and the bounds as well."""
    agents = sum(member.count for member in team)
    environments = make_environments(
        plan.torus,
        episodes=min(CHUNK, plan.episodes - first),
        first=first,
        iterations=plan.iterations,
        agents=agents,
        reach=plan.reach,
        key=plan.key,
    )
    seats = list(plan.seats or range(agents))
    earned = np.empty(environments.starts.shape)
    by_session = np.zeros((len(earned), max(member.sessions for member in team)))
    for group, member in enumerate(team):
        own, seats = seats[: member.count], seats[member.count :]
        starts = np.ascontiguousarray(environments.starts[:, own])
        rewards = play(member, plan, environments, starts=starts, group=AGENTS + group)
        by_session += rewards.sum(axis=2) / agents
        earned[:, own] = rewards[:, -1]
    random, oracle = (bound(name, plan, environments) for name in ("random", "oracle"))
    walked = walked_complexity(environments, original=plan.original)
    return Chunk(walked, environments.complexity, earned, random, oracle, by_session)


def bound(name: str, plan: BatchPlan, environments: Environments) -> Floats:
    """Let random or oracle play the same environments from the same cells; return their mean reward by episode.

    Their chance is that of the episode's number alone, so a session has the same bounds in every form.
    """
    team = Member(name, environments.starts.shape[1])
    keyless = replace(plan, key=0)
    return np.asarray(play(team, keyless, environments, starts=environments.starts, group=BOUNDS)[:, -1].mean(axis=1))


def play(
    member: Member, plan: BatchPlan, environments: Environments, *, starts: npt.NDArray[np.int32], group: int
) -> Floats:
    """Let agents of one kind play; return their mean rewards by episode, session (the scored one last) and agent."""
    game = Game(
        ground_of(plan.torus, plan.sight),
        environments.good,
        environments.evil,
        starts,
        plan.original,
        np.uint64(plan.key),
        environments.first,
        group,
    )
    name, values = member.name, member.values
    out = np.zeros((len(starts), member.sessions, starts.shape[1]))
    if name == "local-search" and plan.sight == 1:
        near_search(situations_of(plan.torus), game, out)
    elif name == "stigmergy":
        signs.stigmergy(game, values.weight, values.evaporation, out)
    elif name == "wisdom-of-crowd":
        signs.wisdom_of_crowd(game, values.evaporation, out)
    elif name in LEARNERS:
        sarsa = name.endswith("sarsa")
        exploration = values.exploration if sarsa and not plan.original else 0.0
        how = learning.Learning(values.rate, values.discount, values.initial, exploration, values.sessions)
        learning.learn(game, how, name.startswith("cooperative"), sarsa, out)
    else:
        PLAIN[name](game, out)
    return out / plan.iterations


PLAIN = {
    "random": alone.random,
    "local-search": alone.local_search,
    "oracle": alone.oracle,
    "bidding": orders.bidding,
    "dictatorship": orders.dictatorship,
    "binary-tree": orders.binary_tree,
    "imitation": orders.imitation,
}
