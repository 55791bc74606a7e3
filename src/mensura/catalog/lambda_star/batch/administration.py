"""A whole administration in batch: environments in chunks, every agent of the team on each, threads side by side."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch import alone, learning, orders, signs
from mensura.catalog.lambda_star.batch.chance import AGENTS
from mensura.catalog.lambda_star.batch.environments import Environments, make_environments
from mensura.catalog.lambda_star.batch.ground import Game, ground_of
from mensura.catalog.lambda_star.batch.near_search import near_search
from mensura.catalog.lambda_star.batch.situations import situations_of
from mensura.catalog.lambda_star.environment.pattern import Reach
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.settings import EXPLORATION, LEARNING, STIGMERGY_WEIGHT
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
    sessions: int = LEARNING.sessions
    key: int = 0
    """What chooses all chance of the administration."""

    @property
    def original(self) -> bool:
        """Whether the rules are those of the program of 2016."""
        return self.reach is None


@dataclass(frozen=True)
class Chunk:
    """What came of some episodes: their complexities, scores, and those of the bounds on the same environments.

    `sessions` has a row per episode: the mean reward in every training session and, last, in the episode that counts.
    """

    complexity: npt.NDArray[np.int32]
    score: Floats
    random: Floats
    oracle: Floats
    sessions: Floats


def administer(plan: BatchPlan, team: Sequence[Member], *, threads: int | None = None) -> Chunk:
    """Play all episodes and put the chunks together."""
    chunks = list(play_chunks(plan, team, threads=threads))
    return Chunk(
        *(
            np.concatenate([getattr(chunk, name) for chunk in chunks])
            for name in ("complexity", "score", "random", "oracle", "sessions")
        )
    )


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
    score = np.zeros(len(environments.good))
    trained = any(member.name in LEARNERS for member in team)
    by_session = np.zeros((len(score), plan.sessions + 1 if trained else 1))
    taken = 0
    for group, member in enumerate(team):
        starts = np.ascontiguousarray(environments.starts[:, taken : taken + member.count])
        rewards = play(member.name, plan, environments, starts=starts, group=AGENTS + group)
        by_session += rewards * (member.count / agents)
        score += rewards[:, -1] * (member.count / agents)
        taken += member.count
    random, oracle = (
        play(name, plan, environments, starts=environments.starts, group=AGENTS + len(team))[:, -1]
        for name in ("random", "oracle")
    )
    return Chunk(environments.complexity, score, random, oracle, by_session)


def play(
    name: str, plan: BatchPlan, environments: Environments, *, starts: npt.NDArray[np.int32], group: int
) -> Floats:
    """Let agents of one kind play; give their mean reward by episode and session, the scored one last."""
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
    out = np.zeros((len(starts), plan.sessions + 1 if name in LEARNERS else 1))
    if name == "local-search" and plan.sight == 1:
        near_search(situations_of(plan.torus), game, out)
    elif name == "stigmergy":
        signs.stigmergy(game, STIGMERGY_WEIGHT, out)
    elif name in LEARNERS:
        sarsa = name.endswith("sarsa")
        values = learning.Learning(
            LEARNING.rate,
            LEARNING.discount,
            LEARNING.initial,
            EXPLORATION if sarsa and not plan.original else 0.0,
            plan.sessions,
        )
        learning.learn(game, values, name.startswith("cooperative"), sarsa, out)
    else:
        PLAIN[name](game, out)
    return out


PLAIN = {
    "random": alone.random,
    "local-search": alone.local_search,
    "oracle": alone.oracle,
    "wisdom-of-crowd": signs.wisdom_of_crowd,
    "bidding": orders.bidding,
    "dictatorship": orders.dictatorship,
    "binary-tree": orders.binary_tree,
    "imitation": orders.imitation,
}
