"""Analogist: learns what to do where what lies ahead is not as what it stands on, be that a wall or a gap."""

from __future__ import annotations

from typing import Any

import numpy as np

from mensura.dialogue import Ask, Calls, Outcome

Row = tuple[Any, ...]
SETTLES = 5000
"""Milliseconds in which the hand comes to rest before it is believed."""
ACTS: dict[str, list[Row]] = {
    "go on": [],
    "jump": [("addForce", "J", None)],
    "back off": [("addForce", "BMH", -20_000)],
    "grip": [("addForce", "RHG", None)],
    "push down": [("addForce", "RHV", -200)],
}
"""What it may try; nothing says beforehand which of them helps."""


class Analogist:
    """Runs to the right with a hand ahead of it, and learns by trial what to do when the hand meets an obstacle.

    A wall is an obstacle, since the hand feels something above the floor, and so is a gap, since it feels none below:
    both are one relation, that the way ahead is not as the way here. What it learns is of the relation, so what helped
    at a wall is tried first at a gap. Where two acts are as good as each other it draws.

    Parameters
    ----------
    keep
        Whether it keeps from session to session what it learned; else each session is its first.
    """

    recomputes = True

    def __init__(self, keep: bool = True) -> None:
        self.keep, self.learning = keep, True
        self.tried = dict.fromkeys(ACTS, 0)
        self.helped = dict.fromkeys(ACTS, 0)

    def begin(self, rng: np.random.Generator) -> None:
        """Choose what is tried in this session: the act whose success is likeliest by Laplace's rule."""
        if not self.keep:
            self.restore([dict.fromkeys(ACTS, 0)] * 2)
        worth = {act: (self.helped[act] + 1) / (self.tried[act] + 2) for act in ACTS}
        best = [act for act in ACTS if worth[act] == max(worth.values())]
        self._act = best[int(rng.integers(len(best)))]
        self._begun = False

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.space, Calls):
            return [0.0] * len(ask.space.low)  # type: ignore[union-attr]
        if self._begun:
            return [("step", 30)]
        self._begun = True
        ahead = [("addForce", "RHvec", ["[20*(2.6-RPx)]", "[20*(-1.2-RPy)]"])]
        act: list[Row] = [*ACTS[self._act], ("setState", "acted", -1)]
        return [
            ("setReflex", "feel", "", ahead),
            ("setReflex", "run", "Sx<3.2;-settling", [("addForce", "BMH", 800)]),
            ("setReflex", "wall", "R0_p>0.5;-settling;-acted", act),
            ("setReflex", "gap", "R2_p<0.5;-settling;-acted", act),
            ("setState", "settling", SETTLES),
            ("step", 60),
        ]

    def end(self, outcome: Outcome) -> None:
        """Learn whether what was tried helped."""
        if self.learning:
            reward = outcome.reward
            earned = sum(reward.values()) if isinstance(reward, dict) else reward or 0.0
            self.tried[self._act] += 1
            self.helped[self._act] += earned > 0

    def snapshot(self) -> list[dict[str, int]]:
        """Return all that was learned."""
        return [dict(self.tried), dict(self.helped)]

    def restore(self, state: list[dict[str, int]]) -> None:
        """Take back what was learned."""
        self.tried, self.helped = dict(state[0]), dict(state[1])
