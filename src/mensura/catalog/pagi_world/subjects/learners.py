"""Learners: who grips a dispenser as long as it pays, by Bayes and by Q-learning."""

from __future__ import annotations

from typing import Any

import numpy as np

from mensura.dialogue import Ask, Calls, Outcome
from mensura.errors import BadParameter

Row = tuple[Any, ...]
PLACE = (1.9, 3.26)
"""Where the dispenser of `conditioning` is, against the body at its first place."""
TRIAL = 150
"""Ticks of one trial: reach, grip, let go, and see what the body gets."""


class Conditioner:
    """The arm of a conditioner: one trial is to grip the dispenser and to walk under it, or to stay away."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Begin a session; what was learned in earlier ones stays."""
        self.rng = rng
        self._plan: list[list[Row]] = []
        self._gripped: bool | None = None
        self._earned = 0.0
        self._body = 0.0

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.space, Calls):
            return [0.0] * len(ask.space.low)  # type: ignore[union-attr]
        for reply in ask.prompt.replies:  # type: ignore[union-attr]
            if reply[0] == "RD":
                self._earned += reply[1]
            elif reply[0] == "sensor" and reply[1] == "BP":
                self._body = reply[2][0]
        if not self._plan:
            if self._gripped is not None:
                self.learn(self._gripped, self._earned)
            self._gripped, self._earned = self.wants(), 0.0
            self._plan = self._trial() if self._gripped else [[("step", TRIAL)]]
        return self._plan.pop(0)

    def _trial(self) -> list[list[Row]]:
        """Reach for the dispenser by a reflex, grip it, let go, and walk under what falls."""
        x, y = PLACE[0] - self._body, PLACE[1]
        reach = [("addForce", "RHvec", [f"[20*({x:.3f}-RPx)]", f"[20*({y:.3f}-RPy)]"])]
        grip = [("addForce", "RHG", None), ("setState", "held", 100)]
        walk: list[Row] = [("addForce", "BMH", "[4000*(1.9-BPx)-3000*Sx]")]
        back: list[Row] = [("addForce", "BMH", "[4000*(0-BPx)-3000*Sx]")]
        return [
            [
                ("setReflex", "reach", "", reach),
                ("setReflex", "grip", "R4_p>0.5;-done", [*grip, ("setState", "done", -1)]),
                ("setReflex", "open", "done;-held", [("addForce", "RHR", None)]),
                ("step", TRIAL),
            ],
            [("removeReflex", "reach"), ("setReflex", "walk", "", walk), ("step", 60)],
            [("setReflex", "walk", "", back), ("step", 50)],
            [("removeReflex", "walk"), ("removeReflex", "grip"), ("removeReflex", "open"), ("setState", "done", 0),
             ("addForce", "RHR", None), ("sensorRequest", "BP"), ("step", 1)],
        ]  # fmt: skip

    def wants(self) -> bool:
        """Return whether to grip in the next trial."""
        raise NotImplementedError

    def learn(self, gripped: bool, earned: float) -> None:
        """Learn what a trial earned."""
        raise NotImplementedError


class BayesConditioner(Conditioner):
    """Believes that a grip pays with a chance that is Beta distributed, and forgets: old trials count less.

    It grips while what it expects is above what a grip costs. What it has learned stays between sessions.

    Parameters
    ----------
    memory
        By how much what was seen counts less after each trial.
    cost
        What a grip costs it, in endorphins.
    """

    def __init__(self, memory: float = 0.7, cost: float = 1.0) -> None:
        if not 0 < memory <= 1:
            raise BadParameter(f"memory lies above 0 and up to 1; got {memory}.")
        self.memory, self.cost, self.learning = memory, cost, True
        self.good, self.bad, self.nothing = 1.0, 0.5, 0.5

    def wants(self) -> bool:
        """Return whether the expected worth of a grip is above its cost."""
        total = self.good + self.bad + self.nothing
        return 10 * (self.good - self.bad) / total > self.cost

    def learn(self, gripped: bool, earned: float) -> None:
        """Count what a grip brought."""
        if not self.learning or not gripped:
            return
        self.good, self.bad, self.nothing = (self.memory * one for one in (self.good, self.bad, self.nothing))
        if earned > 0:
            self.good += 1
        elif earned < 0:
            self.bad += 1
        else:
            self.nothing += 1

    def snapshot(self) -> list[float]:
        """Return all that was learned."""
        return [self.good, self.bad, self.nothing]

    def restore(self, state: list[float]) -> None:
        """Take back what was learned."""
        self.good, self.bad, self.nothing = state


class GripLearner(Conditioner):
    """Learns the value of gripping and of staying away: Q-learning with one state.

    References
    ----------
    .. [1] Watkins and Dayan (1992), Machine Learning 8, 279-292.
    """

    def __init__(self, rate: float = 0.4, explore: float = 0.1) -> None:
        if not (0 < rate <= 1 and 0 <= explore <= 1):
            raise BadParameter("rate lies above 0 and up to 1, explore between 0 and 1.")
        self.rate, self.explore, self.learning = rate, explore, True
        self.values = [0.0, 1.0]
        """Of staying away and of gripping; gripping is tried first."""

    def wants(self) -> bool:
        """Return the better of both, now and then the other."""
        best = self.values[1] - 1.0 > self.values[0]
        first = self.values == [0.0, 1.0]
        return not best if self.learning and not first and self.rng.random() < self.explore else best or first

    def learn(self, gripped: bool, earned: float) -> None:
        """Move the value of what was done towards what it earned."""
        if self.learning:
            self.values[gripped] += self.rate * (earned - self.values[gripped])

    def snapshot(self) -> list[float]:
        """Return all that was learned."""
        return list(self.values)

    def restore(self, state: list[float]) -> None:
        """Take back what was learned."""
        self.values = list(state)

    def end(self, outcome: Outcome) -> None:
        """Learn from the last trial of the session."""
        if self._gripped is not None and not self._plan:
            self.learn(self._gripped, self._earned)
