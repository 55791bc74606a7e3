"""The setter of an exam: what every task is drawn from."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.exam.model import GridSize, Heading, Pause
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.exam.probs import GROUPS, Probs
from mensura.catalog.sensemaking.generating.design import Design
from mensura.errors import BadParameter

MOST = 20_000
BREAK = "Take a break of five to ten minutes. Continue when you are ready."

Drawn = TypeVar("Drawn")


@dataclass(frozen=True)
class Setter:
    """Draws an exam by one design and one set of rules, all chance from one generator."""

    rng: np.random.Generator
    design: Design
    probs: Probs
    exam: str
    reverse: bool = False
    grid: GridSize = field(default_factory=GridSize)
    groups: tuple[str, ...] = GROUPS

    def heading(self, number: int) -> Heading:
        """Return what stands round the trials of a task."""
        return Heading(
            id=f"Task{number}",
            name=f"Mission {number}",
            exam_id=self.exam,
            show_score=number != 7,
            reverse_layer_order=True if self.reverse and number >= 4 else None,
            pause=Pause(BREAK) if number in (4, 6) else None,
        )

    def pick(self, points: Sequence[GridPoint]) -> GridPoint:
        """Pick one place."""
        return points[int(self.rng.integers(len(points)))]

    def deal(self, chances: NDArray[np.float64], *, count: int) -> list[int]:
        """Deal so many outcomes, as numbers, in proportion to their chances and in random order.

        >>> from mensura.catalog.sensemaking.exam.probs import published_probs
        >>> setter = Setter(np.random.default_rng(0), Design(), published_probs(), "")
        >>> sorted(setter.deal(np.array([0.8, 0.2]), count=10))
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
        """
        exact = chances * count
        whole = np.floor(exact + 1e-9).astype(int)
        short = count - int(whole.sum())
        if short:
            rest = np.clip(exact - whole, 1e-12, None)
            whole[self.rng.choice(len(chances), size=short, replace=False, p=rest / rest.sum())] += 1
        return [int(card) for card in self.rng.permutation(np.repeat(np.arange(len(chances)), whole))]

    def deal_groups(self, count: int) -> list[str]:
        """Deal so many groups, each as often as any other."""
        even = np.full(len(self.groups), 1 / len(self.groups))
        return [self.groups[card] for card in self.deal(even, count=count)]

    def leaves_open(self, miles: NDArray[np.float64]) -> bool:
        """Whether HUMINT at these distances is neither a guess nor a foregone conclusion."""
        near = self.probs.distance_likelihood(miles)
        return bool(self.design.flattest <= (near / near.sum()).max() <= self.design.steepest)


def draw_until(draw: Callable[[], Drawn | None], *, what: str) -> Drawn:
    """Draw until a draw is not None; when none ever fits, say what could not be found.

    >>> draw_until(lambda: 3, what="a number")
    3
    """
    for _ in range(MOST):
        drawn = draw()
        if drawn is not None:
            return drawn
    raise BadParameter(f"{MOST} attempts found no {what}; loosen the exam's design.")


def far_apart(places: Sequence[GridPoint], separation: float) -> bool:
    """Whether all places keep a distance from each other."""
    at = np.array(places)
    gaps = np.hypot(*np.moveaxis(at[:, None] - at[None], -1, 0))
    return bool((gaps[~np.eye(len(at), dtype=bool)] >= separation).all())
