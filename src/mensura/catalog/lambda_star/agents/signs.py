"""Collectives that speak through marks on the ground: stigmergy and the wisdom of the crowd."""

from collections.abc import Sequence

from mensura.catalog.lambda_star.agents.agent import Collective
from mensura.catalog.lambda_star.agents.choice import best_in_sight, toward, uniform_best
from mensura.catalog.lambda_star.environment.observation import Observation
from mensura.catalog.lambda_star.settings import STIGMERGY_WEIGHT


class Stigmergy(Collective):
    """Lays fake rewards on all seen cells, then goes where they are highest."""

    kind = "stigmergy"

    def start(self) -> None:
        self._marks: dict[int, float] = {}

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        if observations[0].terms.original:
            self._mix_marks(observations)
        else:
            self._marks = {}
            for view in observations:
                fake = STIGMERGY_WEIGHT * max(view.rewards) + (1 - STIGMERGY_WEIGHT) * min(view.rewards)
                for cell, reward in zip(view.seen, view.rewards, strict=True):
                    self._marks[cell] = reward + fake
        return [toward(view, best_in_sight(view, self._marks_seen(view), self.rng)) for view in observations]

    def _mix_marks(self, observations: Sequence[Observation]) -> None:
        """Lay marks as the program of 2016 did: they stay, and new ones are averaged in."""
        for view in observations:
            fake = 0.4 * (max(view.rewards) + min(view.rewards))
            if fake:
                for cell, reward in zip(view.seen, view.rewards, strict=True):
                    self._marks[cell] = (self._marks.get(cell, 0.0) + reward + fake) / 3

    def _marks_seen(self, view: Observation) -> list[float]:
        return [self._marks.get(cell, 0.0) for cell in view.seen]


class WisdomOfCrowd(Collective):
    """Keeps one map that all write to, and heads for its best cell."""

    kind = "wisdom-of-crowd"

    def start(self) -> None:
        self._belief: list[float] = []

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        terms = observations[0].terms
        belief = self._belief = self._belief or [0.0] * terms.torus.cells
        if terms.original:
            for view in observations:
                for cell, reward in zip(view.seen, view.rewards, strict=True):
                    if reward:
                        belief[cell] = (belief[cell] + reward) / 2
        else:
            fresh = {
                cell: reward for view in observations for cell, reward in zip(view.seen, view.rewards, strict=True)
            }
            belief[:] = [(old + fresh.get(cell, 0.0)) / 2 for cell, old in enumerate(belief)]
        return [toward(view, uniform_best(belief, self.rng)) for view in observations]
