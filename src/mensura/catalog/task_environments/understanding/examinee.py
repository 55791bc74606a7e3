"""Examinees: agents of task environments that are asked what they understood of what they drove."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import asin
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.task_environments.subjects import SUBJECTS as AGENTS
from mensura.catalog.task_environments.understanding.phenomenon import POWER, TICKS
from mensura.catalog.task_environments.understanding.question import UnderstandingQuestions
from mensura.catalog.task_environments.understanding.subjects import KnowsTheModel
from mensura.dialogue import Ask, Outcome, Readings, Refused, Vector
from mensura.subjects import subject as parts

GRAVITY, GOAL = 10.0, 100.0
"""Of the races in which agents learn: what weighs on the cart, and where its goal lies."""
READ_OFF: Mapping[str, Callable[[float], float]] = {
    "friction": lambda slowing: slowing / GRAVITY,
    "slope": lambda slowing: asin(min(slowing / GRAVITY, 1.0)),
}
"""What a phenomenon's number is where coasting slows the cart by so much, in m/s²; of others no agent has a model."""


class Examinee(KnowsTheModel):
    """An agent that drives as ever in task environments, and in the test of understanding says what its model says.

    One without a model says nothing. It still acts, as it learned to: the target lies where its goal was.
    """

    made: ClassVar[Callable[..., Any]]

    def __init__(self, **options: Any) -> None:
        self.agent: Any = type(self).made(**options)
        if hasattr(self.agent, "knowledge"):
            self.knowledge = self.agent.knowledge

    @property
    def learning(self) -> bool:
        """Whether the agent learns."""
        return bool(self.agent.learning)

    @learning.setter
    def learning(self, learns: bool) -> None:
        self.agent.learning = learns

    def begin(self, rng: np.random.Generator) -> None:
        """Begin a session of either test."""
        super().begin(rng)
        parts.begin(self.agent, rng)

    def feedback(self, told: Ask) -> None:
        """Hear what acts; what is told in the agent's own test is for the agent."""
        super().feedback(told)
        if self.named is None:
            parts.feedback(self.agent, told)

    def end(self, outcome: Outcome) -> None:
        """End a session."""
        if self.named is None:
            parts.end(self.agent, outcome)

    def snapshot(self) -> Any:
        """Return what the agent learned."""
        return self.agent.snapshot()

    def restore(self, state: Any) -> None:
        """Let the agent take back what it learned."""
        self.agent.restore(state)

    def __call__(self, ask: Ask) -> Any:
        return self.agent(ask) if self.named is None else super().__call__(ask)

    def study(self) -> None:
        """Read the number of the phenomenon off the agent's model, if it has one."""
        named = self.named
        found = self.agent.model(0) if hasattr(self.agent, "model") else None
        self.knowing = found is not None and named is not None and named.name in READ_OFF
        if found is not None and named is not None and self.knowing:
            self.number = float(np.clip(READ_OFF[named.name](found[1]), named.low, named.high))
            self.model = named.world(self.number)

    def foretell(self, one: UnderstandingQuestions, ask: Ask) -> Any:
        """Simulate, with a model."""
        return super().foretell(one, ask) if self.knowing else Refused(NO_MODEL)

    def graph(self, ask: Ask) -> Any:
        """Read it off the model."""
        return super().graph(ask) if self.knowing else Refused(NO_MODEL)

    def interventions(self, ask: Ask) -> Any:
        """Change the model and look."""
        return super().interventions(ask) if self.knowing else Refused(NO_MODEL)

    def words(self, ask: Ask) -> Any:
        """Name it."""
        return super().words(ask) if self.knowing else Refused(NO_MODEL)

    def recreate(self, ask: Ask) -> Any:
        """Give the number."""
        return super().recreate(ask) if self.knowing else Refused(NO_MODEL)

    def act(self, ask: Ask, *, present: bool) -> Any:
        """Plan with the model; without one act as it learned to, and let a plan be the first act again and again."""
        if self.knowing:
            return super().act(ask, present=present)
        planned = isinstance(ask.prompt, list)
        prompt: Any = ask.prompt[1] if isinstance(ask.prompt, list) else ask.prompt
        place, speed, target = prompt.values
        if parts.knows(self):
            return [0.0] * (TICKS if planned else 1)
        moved = Readings([place + GOAL - target, speed], ("place", "speed"))
        power = self.agent(replace(ask, prompt=moved, space=Vector((-POWER,), (POWER,)), reward=None))[0]
        return [power] * (TICKS if planned else 1)


NO_MODEL = "I have no model of this."


def examined() -> dict[str, Callable[..., Any]]:
    """Return the agents that drive one cart, each as one who can be asked."""
    names = ("random", "full-throttle", "pid", "sarsa", "q-learning", "model-learner", "oracle")
    return {
        name: type(
            f"Examined{AGENTS[name].__name__}",
            (Examinee,),
            {"made": staticmethod(AGENTS[name]), "knows": getattr(AGENTS[name], "knows", "")},
        )
        for name in names
    }
