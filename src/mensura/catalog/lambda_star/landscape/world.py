"""The landscape as a world: agents see the fitness around them and are paid that of their cell."""

from collections.abc import Sequence

from mensura.catalog.lambda_star.environment.observation import NOWHERE, Observation
from mensura.catalog.lambda_star.environment.torus import Torus
from mensura.catalog.lambda_star.landscape.terrain import Terrain
from mensura.catalog.lambda_star.world import GridWorld


class LandscapeWorld(GridWorld):
    """Agents on a terrain; there is no Good and no Evil, only higher and lower ground."""

    def __init__(self, torus: Torus, *, terrain: Terrain, starts: Sequence[int], sight: int = 1) -> None:
        self.terrain = terrain
        self._rows = [row.tolist() for row in terrain.fitness]
        nowhere = [0] * len(self._rows)
        super().__init__(torus, good=nowhere, evil=nowhere, starts=starts, sight=sight)

    def begin(self) -> None:
        super().begin()
        self.paths = [[cell] for cell in self.cells]
        """The cells every agent has been on."""
        self.greedy: list[list[bool]] = [[] for _ in self.cells]
        """Whether each action led to the best cell in reach."""

    def observe(self) -> list[Observation]:
        """Give every agent the fitness of the cells in sight."""
        row = self._rows[self.iteration]
        views = []
        for number, cell in enumerate(self.cells):
            seen = self.seen[cell]
            views.append(Observation(self, number, cell, seen, tuple(row[place] for place in seen)))
        for view in views:
            view.together = views
        return views

    def step(self, actions: Sequence[int | None]) -> list[float]:
        """Move everyone, then the terrain; pay the fitness of the new cell."""
        row = self._rows[self.iteration]
        best = [max(row[near] for near in self.torus.moves[cell]) for cell in self.cells]
        super().step(actions)
        for number, cell in enumerate(self.cells):
            self.paths[number].append(cell)
            self.greedy[number].append(row[cell] == best[number])
        after = self._rows[self.iteration]
        return [after[cell] for cell in self.cells]

    def objects(self, iteration: int) -> tuple[int, int]:
        """Show no objects: there are none."""
        return NOWHERE, NOWHERE
