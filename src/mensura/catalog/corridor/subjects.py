"""Reference subjects of the corridor: one that knows, one that wanders, one that learns."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.corridor.world import see
from mensura.dialogue import Ask, Outcome
from mensura.subjects.subject import Unlearning


class Optimal(Unlearning):
    """Always moves towards the goal; with slips below one half nothing is better."""

    recomputes = True

    def __call__(self, ask: Ask) -> int:
        return 0 if ask.prompt.cells[0][0] == "G" else 1  # type: ignore[union-attr]

    def answer_many(self, seen: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.bool_]:
        """Answer for many walks at once."""
        return seen[:, 1] > 0.5


class RandomWalk(Unlearning):
    """Moves left or right by the toss of a coin: the chance subject, with a batch form."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session."""
        self.rng = rng

    def __call__(self, ask: Ask) -> int:
        return int(self.rng.random() < 0.5)

    def answer_many(self, seen: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.bool_]:
        """Answer for many walks at once."""
        return rng.integers(2, size=len(seen), dtype=np.uint8).view(np.bool_)


class QLearner:
    """Learns the value of each move at each place from rewards: tabular Q-learning.

    After a move a at s that earned r and led to s', Q(s, a) moves by `rate` towards r + discount · max Q(s', ·),
    and the better move is taken save for one in `1 / explore`. With `learning` off nothing changes, neither by
    learning nor by exploring: the same subject can be probed.

    References
    ----------
    .. [1] Watkins and Dayan (1992), Machine Learning 8, 279-292.
    """

    recomputes = True

    def __init__(self, rate: float = 0.2, discount: float = 0.98, explore: float = 0.1) -> None:
        self.rate = rate
        self.discount = discount
        self.explore = explore
        self.learning = True
        self.values: dict[str, list[float]] = {}
        self._last: tuple[str, int] | None = None

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session; what was learned stays."""
        self.rng = rng
        self._last = None

    def __call__(self, ask: Ask) -> int:
        place, goal = see(ask.prompt)  # type: ignore[arg-type]
        here = f"{place:.6f} {goal:.0f}"
        values = self.values.setdefault(here, [0.0, 0.0])
        self._learn(ask.reward, self.discount * max(values))
        move = self._choose(values)
        self._last = (here, move)
        return move

    def feedback(self, told: Ask) -> None:
        """Learn from the reward at the end of a walk that is not the last."""
        self._learn(told.reward, 0.0)

    def end(self, outcome: Outcome) -> None:
        """Learn from the reward at the end of the session."""
        self._learn(outcome.reward, 0.0)

    def snapshot(self) -> dict[str, list[float]]:
        """Return all that was learned, as JSON."""
        return {here: list(values) for here, values in self.values.items()}

    def restore(self, state: dict[str, list[float]]) -> None:
        """Take back what was learned."""
        self.values = {here: list(values) for here, values in state.items()}
        self._last = None

    def knowledge(self) -> int:
        """Return of how many moves it has learned the value."""
        return sum(value != 0.0 for values in self.values.values() for value in values)

    def _choose(self, values: list[float]) -> int:
        if values[0] == values[1] or (self.learning and self.rng.random() < self.explore):
            return int(self.rng.random() < 0.5)
        return int(values[1] > values[0])

    def _learn(self, reward: Any, ahead: float) -> None:
        last, self._last = self._last, None
        if self.learning and last is not None and reward is not None:
            here, move = last
            self.values[here][move] += self.rate * (reward + ahead - self.values[here][move])


SUBJECTS: dict[str, Callable[[], Any]] = {"optimal": Optimal, "random-walk": RandomWalk, "q-learner": QLearner}
