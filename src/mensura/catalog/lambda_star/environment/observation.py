"""What an agent sees: the cells around it, what stands on them, and the rewards there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.lambda_star.environment.torus import ACTIONS, Torus
from mensura.dialogue import Grid, Prompt, Readings

if TYPE_CHECKING:
    from mensura.catalog.lambda_star.world import GridWorld

LEGEND = {"@": "you", "G": "Good", "E": "Evil", "a": "another agent"}
PLACE = ("row", "column", "iteration")
NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Terms:
    """What everyone in an environment may know of it; nothing of where its objects will go."""

    torus: Torus
    iterations: int
    original: bool = False
    """Whether the rules are those of the program of 2016."""
    team: tuple[str, ...] = ()
    """The kinds of agents in a named team, in order."""


class Observation(Sequence[Prompt]):
    """One agent's view before it acts: a grid for the eye, the rewards, and where and when it is; nothing out of sight.

    As a prompt it is three parts, made only when they are looked at: a `Grid`, `Readings` of the rewards in reading
    order, and `Readings` of row, column and iteration. Agents in this process read the attributes.
    """

    __slots__ = ("_evil", "_good", "_others", "body", "cell", "iteration", "rewards", "seen", "terms", "together")

    cell: int
    """Where the agent stands, counted from 0 in reading order."""
    iteration: int
    """How many actions were taken before."""
    seen: Sequence[int]
    """The cells in sight, in reading order."""
    rewards: Sequence[float]
    """Their rewards."""
    body: int
    """Which of the agents it is, from 0."""
    terms: Terms
    """What everyone knows of the environment."""
    together: list["Observation"]
    """The views of all agents at this moment, for collectives that answer for all of them."""

    def __init__(self, world: "GridWorld", body: int, cell: int, seen: Sequence[int], rewards: Sequence[float]) -> None:
        self.cell = cell
        self.seen = seen
        self.iteration = world.iteration
        self.rewards = rewards
        self.body = body
        self.terms = world.terms
        self._others = tuple(world.cells)
        good, evil = world.objects(world.iteration)
        self._good = good if good in seen else NOWHERE
        self._evil = evil if evil in seen else NOWHERE

    @property
    def torus(self) -> Torus:
        """The ground."""
        return self.terms.torus

    @property
    def sight(self) -> int:
        """How far the agent sees."""
        return (isqrt(len(self.seen)) - 1) // 2

    @property
    def contents(self) -> list[str]:
        """What stands on the cells in sight, in reading order: G, E, a for other agents, or nothing."""
        good, evil = self._good, self._evil
        others = set(self._others[: self.body] + self._others[self.body + 1 :])
        signs = []
        for cell in self.seen:
            sign = "G" if cell == good else "E" if cell == evil else ""
            signs.append(sign + "a" if cell in others else sign)
        return signs

    def __len__(self) -> int:
        return 3

    @overload
    def __getitem__(self, part: int) -> Prompt: ...
    @overload
    def __getitem__(self, part: slice) -> Sequence[Prompt]: ...
    def __getitem__(self, part: int | slice) -> Any:
        if isinstance(part, slice):
            return [self[place] for place in range(3)[part]]
        return (self._grid, self._rewards, self._place)[part]()

    def __iter__(self) -> Iterator[Prompt]:
        return iter((self._grid(), self._rewards(), self._place()))

    def _grid(self) -> Grid:
        rows = _texts(tuple(self.contents), tuple(self.rewards))
        return Grid(rows, LEGEND, f"Iteration {self.iteration + 1} of {self.terms.iterations}")

    def _rewards(self) -> Readings:
        return Readings(list(self.rewards), ACTIONS if len(self.rewards) == len(ACTIONS) else ())

    def _place(self) -> Readings:
        row, column = self.torus.coordinates(self.cell)
        return Readings([row, column, self.iteration + 1], PLACE)

    def array(self) -> NDArray[np.float32]:
        """Return the view as numbers: of all cells in sight the rewards, then the objects (1 Good, -1 Evil), then
        whether another agent is there; last place and time in [0, 1].
        """
        torus = self.torus
        contents = self.contents
        row, column = divmod(self.cell, torus.columns)
        place = (row / torus.rows, column / torus.columns, self.iteration / self.terms.iterations)
        objects = [("G" in sign) - float("E" in sign) for sign in contents]
        return np.array([*self.rewards, *objects, *("a" in sign for sign in contents), *place], dtype=np.float32)


def array_shape(*, sight: int, **others: Any) -> tuple[int]:
    """Return how many numbers the array of a view has: three for every cell in sight, and where and when it is."""
    return (3 * (2 * sight + 1) ** 2 + len(PLACE),)


@lru_cache(maxsize=4096)
def _texts(contents: tuple[str, ...], rewards: tuple[float, ...]) -> list[list[str]]:
    """Write the cells in sight; most views are seen again and again, most of all those with nothing in them."""
    side, middle = isqrt(len(contents)), len(contents) // 2
    texts = [
        f"{sign} {reward:+.2g}".strip() if reward else sign for sign, reward in zip(contents, rewards, strict=True)
    ]
    texts[middle] = f"@{texts[middle]}"
    return [texts[start : start + side] for start in range(0, len(texts), side)]
