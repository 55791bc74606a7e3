"""Reference subjects of the commons."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mensura.dialogue import Ask


class Harvester:
    """Reads the state of the commons from what it is shown; subclasses say how much to take."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session."""
        self.rng = rng

    def __call__(self, ask: Ask) -> float:
        names, values = ask.prompt[1].names, ask.prompt[1].values  # type: ignore[index, union-attr]
        state: dict[str, float] = dict(zip(names, values, strict=True))
        return min(self.take(state), state["limit"])

    def take(self, state: dict[str, float]) -> float:
        """Return how much to take in this season."""
        raise NotImplementedError


class Restrained(Harvester):
    """Takes its fair share of what leaves half of the capacity to grow: best for all if all do it."""

    def take(self, state: dict[str, float]) -> float:
        return max(0.0, state["stock"] - state["capacity"] / 2) / state["agents"]


class Greedy(Harvester):
    """Takes all it may: best for each, whatever the others do, and ruin if all do it."""

    def take(self, state: dict[str, float]) -> float:
        return state["limit"]


class Conditional(Restrained):
    """Is restrained as long as the others were, and greedy when they took more than their share."""

    def take(self, state: dict[str, float]) -> float:
        fair = state["fair share before"] * (state["agents"] - 1)
        return state["limit"] if state["others took"] > 1.2 * fair + 1e-9 else super().take(state)


class Timid(Harvester):
    """Takes hardly anything: the stock stays full and nothing grows."""

    def take(self, state: dict[str, float]) -> float:
        return 0.01 * state["stock"] / state["agents"]


class RandomHarvester(Harvester):
    """Takes any amount that it may."""

    def take(self, state: dict[str, float]) -> float:
        return float(self.rng.uniform(0, state["limit"]))


SUBJECTS: dict[str, Callable[[], Any]] = {
    "restrained": Restrained,
    "greedy": Greedy,
    "conditional": Conditional,
    "timid": Timid,
    "random": RandomHarvester,
}
