"""The corridor as arrays: many walks at once."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.corridor.world import check_corridor
from mensura.dialogue import Items, Scores
from mensura.dialogue.streams import child

Floats = NDArray[np.float32]
TOGETHER = 4096
"""Walks that are stepped together: more do not fit into the processor's nearest memory."""


class CorridorBatch:
    """Many walks at once, each in a corridor of its own.

    Parameters
    ----------
    rng
        Where chance comes from.
    episodes
        How many.
    length, slip, step_cost, most_steps
        As in the test.

    Examples
    --------
    >>> batch = CorridorBatch(np.random.default_rng(1), episodes=3, slip=0.0)
    >>> seen = batch.start()
    >>> seen, reward, done = batch.step(seen[:, 1] > 0)
    >>> reward
    array([-0.01, -0.01, -0.01], dtype=float32)
    """

    def __init__(
        self,
        rng: np.random.Generator,
        *,
        episodes: int,
        length: int = 11,
        slip: float = 0.1,
        step_cost: float = 0.01,
        most_steps: int = 200,
    ) -> None:
        check_corridor(length, slip, most_steps, episodes)
        self.rng = rng
        self.episodes = episodes
        self.length = length
        self.slip = np.float32(slip)
        self.step_cost = step_cost
        self.most_steps = most_steps
        self.steps = 0
        self._chance = np.empty(episodes, dtype=np.float32)
        self._rewards = np.empty(episodes, dtype=np.float32)
        self._seen = np.empty((2, episodes), dtype=np.float32)

    def start(self) -> Floats:
        """Put everyone in the middle, and give what each sees: one row (place, end of the goal) per walk."""
        self.steps = 0
        # Places are counted towards the goal: 0 is the far wall, length - 1 the goal. Only what is seen has sides.
        self.right = self.rng.random(self.episodes) >= 0.5
        self.place = np.where(self.right, self.length // 2, self.length - 1 - self.length // 2).astype(np.int16)
        self.done = np.zeros(self.episodes, dtype=bool)
        self._seen[1] = self.right
        return self.seen()

    def seen(self) -> Floats:
        """Return what each walk sees now, as `mensura.catalog.corridor.world.see` does for one."""
        forward = self.place * np.float32(1 / (self.length - 1))
        np.subtract(np.float32(1), forward, out=self._seen[0])
        np.copyto(self._seen[0], forward, where=self.right)
        return self._seen.T

    def step(self, moves: Any) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Move everyone (0 left, 1 right); return what they see, the rewards, and who has ended.

        Who has ended stays there, with rewards of zero. All end after `most_steps`.
        """
        moves = np.asarray(moves).astype(bool, copy=False)
        chance = self.rng.random(out=self._chance, dtype=np.float32)
        slipped = chance < self.slip
        towards = (moves == self.right) ^ slipped
        steps = towards.view(np.int8) * np.int8(2) - np.int8(1)
        steps[self.done] = 0
        np.add(self.place, steps, out=self.place)
        np.maximum(self.place, 0, out=self.place)
        at_goal = self.place == self.length - 1
        np.multiply(~self.done, np.float32(-self.step_cost), out=self._rewards)
        self._rewards += at_goal & ~self.done
        self.steps += 1
        self.done = at_goal if self.steps < self.most_steps else np.ones(self.episodes, dtype=bool)
        return self.seen(), self._rewards.copy(), self.done


def walk_batch(rng: np.random.Generator, subject: Any, *, episodes: int, **corridor: Any) -> Scores | None:
    """Take a session of many walks as arrays, for subjects with `answer_many(seen, rng)`; None for others."""
    if not hasattr(subject, "answer_many") or episodes < 2:
        return None
    chunks = [min(TOGETHER, episodes - first) for first in range(0, episodes, TOGETHER)]
    walked = [_walk(CorridorBatch(rng, episodes=walks, **corridor), subject) for walks in chunks]
    returns, steps, reached = np.concatenate(walked, axis=1)
    keys = [f"episode{episode}" for episode in range(episodes)]
    return Scores({"return": Items(returns, keys), "steps": Items(steps, keys), "reached": Items(reached, keys)})


def _walk(batch: CorridorBatch, subject: Any) -> NDArray[np.float64]:
    seen = batch.start()
    own = child(batch.rng)
    steps = np.zeros(batch.episodes)
    while not batch.done.all():
        steps += ~batch.done
        seen, _, _ = batch.step(subject.answer_many(seen, own))
    reached = batch.place == batch.length - 1
    return np.stack([reached - batch.step_cost * steps, steps, reached.astype(float)])
