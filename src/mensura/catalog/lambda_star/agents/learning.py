"""Agents that learn by reward: Q-learning and SARSA, each with its own table or all with one."""

from collections.abc import Mapping, Sequence

from mensura.catalog.lambda_star.agents.agent import Collective
from mensura.catalog.lambda_star.agents.choice import uniform_best
from mensura.catalog.lambda_star.environment.observation import Observation
from mensura.catalog.lambda_star.settings import LEARNING, LearningValues
from mensura.catalog.lambda_star.world import GridWorld

State = tuple[int, int]
"""An iteration and a cell: the world moves, so a cell alone is no state."""


class ActionValues:
    """Values of the nine actions in every state."""

    def __init__(self, iterations: int, initial: float) -> None:
        self.iterations = iterations
        self.initial = initial
        self._values: dict[State, list[float]] = {}

    def data(self) -> dict[str, list[float]]:
        """Return the values that differ from the first ones, as JSON."""
        first = [self.initial] * 9
        return {f"{i} {cell}": list(row) for (i, cell), row in self._values.items() if row != first}

    @classmethod
    def read(cls, data: Mapping[str, Sequence[float]], *, iterations: int, initial: float) -> "ActionValues":
        """Make the values again from what `data` gave."""
        table = cls(iterations, initial)
        for state, row in data.items():
            i, cell = map(int, state.split())
            table._values[i, cell] = list(row)
        return table

    def __getitem__(self, state: State) -> list[float]:
        if state[0] >= self.iterations:
            return [0.0] * 9
        return self._values.setdefault(state, [self.initial] * 9)


class QLearning(Collective):
    """Rehearses every environment many times, each body with its own table, then acts by it once.

    The table is over (cell, iteration): Q(s, a) moves by α towards r + γ max Q(s', ·), and the best action is taken,
    drawn among equals. It is told the environment and rehearses in it, as the authors' agents did.

    With `keep` the tables of one environment are where the next rehearsal begins: what was learned in one carries over
    to the next, for better or worse. With `learning` off nothing is rehearsed, and it acts by the tables that it has.
    """

    kind = "q-learning"
    knows = "truth"
    shared = False
    explores = 0.0

    def __init__(
        self,
        sessions: int = LEARNING.sessions,
        rate: float = LEARNING.rate,
        discount: float = LEARNING.discount,
        initial: float = LEARNING.initial,
        exploration: float = LEARNING.exploration,
        keep: bool = False,
    ) -> None:
        super().__init__()
        self.keep = keep
        self.learning = True
        self._learned: list[ActionValues] = []
        self.values = LearningValues(rate, discount, initial, sessions, exploration)

    def start(self) -> None:
        self._tables: list[ActionValues] = []

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        if not self._tables:
            world = self.world
            indices = [view.body for view in observations]
            known = [table.data() for table in self._learned] if self.keep or not self.learning else []
            known += [{}] * (len(indices) - len(known))
            self._tables = [self._table(known[place], world.iterations) for place in range(len(indices))]
            if self.shared:
                self._tables = self._tables[:1] * len(indices)
            if self.learning and self.shared:
                self.rehearse(world.only(indices), self._tables)
            elif self.learning:
                for index, table in zip(indices, self._tables, strict=True):
                    self.rehearse(world.only([index]), [table])
            if self.learning:
                self._learned = self._tables
        return [
            uniform_best(table[view.iteration, view.cell], self.rng) + 1
            for view, table in zip(observations, self._tables, strict=True)
        ]

    def _table(self, known: Mapping[str, Sequence[float]], iterations: int) -> ActionValues:
        return ActionValues.read(known, iterations=iterations, initial=self.values.initial)

    def snapshot(self) -> list[dict[str, list[float]]]:
        """Return the tables that were learned last, one for each body, as JSON."""
        return [table.data() for table in self._learned]

    def restore(self, state: Sequence[Mapping[str, Sequence[float]]]) -> None:
        """Know what was learned at another time, and nothing else."""
        self._learned = [self._table(table, 0) for table in state]
        self._tables = []

    def knowledge(self) -> int:
        """Return of how many actions it has learned the value."""
        rows = [row for table in self.snapshot() for row in table.values()]
        return sum(value != self.values.initial for row in rows for value in row)

    def rehearse(self, world: GridWorld, tables: Sequence[ActionValues]) -> None:
        """Play an environment through again and again: all act, then all learn, one after another."""
        for _ in range(self.values.sessions):
            world.begin()
            for i in range(world.iterations):
                before = list(world.cells)
                actions = [self.choose(table[i, cell]) for table, cell in zip(tables, before, strict=True)]
                rewards = world.step([action + 1 for action in actions])
                # The program of 2016 looked the next state up in the first iteration's row.
                ahead = 0 if world.original else i + 1
                for j, table in enumerate(tables):
                    value = max(table[ahead, world.cells[j]])
                    self.learn(table[i, before[j]], actions[j], rewards[j] + self.values.discount * value)

    def choose(self, values: Sequence[float]) -> int:
        """Choose as a learner in training does: greedily, but for a share of free choices."""
        if self.explores and self.rng.random() < self.explores:
            return int(self.rng.random() * 9)
        return uniform_best(values, self.rng)

    def learn(self, values: list[float], action: int, target: float) -> None:
        """Move the value of an action toward its target."""
        values[action] += self.values.rate * (target - values[action])


class Sarsa(QLearning):
    """Learns from the action that is taken next instead of the best one, and explores while it rehearses.

    The program of 2016 did not explore, looked the next action up in the row of the same iteration, and drew it anew
    before acting.
    """

    kind = "sarsa"

    def rehearse(self, world: GridWorld, tables: Sequence[ActionValues]) -> None:
        self.explores = 0.0 if world.original else self.values.exploration
        for _ in range(self.values.sessions):
            world.begin()
            following = [self.choose(table[0, cell]) for table, cell in zip(tables, world.cells, strict=True)]
            for i in range(world.iterations):
                before = list(world.cells)
                actions = following
                if world.original:
                    actions = [self.choose(table[i, cell]) for table, cell in zip(tables, before, strict=True)]
                rewards = world.step([action + 1 for action in actions])
                ahead = i if world.original else i + 1
                following = [self.choose(table[ahead, cell]) for table, cell in zip(tables, world.cells, strict=True)]
                for j, table in enumerate(tables):
                    value = table[ahead, world.cells[j]][following[j]]
                    self.learn(table[i, before[j]], actions[j], rewards[j] + self.values.discount * value)


class CooperativeQ(QLearning):
    """Q-learning with one table for all."""

    kind = "cooperative-q"
    shared = True


class CooperativeSarsa(Sarsa):
    """SARSA with one table for all."""

    kind = "cooperative-sarsa"
    shared = True
