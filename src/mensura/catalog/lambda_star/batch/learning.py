"""Agents that learn by reward: Q-learning and SARSA, each with its own table or all with one."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from mensura.catalog.lambda_star.batch.chance import Stream, below, seeded, uniform
from mensura.catalog.lambda_star.batch.compiled import compiled
from mensura.catalog.lambda_star.batch.ground import Cells, Game, Ground, Rewards, Values, lay_rewards, lift_rewards

Table = npt.NDArray[np.float32]


class Learning(NamedTuple):
    """How an agent learns: rate α, discount γ, first value of every entry, exploration ε while training, sessions."""

    rate: float
    discount: float
    initial: float
    exploration: float
    sessions: int


@compiled
def greedy(row: Table, stream: Stream) -> int:
    """Choose among the actions of highest value, each as likely."""
    best = row[0]
    equals = 1
    chosen = 0
    for action in range(1, 9):
        value = row[action]
        if value > best:
            best = value
            equals = 1
            chosen = action
        elif value == best:
            equals += 1
    if equals == 1:
        return chosen
    skip = below(stream, equals)
    for action in range(9):
        if row[action] == best:
            if skip == 0:
                return action
            skip -= 1
    return chosen


@compiled
def highest(row: Table) -> float:
    """Return the highest value of a state."""
    best = row[0]
    for action in range(1, 9):
        best = max(best, row[action])
    return float(best)


@compiled
def chosen_action(row: Table, exploration: float, stream: Stream) -> int:
    """Choose as a learner in training does: greedily, but for a share of free choices."""
    if exploration > 0.0 and uniform(stream) < exploration:
        return below(stream, 9)
    return greedy(row, stream)


@compiled
def learn(game: Game, learning: Learning, shared: bool, sarsa: bool, out: Rewards) -> None:
    """Learn the value of (cell, iteration) and action over many sessions, then act by it once.

    By Watkins' rule (Q-learning), or from the action that is taken next instead of the best one (SARSA). The last
    session is the episode that counts.

    For Q-learning, the program of 2016 looked the next state up in the first iteration's row; for SARSA, the next
    action in the row of the same iteration, and drew it anew before acting.
    """
    ground, good, evil, starts, original, key, first, group = game
    episodes, agents = starts.shape
    iterations = good.shape[1] - 1
    space = len(ground.moves)
    together = agents if shared else 1
    table = np.empty((iterations + 1, space, 9), dtype=np.float32)
    grids = np.zeros((iterations + 1, space))
    cells = np.empty(agents, dtype=np.int64)
    actions = np.empty(agents, dtype=np.int64)
    following = np.empty(agents, dtype=np.int64)
    before = np.empty(agents, dtype=np.int64)
    for episode in range(episodes):
        stream = seeded(key, first + episode, group)
        lay_all(ground, grids, good[episode], evil[episode])
        for leader in range(0, agents, together):
            table[:iterations] = learning.initial
            table[iterations] = 0.0
            for session in range(learning.sessions + 1):
                training = session < learning.sessions
                exploration = learning.exploration if training else 0.0
                cells[:together] = starts[episode, leader : leader + together]
                if sarsa:
                    for j in range(together):
                        following[j] = chosen_action(table[0, cells[j]], exploration, stream)
                for i in range(iterations):
                    for j in range(together):
                        before[j] = cells[j]
                        actions[j] = following[j]
                        if original or not (sarsa and training):
                            actions[j] = chosen_action(table[i, cells[j]], exploration, stream)
                        cells[j] = ground.moves[cells[j], actions[j]]
                        out[episode, session, leader + j] += grids[i + 1, cells[j]]
                    if not training:
                        continue
                    ahead = i + 1
                    if original:
                        ahead = i if sarsa else 0
                    if sarsa:
                        for j in range(together):
                            following[j] = chosen_action(table[ahead, cells[j]], exploration, stream)
                    for j in range(together):
                        row = table[ahead, cells[j]]
                        target = grids[i + 1, cells[j]] + learning.discount * (
                            row[following[j]] if sarsa else highest(row)
                        )
                        entry = table[i, before[j], actions[j]]
                        table[i, before[j], actions[j]] = entry + learning.rate * (target - entry)
        lift_all(ground, grids, good[episode], evil[episode])


@compiled
def lay_all(ground: Ground, grids: Values, good: Cells, evil: Cells) -> None:
    """Put the rewards of every iteration on its own empty grid."""
    for i in range(len(good)):
        lay_rewards(ground, grids[i], good[i], evil[i])


@compiled
def lift_all(ground: Ground, grids: Values, good: Cells, evil: Cells) -> None:
    """Empty the grids again."""
    for i in range(len(good)):
        lift_rewards(ground, grids[i], good[i], evil[i])
