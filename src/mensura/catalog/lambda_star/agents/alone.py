"""Agents that act by themselves: random, local search, oracle."""

from collections.abc import Sequence

from mensura.catalog.lambda_star.agents.agent import Agent
from mensura.catalog.lambda_star.agents.choice import best_in_sight, toward
from mensura.catalog.lambda_star.environment.observation import Observation
from mensura.catalog.lambda_star.environment.torus import Torus


class Random(Agent):
    """Takes any of the nine actions, each as likely: the lower bound."""

    kind = "random"

    def act(self, observation: Observation) -> int:
        return 1 + int(self.rng.random() * 9)


class LocalSearch(Agent):
    """Goes to the best cell in sight, drawn among equals."""

    kind = "local-search"

    def act(self, observation: Observation) -> int:
        rewards = observation.rewards
        best = max(rewards)
        if len(rewards) > 9:
            return toward(observation, best_in_sight(observation, rewards, self.rng))
        places = [place for place, reward in enumerate(rewards, start=1) if reward == best]
        return places[0] if len(places) == 1 else places[int(self.rng.random() * len(places))]


class Oracle(Agent):
    """Knows Good's way: follows it, and cuts it off where it runs away. The upper bound.

    It is told the environment: a yardstick, not a contestant. The program's oracle of 2016 never cuts off.
    """

    kind = "oracle"
    knows = "truth"

    def begin(self, rng: object) -> None:
        self._cutting: dict[int, bool] = {}

    def start(self) -> None:
        self._cutting = {}

    def act(self, observation: Observation) -> int:
        world = self.world
        if world.original:
            return toward(observation, world.good[observation.iteration + 1])
        cell, cutting = pursue(
            world.torus,
            world.good,
            observation.cell,
            observation.iteration + 1,
            cutting=self._cutting.get(observation.body, False),
        )
        self._cutting[observation.body] = cutting
        return toward(observation, cell)


def pursue(torus: Torus, good: Sequence[int], cell: int, iteration: int, *, cutting: bool) -> tuple[int, bool]:
    """Return the cell an oracle steps to, and whether it is now on its way to cut Good off."""
    follow = torus.moves[cell][torus.toward(cell, good[iteration])]
    left = torus.distance(follow, good[iteration])
    if left == 0 or (not cutting and left < torus.distance(cell, good[iteration - 1])):
        return follow, False
    for later in range(iteration, len(good)):
        if torus.distance(cell, good[later]) <= later - iteration + 1:
            return torus.moves[cell][torus.toward(cell, good[later])], True
    return follow, True
