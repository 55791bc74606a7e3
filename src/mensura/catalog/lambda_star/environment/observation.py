"""What an agent sees: the cells around it, what stands on them, and the rewards there."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.lambda_star.environment.torus import ACTIONS, Torus
from mensura.dialogue import Grid, Prompt, Readings
from mensura.errors import BadParameter

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


@dataclass(frozen=True)
class ViewData(Prompt):
    """The data of an observation: a fourth part of the prompt, only for Python subjects in another process."""

    kind: ClassVar[str] = "lambda-star view"
    view: Mapping[str, Any]

    def data(self) -> dict[str, Any]:
        return {"kind": self.kind, **self.view}

    def text(self) -> str:
        return ""


class Observation(Sequence[Prompt]):
    """One agent's view before it acts: a grid for the eye, the rewards, and where and when it is; nothing out of sight.

    As a prompt it is three parts, made only when they are looked at: a `Grid`, `Readings` of the rewards in reading
    order, and `Readings` of row, column and iteration. Agents read the attributes, in a process of their own too.
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

    @classmethod
    def read(cls, prompt: Any) -> "Observation":
        """Return the observation of a prompt: itself, or made again where it came from another process.

        Of `together` only the views that were sent are there: those of the agents that one collective plays.
        """
        if isinstance(prompt, cls):
            return prompt
        last = prompt[-1] if isinstance(prompt, list) and prompt else None
        data = last.data() if isinstance(last, Prompt) else {}
        if data.get("kind") != ViewData.kind:
            raise BadParameter("An agent of Λ* acts on the observations of a Λ* test, and was shown something else.")
        terms = Terms(Torus(*data["torus"]), data["iterations"], data["original"], tuple(data["team"]))
        views = [cls._made(one, terms) for one in data["views"]]
        together: list[Any] = [None] * data["agents"]
        for view in views:
            together[view.body] = view
            view.together = together
        return views[0]

    @classmethod
    def _made(cls, data: Mapping[str, Any], terms: Terms) -> "Observation":
        view = cls.__new__(cls)
        for name in ("cell", "iteration", "body"):
            setattr(view, name, data[name])
        view.terms, view.seen, view.rewards = terms, list(data["seen"]), tuple(data["rewards"])
        view._good, view._evil = data["good"], data["evil"]
        # In place of those before it, so that its own cell stands where `contents` leaves it out.
        view._others = (*[NOWHERE] * view.body, view.cell, *data["others"])
        return view

    def for_process(self, roles: Collection[str]) -> list[Prompt]:
        """Return the prompt for a Python subject in a process of its own that plays these roles."""
        mine = {seat(role) for role in roles} - {self.body}
        views = [self, *(view for view in self.together if view.body in mine)]
        terms = self.terms
        known = {
            "torus": [terms.torus.rows, terms.torus.columns],
            "iterations": terms.iterations,
            "original": terms.original,
            "team": list(terms.team),
            "agents": len(self.together),
            "views": [view._described() for view in views],
        }
        return [*self, ViewData(known)]

    def _described(self) -> dict[str, Any]:
        """Describe what this agent sees, and nothing out of sight."""
        others = {*self._others[: self.body], *self._others[self.body + 1 :]}
        return {
            "cell": self.cell,
            "iteration": self.iteration,
            "body": self.body,
            "seen": list(self.seen),
            "rewards": list(self.rewards),
            "good": self._good,
            "evil": self._evil,
            "others": sorted(others.intersection(self.seen)),
        }

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


def seat(role: str) -> int:
    """Return the number, from 0, of the agent that plays a role such as `agent3`.

    >>> seat("agent3"), seat("subject")
    (2, 0)
    """
    number = role.removeprefix("agent")
    return int(number) - 1 if number.isdecimal() else 0
