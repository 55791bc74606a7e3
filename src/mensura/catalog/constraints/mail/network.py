"""Network: when a message arrives, how often, and in which order. All its chance comes from one generator."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Literal

import numpy as np

from mensura.errors import BadParameter

Delay = Callable[[int, int], float]
Channel = Literal["plain", "acknowledged"]
BLOCK = 1024
MOST_ATTEMPTS = 1000
"""How often an acknowledging channel sends one message before the run would never end."""


@dataclass(frozen=True)
class NetworkTerms:
    """What a network does to messages.

    Parameters
    ----------
    delay
        "none", "fixed:D", "uniform:A,B", "exponential:MEAN", or "link:A,B": each link has its own, drawn once from A to
        B. In synchronous runs the unit is a cycle, and a message takes at least one; in asynchronous ones it is as many
        wakings as there are agents.
    loss, duplication, reordering
        Chances that a message is lost, comes twice, or is overtaken by later ones of its channel.
    channel
        "acknowledged": what is lost is sent again until the reader has acknowledged it, and arrives once and in order.
    """

    delay: str = "none"
    loss: float = 0.0
    duplication: float = 0.0
    reordering: float = 0.0
    channel: Channel = "plain"

    def __post_init__(self) -> None:
        for name in ("loss", "duplication", "reordering"):
            share = getattr(self, name)
            if not 0 <= share < 1:
                raise BadParameter(f"--{name} is a chance from 0 to less than 1; got {share:g}.")
        self.parts()

    @property
    def plain(self) -> bool:
        """Whether every message arrives once, in order and at once."""
        return self.delay == "none" and not (self.loss or self.duplication or self.reordering)

    def parts(self) -> tuple[str, list[float]]:
        """Return the sort of delay and its numbers, or refuse it in a sentence."""
        sort, _, rest = self.delay.partition(":")
        count = {"none": 0, "fixed": 1, "uniform": 2, "exponential": 1, "link": 2}.get(sort)
        try:
            numbers = [float(part) for part in rest.split(",")] if rest else []
        except ValueError:
            numbers = []
        rising = numbers == sorted(numbers) and all(0 <= number < np.inf for number in numbers)
        if count != len(numbers) or not rising:
            raise BadParameter(
                "--delay is none, fixed:D, uniform:A,B, exponential:MEAN or link:A,B with 0 ≤ A ≤ B; "
                f"got {self.delay!r}."
            )
        return sort, numbers


class Network:
    """A network under way: it remembers what every channel has carried. Its clock goes in whole ticks.

    Parameters
    ----------
    terms
        What it does to messages.
    rng
        All its chance.
    ticks
        How many ticks make one unit of time.
    least
        How many ticks every message takes at least.
    """

    def __init__(self, terms: NetworkTerms, rng: np.random.Generator, *, ticks: int = 1, least: int = 0) -> None:
        self.terms, self._ticks, self._least = terms, ticks, least
        self._rng = rng
        self._block: list[float] = []
        self._links: dict[tuple[int, int], float] = {}
        self._last: dict[tuple[int, int], int] = {}
        sort, numbers = terms.parts()
        # As fractions: 0.07 of a hundred ticks is seven, and not a little more.
        self._delay = self._drawn(sort, [float(Fraction(str(number)) * ticks) for number in numbers])
        self.lost = self.duplicated = self.reordered = self.resent = self.acknowledged = 0

    def draw(self) -> float:
        """Draw a number from 0 to 1; many are drawn at once, since one at a time costs more than a message."""
        if not self._block:
            self._block = self._rng.random(BLOCK).tolist()
        return self._block.pop()

    def carry(self, sender: int, to: int, now: int) -> list[int]:
        """Return the ticks at which the copies of a message arrive; none where it is lost."""
        terms, link = self.terms, (sender, to)
        if terms.channel == "acknowledged":
            return [self._in_order(link, now + ceil(self._acknowledged(link)))]
        if terms.loss and self.draw() < terms.loss:
            self.lost += 1
            return []
        copies = 1
        if terms.duplication and self.draw() < terms.duplication:
            self.duplicated += 1
            copies = 2
        if terms.reordering and self.draw() < terms.reordering:
            # It leaves the line: what is sent after it may arrive before it.
            self.reordered += 1
            return [now + self._ticks + self._least + ceil(self._delay(*link)) for _ in range(copies)]
        return [self._in_order(link, now + max(self._least, ceil(self._delay(*link)))) for _ in range(copies)]

    def _in_order(self, link: tuple[int, int], arrival: int) -> int:
        arrival = max(arrival, self._last.get(link, 0))
        self._last[link] = arrival
        return arrival

    def _acknowledged(self, link: tuple[int, int]) -> float:
        """Return after how many ticks a message is there; it is sent until its acknowledgement is back."""
        loss, waited, arrived = self.terms.loss, 0.0, None
        for attempt in range(MOST_ATTEMPTS):
            self.resent += attempt > 0
            way = max(self._least, self._delay(*link))
            if self.draw() >= loss:
                arrived = waited + way if arrived is None else arrived
                self.acknowledged += 1
                if self.draw() >= loss:
                    return arrived
            # Who hears nothing for the time of two ways sends again.
            waited += 2 * max(way, self._least, self._ticks)
        return waited if arrived is None else arrived

    def _drawn(self, sort: str, numbers: list[float]) -> Delay:
        if sort == "none":
            return lambda sender, to: 0.0
        if sort == "fixed":
            return lambda sender, to: numbers[0]
        if sort == "exponential":
            return lambda sender, to: float(-numbers[0] * np.log1p(-self.draw()))
        low, high = numbers
        if sort == "uniform":
            return lambda sender, to: low + (high - low) * self.draw()
        return lambda sender, to: self._of_link((sender, to), low, high)

    def _of_link(self, link: tuple[int, int], low: float, high: float) -> float:
        if link not in self._links:
            self._links[link] = low + (high - low) * self.draw()
        return self._links[link]

    def report(self) -> dict[str, Any]:
        """Count what was done to messages."""
        counts = ("lost", "duplicated", "reordered", "resent", "acknowledged")
        return {name: getattr(self, name) for name in counts}
