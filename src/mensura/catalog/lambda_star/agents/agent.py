"""Agent: a class with one method, `act`. Collective: the same for many bodies, `decide`."""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.lambda_star.environment.observation import Observation, seat
from mensura.dialogue import Ask


class Agent:
    """Takes Λ* by itself. A new agent is a subclass with one method, `act`.

    One agent object may answer for several bodies at once (`--agents 5`); what it must remember between actions it
    keeps by `observation.body` and forgets in `start`, which is called before every environment.

    Examples
    --------
    >>> class Stayer(Agent):
    ...     def act(self, observation):
    ...         return 5
    """

    kind: ClassVar[str] = ""
    """Name of the compiled twin in `batch`; none for agents of one's own."""
    knows: ClassVar[str] = ""
    """"truth" for agents that are told the environment itself."""
    recomputes = True
    collective = True
    values: Any = None
    """What can be set of it (`settings.py`); None where nothing can."""
    world: Any = None
    """The environment behind the views; None for agents that do not know it."""

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator that all chance of this session comes from."""
        self.rng = rng

    def start(self) -> None:
        """Forget what belongs to the last environment."""

    def act(self, observation: Observation) -> int:
        """Choose an action from 1 to 9."""
        raise NotImplementedError

    def feedback(self, told: Ask) -> None:
        """Hear that an environment begins."""
        self.start()

    def __call__(self, ask: Ask) -> int:
        self.world = ask.aside
        return self.act(Observation.read(ask.prompt))


class Collective(Agent):
    """Takes Λ* for all its bodies together. A new collective is a subclass with one method, `decide`."""

    def __init__(self) -> None:
        self._seats: list[str] = []
        self._answers: dict[str, int] = {}

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        """Choose an action from 1 to 9 for every body, in order."""
        raise NotImplementedError

    def begin(self, rng: np.random.Generator) -> None:
        super().begin(rng)
        self._seats = []
        self._answers = {}

    def feedback(self, told: Ask) -> None:
        """Learn which bodies are its own, and that an environment begins."""
        if told.role not in self._seats:
            self._seats.append(told.role)
        self._answers = {}
        self.start()

    def __call__(self, ask: Ask) -> int:
        observation = Observation.read(ask.prompt)
        self.world = ask.aside
        if ask.role not in self._answers:
            own = [observation] if len(self._seats) < 2 else [observation.together[seat(role)] for role in self._seats]
            self._answers = dict(zip(self._seats or [ask.role], self.decide(own), strict=True))
        return self._answers.pop(ask.role)
