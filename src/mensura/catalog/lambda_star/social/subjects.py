"""Reference subjects of the social world."""

from collections.abc import Sequence
from functools import partial

from mensura.catalog.lambda_star.agents import BUILT_IN, Agent, Collective
from mensura.catalog.lambda_star.agents.choice import toward
from mensura.catalog.lambda_star.environment.observation import Observation


class Patrol(Collective):
    """Watches the ground together: each heads for a cell of its own that has been unseen longest, the nearest first."""

    def start(self) -> None:
        self._seen_at: dict[int, int] = {}

    def decide(self, observations: Sequence[Observation]) -> list[int]:
        torus = observations[0].torus
        for view in observations:
            self._seen_at.update(dict.fromkeys(view.seen, view.iteration))
        taken: set[int] = set()
        actions = []
        for view in observations:
            free = [cell for cell in range(torus.cells) if cell not in taken] or list(range(torus.cells))
            target = min(free, key=partial(self._staleness, view))
            # What lies in sight of the target will be watched on the way: let the others go elsewhere.
            taken.update(torus.moves[target])
            actions.append(toward(view, target))
        return actions

    def _staleness(self, view: Observation, cell: int) -> tuple[int, int]:
        return self._seen_at.get(cell, -1), view.torus.distance(view.cell, cell)


SUBJECTS: dict[str, type[Agent]] = {
    **{
        name: BUILT_IN[name]
        for name in (
            "random",
            "local-search",
            "stigmergy",
            "wisdom-of-crowd",
            "bidding",
            "dictatorship",
            "binary-tree",
        )
    },
    "patrol": Patrol,
}
"""Those that know nothing of the future: here it depends on what agents do."""
