"""Maximum gain message: of neighbours only the one that gains most moves, so the sum never grows worse."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.stepwise import Stepwise


class Mgm(Stepwise):
    """Tells its value, then what it could gain, and moves where no neighbour gains more; ties go by rank.

    References
    ----------
    .. [1] Maheswaran, Pearce and Tambe (2004), Distributed algorithms for DCOP: a graphical-game-based approach.
    """

    phases: ClassVar[tuple[str, ...]] = ("value", "gain")

    def hear_value(self, heard: Mapping[str, Any]) -> None:
        """Find the best value and what it gains."""
        self.see(heard)
        costs = self.costs()
        least = min(costs.values())
        self.gain = costs[self.value] - least
        best = [value for value, cost in costs.items() if cost == least]
        self.best = best[int(self.rng.random() * len(best))]

    def say_gain(self, to: str) -> float:
        """Return the gain."""
        return self.gain

    def hear_gain(self, heard: Mapping[str, float]) -> Iterator[Called]:
        """Move where nobody near gains more."""
        own = (self.gain, -self.rank)
        if self.gain > 0 and all(own > (gain, -self.ranks[agent]) for agent, gain in heard.items()):
            yield self.assign(self.variable, self.best)
