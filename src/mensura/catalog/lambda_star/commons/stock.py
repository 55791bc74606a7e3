"""The stock: it regrows by what is left of it."""

from collections.abc import Sequence
from dataclasses import dataclass

from mensura.errors import BadParameter


def check_commons(*, agents: int, seasons: int, episodes: int, capacity: float, growth: float) -> None:
    """Refuse a commons that nobody shares or that does not grow."""
    if agents < 2 or seasons < 1 or episodes < 1:
        raise BadParameter(
            f"--agents is at least 2, --seasons and --episodes at least 1; got {agents}, {seasons} and {episodes}."
        )
    if capacity <= 0 or not 0 < growth <= 1:
        raise BadParameter(f"--capacity is above 0 and --growth in (0, 1]; got {capacity:g} and {growth:g}.")


@dataclass(frozen=True)
class Season:
    """One season: the stock before it, what everyone got, what was left, and what grew."""

    before: float
    got: tuple[float, ...]
    left: float
    grown: float


@dataclass
class Stock:
    r"""A common stock of at most `capacity`, which grows by :math:`r\,s\,(1 - s/C)` on what is left, s.

    Growth is greatest, r·C/4, where half of the capacity is left: to take more starves the future, to take less wastes
    it.
    """

    capacity: float = 100.0
    growth: float = 0.5
    level: float = 100.0

    @property
    def most_growth(self) -> float:
        """What a season can grow at most."""
        return self.growth * self.capacity / 4

    def harvest(self, wanted: Sequence[float]) -> Season:
        """Let everyone take what they want; where that is more than there is, all get less in proportion."""
        before, total = self.level, sum(wanted)
        share = min(1.0, before / total) if total > 0 else 1.0
        got = tuple(amount * share for amount in wanted)
        left = max(0.0, before - sum(got))
        grown = self.growth * left * (1 - left / self.capacity)
        self.level = left + grown
        return Season(before, got, left, grown)
