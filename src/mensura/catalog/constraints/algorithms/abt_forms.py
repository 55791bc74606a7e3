"""Forms of asynchronous backtracking that differ in which links are added, and for how long."""

from collections.abc import Iterator

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.abt import Abt


class AbtTemp(Abt):
    """Asks for links that last for k messages."""

    def __init__(self, k: int = 5) -> None:
        self.lasting = int(k)


class AbtNot(Abt):
    """Asks for no links."""

    def link(self, agent: str) -> Iterator[Called]:
        """Ask for nothing."""
        yield from ()


class AbtAll(Abt):
    """Is linked to everybody from the start."""

    def start(self) -> Iterator[Called]:
        """Link everyone above and below before the first value is told."""
        self.neighbours = tuple(agent for agent in self.ranks if agent != self.name)
        yield from super().start()
