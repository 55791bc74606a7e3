"""Tabular learners by reward: SARSA, as in the source, and Q-learning."""

from typing import Any

import numpy as np

from mensura.dialogue import Ask, Outcome, Readings, Vector
from mensura.errors import BadParameter

TIE = 1e-12


class MotorSarsa:
    """Learns the value of each setting of a motor in each cell of what it reads, from the action that it takes next.

    After a setting a at s that earned r and led to s', where a' is taken, Q(s, a) moves by `rate` towards
    r + discount · Q(s', a'). The best setting is taken, drawn among equals, save for one in 1 / `explore`.
    A setting is one motor at one power, or all motors off. The source states neither its rates nor its cells;
    these are ours.

    Parameters
    ----------
    levels
        3: full power, none, and full power back; 5: half of both too. A motor that has no reverse has no power back.
    cells
        The size of a cell for each reading in order, the last for all others: places of 5 m, speeds of 2.5 m/s,
        heights of 0.25 m.

    References
    ----------
    .. [1] Rummery and Niranjan (1994), Cambridge University, technical report CUED/F-INFENG/TR 166.
    """

    recomputes = True

    def __init__(
        self,
        levels: int = 3,
        rate: float = 0.2,
        discount: float = 0.97,
        explore: float = 0.1,
        cells: str = "5,2.5,0.25",
    ) -> None:
        if levels not in (3, 5):
            raise BadParameter(f"A learner has 3 or 5 levels of power; got {levels}.")
        if not (0 < rate <= 1 and 0 <= discount <= 1 and 0 <= explore <= 1):
            raise BadParameter("rate, discount and explore lie between 0 and 1, and rate is above 0.")
        self.shares = (1.0, -1.0) if levels == 3 else (1.0, 0.5, -0.5, -1.0)
        self.rate, self.discount, self.explore = rate, discount, explore
        try:
            self.cells = [float(size) for size in str(cells).split(",")]
        except ValueError:
            raise BadParameter(f"cells are sizes with commas between, such as 5,2.5,0.25; got {cells!r}.") from None
        if min(self.cells) <= 0:
            raise BadParameter(f"The size of a cell is above 0; got {cells!r}.")
        self.learning = True
        self.values: dict[str, list[float]] = {}
        self._settings: list[list[float]] = []
        self._last: tuple[list[float], int] | None = None

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session; what was learned stays."""
        self.rng = rng
        self._last = None

    def __call__(self, ask: Ask) -> list[float]:
        space: Vector = ask.space  # type: ignore[assignment]
        if not self._settings or len(self._settings[0]) != len(space.high):
            self._settings = _settings(space, self.shares)
        values = self._values(ask.prompt)  # type: ignore[arg-type]
        choice = self._choose(values)
        self._learn(ask.reward, self.discount * self._ahead(values, choice))
        self._last = (values, choice)
        return self._settings[choice]

    def feedback(self, told: Ask) -> None:
        """Learn from the reward at the end of an attempt that is not the last."""
        self._learn(told.reward, 0.0)

    def end(self, outcome: Outcome) -> None:
        """Learn from the reward at the end of the session."""
        self._learn(outcome.reward, 0.0)

    def snapshot(self) -> dict[str, list[float]]:
        """Return all that was learned, as JSON."""
        return {cell: list(values) for cell, values in self.values.items()}

    def restore(self, state: dict[str, list[float]]) -> None:
        """Take back what was learned."""
        self.values = {cell: list(values) for cell, values in state.items()}
        self._last = None

    def knowledge(self) -> float:
        """Return how many settings have a value that experience gave them."""
        return float(sum(value != 0 for values in self.values.values() for value in values))

    def _ahead(self, values: list[float], choice: int) -> float:
        return values[choice]

    def _values(self, readings: Readings) -> list[float]:
        sizes, last = self.cells, len(self.cells) - 1
        cell = " ".join([str(int(value // sizes[min(n, last)])) for n, value in enumerate(readings.values)])
        found = self.values.get(cell)
        if found is None:
            found = self.values[cell] = [0.0] * len(self._settings)
        return found

    def _choose(self, values: list[float]) -> int:
        if self.learning and self.rng.random() < self.explore:
            return int(self.rng.random() * len(values))
        best = max(values)
        equals = [choice for choice, value in enumerate(values) if value >= best - TIE]
        return equals[0] if len(equals) == 1 else equals[int(self.rng.random() * len(equals))]

    def _learn(self, reward: Any, ahead: float) -> None:
        last, self._last = self._last, None
        if self.learning and last is not None and reward is not None:
            values, choice = last
            values[choice] += self.rate * (reward + ahead - values[choice])


class MotorQLearning(MotorSarsa):
    """Learns from the best setting that could be taken next, whatever is.

    References
    ----------
    .. [1] Watkins and Dayan (1992), Machine Learning 8, 279-292.
    """

    def _ahead(self, values: list[float], choice: int) -> float:
        return max(values)


def _settings(space: Vector, shares: tuple[float, ...]) -> list[list[float]]:
    """List all motors off, and each motor alone at each of its powers."""
    off = [0.0] * len(space.high)
    found = [off]
    for motor, (low, high) in enumerate(zip(space.low, space.high, strict=True)):
        # The signal beside the powers has no power of its own.
        for share in shares if high > 0 else ():
            power = high * share if share > 0 else -low * share
            if power:
                found.append([*off[:motor], power, *off[motor + 1 :]])
    return found
