"""Robots that explore an unknown grid together: one problem for each move, which keeps them in touch.

After Doniec et al. (2009, 2010): each robot chooses one of eight directions; none may run into an obstacle or another
robot, and robots that are linked have to stay within communication range. What was explored is shared by all.
"""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from mensura.catalog.constraints.families.chain import Chain
from mensura.catalog.constraints.families.terrain import Cell, RobotTerrain, draw_terrain
from mensura.catalog.constraints.problem.constraint import Constraint
from mensura.catalog.constraints.problem.problem import Problem
from mensura.errors import BadParameter

STEPS = {
    "n": (0, -1),
    "ne": (1, -1),
    "e": (1, 0),
    "se": (1, 1),
    "s": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (-1, -1),
}


def robots(
    rng: np.random.Generator,
    *,
    n: int = 6,
    m: int = 8,
    p1: float = 0.4,
    sr: int = 2,
    cr: float = 6.0,
    obsd: float = 0.1,
    obstacles: int = 0,
    size: int = 1,
    side: int = 20,
    moves: int = 30,
    goal: Literal["satisfy", "min"] = "satisfy",
) -> Chain:
    """Explore a grid with n robots that see sr cells far and speak over cr cells.

    A share p1 of all pairs, at least a tree of them, has to stay in range, as far as so many are. Obstacles of
    size × size cells cover a share obsd of the grid, or are so many as `obstacles` says. With the goal `satisfy` each
    domain lists directions that lead to unexplored cells first; with `min` the way to them is what a direction costs.
    """
    if m != 8:
        raise BadParameter(f"A robot chooses among 8 directions; got m={m}.")
    if n < 1 or not 0 <= p1 <= 1:
        raise BadParameter(f"Robots need n ≥ 1 and a share of links p1 from 0 to 1; got n={n}, p1={p1:g}.")
    if sr < 1 or cr < 1:
        raise BadParameter(f"Robots see and speak over at least one cell; got sr={sr}, cr={cr:g}.")
    if moves < 1:
        raise BadParameter(f"Robots make at least one move; got moves={moves}.")
    grid = draw_terrain(rng, side=side, share=obsd, count=obstacles, size=size)
    return Exploration(
        grid, start=grid.cluster(rng, n=n, reach=cr), links=p1, sees=sr, reach=cr, moves=moves, goal=goal
    )


class Exploration(Chain):
    """Robots on their way; `advance` moves them if what they agreed on keeps every constraint."""

    def __init__(
        self, grid: RobotTerrain, *, start: list[Cell], links: float, sees: int, reach: float, moves: int, goal: str
    ) -> None:
        self.grid, self.at, self.links = grid, start, links
        self.sees, self.reach, self.goal = sees, reach, goal
        self.left = moves
        self.made = 0
        self.travelled = [0.0] * len(start)
        self.explored = np.zeros_like(grid.blocked)
        self.can_reach = grid.reachable(start)
        self._look()

    @property
    def over(self) -> bool:
        """Whether every cell that can be reached is explored, or no move is left."""
        return self.left == 0 or not bool((self.can_reach & ~self.explored).any())

    def advance(self, assignment: Mapping[str, Any] | None) -> None:
        """Move all robots, or none where they agreed on nothing or on what breaks a constraint."""
        self.left -= 1
        if assignment is not None and not self.problem.violated(assignment):
            self.made += 1
            for i, cell in enumerate(self.at):
                step = STEPS[assignment[f"x{i}"]]
                self.at[i] = _after(cell, step)
                self.travelled[i] += float(np.hypot(*step))
        self._look()

    def report(self) -> dict[str, Any]:
        """Return the share explored, the distance travelled in cells, and the moves made."""
        return {
            "explored": float((self.explored & self.can_reach).sum() / self.can_reach.sum()),
            "travelled": sum(self.travelled),
            "travelled_by_robot": list(self.travelled),
            "moves": self.made,
        }

    def _look(self) -> None:
        for x, y in self.at:
            near = np.s_[max(0, y - self.sees) : y + self.sees + 1, max(0, x - self.sees) : x + self.sees + 1]
            self.explored[near] = True
        self.problem = self._problem()

    def _problem(self) -> Problem:
        names = [f"x{i}" for i in range(len(self.at))]
        far = self.grid.distance(self.explored, known=self.explored)
        ways = [
            [far[_after(cell, step)[::-1]] if self._free(cell, step) else np.inf for step in STEPS.values()]
            for cell in self.at
        ]
        orders = [sorted(range(8), key=way.__getitem__) if self.goal == "satisfy" else list(range(8)) for way in ways]
        directions = list(STEPS)
        constraints = []
        for i, (way, order) in enumerate(zip(ways, orders, strict=True)):
            cost = np.array([way[k] for k in order])
            # Where nothing unexplored can be reached any more, every way is as good as another.
            cost = np.where(np.isfinite(cost), np.minimum(cost, self.grid.side**2), np.inf)
            constraints.append(Constraint((names[i],), cost if self.goal == "min" else np.isfinite(cost)))
        kept = self._kept()
        for i, j in sorted(kept | self._close()):
            table = self._pair(i, j, linked=(i, j) in kept)[np.ix_(orders[i], orders[j])]
            constraints.append(Constraint((names[i], names[j]), table))
        return Problem(
            name="robots",
            objective="min",
            domains={
                f"ways of {name}": tuple(directions[k] for k in order)
                for name, order in zip(names, orders, strict=True)
            },
            variables={name: f"ways of {name}" for name in names},
            agents={name: (name,) for name in names},
            constraints=tuple(constraints),
            place={name: (float(x), float(y)) for name, (x, y) in zip(names, self.at, strict=True)},
            notes={
                "family": "robots",
                "links_per_variable": len(constraints) / len(names) - 1,
                **self.report(),
                "left": self.left,
            },
        )

    def _free(self, cell: Cell, step: Cell) -> bool:
        """Say whether a step leads to a cell that is not known to be blocked; sensors see all neighbours."""
        return self.grid.open(_after(cell, step))

    def _kept(self) -> set[tuple[int, int]]:
        """Return the pairs that have to stay in range: a shortest tree, and the nearest others up to the share."""
        n = len(self.at)
        pairs = sorted(
            (float(np.hypot(self.at[i][0] - self.at[j][0], self.at[i][1] - self.at[j][1])), i, j)
            for i in range(n)
            for j in range(i + 1, n)
        )
        pairs = [pair for pair in pairs if pair[0] <= self.reach]
        part = list(range(n))
        tree: set[tuple[int, int]] = set()
        for _, i, j in pairs:
            if part[i] != part[j]:
                tree.add((i, j))
                part = [part[i] if one == part[j] else one for one in part]
        more = [(i, j) for _, i, j in pairs if (i, j) not in tree]
        return tree | set(more[: max(0, round(self.links * n * (n - 1) / 2) - len(tree))])

    def _close(self) -> set[tuple[int, int]]:
        """Return the pairs that could run into one another."""
        n = len(self.at)
        return {
            (i, j)
            for i in range(n)
            for j in range(i + 1, n)
            if max(abs(self.at[i][0] - self.at[j][0]), abs(self.at[i][1] - self.at[j][1])) <= 2
        }

    def _pair(self, i: int, j: int, *, linked: bool) -> np.ndarray[Any, Any]:
        allowed = np.ones((8, 8), dtype=bool)
        for a, first in enumerate(STEPS.values()):
            for b, second in enumerate(STEPS.values()):
                one, two = _after(self.at[i], first), _after(self.at[j], second)
                swapped = one == self.at[j] and two == self.at[i]
                apart = np.hypot(one[0] - two[0], one[1] - two[1])
                allowed[a, b] = one != two and not swapped and (not linked or apart <= self.reach)
        return allowed


def _after(cell: Cell, step: Cell) -> Cell:
    return cell[0] + step[0], cell[1] + step[1]
