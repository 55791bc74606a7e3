"""The social world: objects act only on company, they react to agents, and agents need not be alike."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mensura.catalog.lambda_star.environment.observation import Observation
from mensura.catalog.lambda_star.environment.torus import STAY, Torus
from mensura.catalog.lambda_star.world import GridWorld, gains_of, seen_from

STEPS_OF = {
    "king": frozenset(range(9)),
    "rook": frozenset({1, 3, STAY, 5, 7}),
    "bishop": frozenset({0, 2, STAY, 6, 8}),
}
"""The actions (0 to 8) each kind of body can do; any other leaves it where it is."""
REACTIONS = ("none", "flee", "hunt", "both")


@dataclass(frozen=True)
class SocialBody:
    """What one agent is like: how far it sees, how it moves, and what Good is worth to it (-1: it likes Evil)."""

    sight: int = 1
    steps: str = "king"
    taste: float = 1.0


@dataclass(frozen=True)
class Society:
    """How agents and world meet.

    `needed` agents must be near Good before it pays any of them, and near Evil before it hurts any. With a `reaction`,
    one object flees and the other hunts the nearest agent within two steps, each with chance `chance`, else it goes on
    with the steps of its pattern; chance decides in each environment which object is which. So Good and Evil are alike
    in all but their sign, and random behaviour earns nothing.
    """

    needed: int = 2
    reaction: str = "none"
    chance: float = 0.5
    bodies: tuple[SocialBody, ...] = (SocialBody(),)

    def body(self, number: int) -> SocialBody:
        """Return the body of an agent; the list is gone through again where there are more agents."""
        return self.bodies[number % len(self.bodies)]


class SocialWorld(GridWorld):
    """Λ* as a society: see `Society`. All it does follows from the environment, `key` and the actions."""

    def __init__(
        self,
        torus: Torus,
        *,
        good: Sequence[int],
        evil: Sequence[int],
        starts: Sequence[int],
        society: Society,
        key: int,
    ) -> None:
        self.society = society
        self.key = key
        self._pattern = (list(good), list(evil))
        super().__init__(torus, good=good, evil=evil, starts=starts)

    def begin(self) -> None:
        super().begin()
        self._rng = np.random.default_rng(self.key)
        self.good_flees = bool(self._rng.random() < 0.5)
        """Whether it is Good that flees, and Evil that hunts."""
        self.good, self.evil = list(self._pattern[0]), list(self._pattern[1])
        self.watched: list[set[int]] = []
        """Cells that somebody saw before each action."""
        self.company: list[int] = []
        """How many agents were near Good after each action."""

    def observe(self) -> list[Observation]:
        """Give every agent the view its own eyes and tastes make of the same moment."""
        good, evil = (gains_of(self.torus)[place] for place in self.objects(self.iteration))
        views = []
        for number, cell in enumerate(self.cells):
            body = self.society.body(number)
            seen = seen_from(self.torus, body.sight)[cell]
            rewards = tuple(body.taste * (good.get(place, 0.0) - evil.get(place, 0.0)) for place in seen)
            views.append(Observation(self, number, cell, seen, rewards))
        for view in views:
            view.together = views
        self.watched.append({cell for view in views for cell in view.seen})
        return views

    def step(self, actions: Sequence[int | None]) -> list[float]:
        """Move everyone as far as their bodies can, then the objects, and pay by the rules of the society."""
        allowed = [STEPS_OF[self.society.body(number).steps] for number in range(len(self.cells))]
        possible = [
            action if action is not None and action - 1 in steps else None
            for action, steps in zip(actions, allowed, strict=True)
        ]
        if self.society.reaction != "none":
            self._react(possible)
        super().step(possible)
        good, evil = (gains_of(self.torus)[place] for place in self.objects(self.iteration))
        self.company.append(sum(cell in good for cell in self.cells))
        good, evil = (
            gains if sum(cell in gains for cell in self.cells) >= self.society.needed else {} for gains in (good, evil)
        )
        return [
            self.society.body(number).taste * (good.get(cell, 0.0) - evil.get(cell, 0.0))
            for number, cell in enumerate(self.cells)
        ]

    def _react(self, actions: Sequence[int | None]) -> None:
        """Decide where the objects go next, once the agents have moved."""
        after = [
            self.torus.moves[cell][STAY if action is None else action - 1]
            for cell, action in zip(self.cells, actions, strict=True)
        ]
        now, following = self.iteration, self.iteration + 1
        good = self._next(self.good[now], self._pattern[0], after, away=self.good_flees)
        evil = self._next(self.evil[now], self._pattern[1], after, away=not self.good_flees)
        if good == evil:
            # As in Λ*, of two that want one cell one is let in; an object that is there already keeps it.
            if good == self.good[now] or (evil != self.evil[now] and self._rng.random() < 0.5):
                evil = self.evil[now]
            else:
                good = self.good[now]
        self.good[following], self.evil[following] = good, evil

    def _next(self, place: int, pattern: Sequence[int], agents: Sequence[int], *, away: bool) -> int:
        reacts = self.society.reaction in (("flee", "both") if away else ("hunt", "both"))
        nearest = min(agents, key=lambda cell: self.torus.distance(place, cell))
        if reacts and self.torus.distance(place, nearest) <= 2 and self._rng.random() < self.society.chance:
            if not away:
                return self.torus.moves[place][self.torus.toward(place, nearest)]
            ways = self.torus.moves[place]
            best = max(self.torus.distance(cell, nearest) for cell in ways)
            far = [cell for cell in ways if self.torus.distance(cell, nearest) == best]
            return far[int(self._rng.random() * len(far))]
        step = self.torus.toward(pattern[self.iteration], pattern[self.iteration + 1])
        return self.torus.moves[place][step]
