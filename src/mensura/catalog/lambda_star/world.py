"""The plain world: one environment, stepped in Python. What `batch` does by the thousand, readable."""

from collections.abc import Sequence
from functools import lru_cache

from mensura.catalog.lambda_star.environment.observation import NOWHERE, Observation, Terms
from mensura.catalog.lambda_star.environment.torus import STAY, Torus


class GridWorld:
    """One environment: Good and Evil on their ways, agents that see and act.

    Parameters
    ----------
    torus
        The ground.
    good, evil
        Cells of both objects at iterations 0 to ϑ.
    starts
        Where the agents begin.
    sight
        How far they see.
    original
        Whether the first view is that of the program of 2016, a lone punishment on its first cell.
    team
        The kinds of agents in a named team, in order.

    Examples
    --------
    >>> world = GridWorld(Torus(5, 5), good=[12, 13, 14], evil=[0, 0, 0], starts=[11])
    >>> [view] = world.observe()
    >>> view.rewards
    (-0.5, 0.0, 0.5, 0.0, 0.5, 1.0, 0.0, 0.5, 0.5)
    >>> world.step([6])
    [0.5]
    """

    def __init__(
        self,
        torus: Torus,
        *,
        good: Sequence[int],
        evil: Sequence[int],
        starts: Sequence[int],
        sight: int = 1,
        original: bool = False,
        team: tuple[str, ...] = (),
    ) -> None:
        self.torus = torus
        self.good = list(good)
        self.evil = list(evil)
        self.starts = list(starts)
        self.sight = sight
        self.original = original
        self.iterations = len(self.good) - 1
        self.terms = Terms(torus, self.iterations, original, team)
        self.seen = seen_from(torus, sight)
        self._moves = torus.moves
        self._gains = gains_of(torus)
        self._views = views_of(torus, sight)
        self._nothing = (0.0,) * (2 * sight + 1) ** 2
        self.begin()

    def begin(self) -> None:
        """Put everyone back to where they began."""
        self.iteration = 0
        self.cells = list(self.starts)

    def observe(self) -> list[Observation]:
        """Return every agent's view, all of the same moment."""
        if self.original and self.iteration == 0:
            views = [self._first_view(body, cell) for body, cell in enumerate(self.cells)]
        else:
            good, evil = self._views[self.good[self.iteration]], self._views[self.evil[self.iteration]]
            views = []
            for body, cell in enumerate(self.cells):
                gains, losses = good.get(cell), evil.get(cell)
                rewards = self._nothing if gains is None else gains
                if losses is not None:
                    rewards = tuple([gain - loss for gain, loss in zip(rewards, losses, strict=True)])
                views.append(Observation(self, body, cell, self.seen[cell], rewards))
        for view in views:
            view.together = views
        return views

    def step(self, actions: Sequence[int | None]) -> list[float]:
        """Let every agent do its action, 1 to 9 (None: it stays), then move the objects; return the rewards."""
        moves = self._moves
        self.cells = [
            moves[cell][STAY if action is None else action - 1]
            for cell, action in zip(self.cells, actions, strict=True)
        ]
        self.iteration += 1
        good, evil = self._gains[self.good[self.iteration]], self._gains[self.evil[self.iteration]]
        return [good.get(cell, 0.0) - evil.get(cell, 0.0) for cell in self.cells]

    def objects(self, iteration: int) -> tuple[int, int]:
        """Return where Good and Evil are seen; nowhere at the program's first view."""
        if self.original and iteration == 0:
            return NOWHERE, NOWHERE
        return self.good[iteration], self.evil[iteration]

    def only(self, indices: Sequence[int]) -> "GridWorld":
        """Make the same environment anew with some of the agents."""
        return GridWorld(
            self.torus,
            good=self.good,
            evil=self.evil,
            starts=[self.starts[index] for index in indices],
            sight=self.sight,
            original=self.original,
        )

    def _first_view(self, body: int, cell: int) -> Observation:
        seen = self.seen[cell]
        return Observation(self, body, cell, seen, tuple(-0.5 if place == 0 else 0.0 for place in seen))


@lru_cache(maxsize=16)
def seen_from(torus: Torus, sight: int) -> list[list[int]]:
    """List for every cell the cells in sight."""
    return torus.neighbourhood(sight)


@lru_cache(maxsize=16)
def gains_of(torus: Torus) -> list[dict[int, float]]:
    """Return for an object on each cell what it is worth nearby: 1 on its own cell and 1/2 beside it."""
    return [{near: 1.0 / (torus.distance(cell, near) + 1) for near in nine} for cell, nine in enumerate(torus.moves)]


class Views(dict[int, dict[int, tuple[float, ...]]]):
    """For an object on a cell: what it makes the cells in sight worth, seen from each cell where that is anything."""

    def __init__(self, torus: Torus, sight: int) -> None:
        self._gains = gains_of(torus)
        self._reach = seen_from(torus, sight + 1)
        self._seen = seen_from(torus, sight)

    def __missing__(self, cell: int) -> dict[int, tuple[float, ...]]:
        gains = self._gains[cell]
        self[cell] = {
            place: tuple(gains.get(seen, 0.0) for seen in self._seen[place]) for place in set(self._reach[cell])
        }
        return self[cell]


@lru_cache(maxsize=16)
def views_of(torus: Torus, sight: int) -> Views:
    """Return the views on a torus, each made when it is first needed."""
    return Views(torus, sight)
