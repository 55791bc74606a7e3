"""Collectives that speak through marks on the ground: stigmergy and the wisdom of the crowd."""

from collections.abc import Sequence

from mensura.catalog.lambda_star.agents.agent import Collective
from mensura.catalog.lambda_star.agents.choice import best_in_sight, toward, uniform_best
from mensura.catalog.lambda_star.environment.observation import Observation
from mensura.catalog.lambda_star.settings import CROWD, STIGMERGY, MarkValues


class Stigmergy(Collective):
    """Lays fake rewards on all seen cells, then goes where they are highest."""

    kind = "stigmergy"

    def __init__(self, weight: float = STIGMERGY.weight, evaporation: float = STIGMERGY.evaporation) -> None:
        super().__init__()
        self.values = MarkValues(evaporation, weight)

    def start(self) -> None:
        self._marks: dict[int, float] = {}

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        if observations[0].terms.original:
            self.values.refuse_original(STIGMERGY)
            self._mix_marks(observations)
        else:
            weight, left = self.values.weight, 1 - self.values.evaporation
            rest = {cell: left * mark for cell, mark in self._marks.items()} if left else {}
            self._marks = dict(rest)
            for view in observations:
                fake = weight * max(view.rewards) + (1 - weight) * min(view.rewards)
                for cell, reward in zip(view.seen, view.rewards, strict=True):
                    self._marks[cell] = rest.get(cell, 0.0) + reward + fake
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

    def __init__(self, evaporation: float = CROWD.evaporation) -> None:
        super().__init__()
        self.values = MarkValues(evaporation)

    def start(self) -> None:
        self._belief: list[float] = []

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        terms = observations[0].terms
        belief = self._belief = self._belief or [0.0] * terms.torus.cells
        if terms.original:
            self.values.refuse_original(CROWD)
            for view in observations:
                for cell, reward in zip(view.seen, view.rewards, strict=True):
                    if reward:
                        belief[cell] = (belief[cell] + reward) / 2
        else:
            fresh = {
                cell: reward for view in observations for cell, reward in zip(view.seen, view.rewards, strict=True)
            }
            gone = self.values.evaporation
            belief[:] = [(1 - gone) * old + gone * fresh.get(cell, 0.0) for cell, old in enumerate(belief)]
        return [toward(view, uniform_best(belief, self.rng)) for view in observations]
