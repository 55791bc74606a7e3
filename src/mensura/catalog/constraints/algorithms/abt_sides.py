"""Asynchronous backtracking for private constraints: each side checks what it knows, above as well as below."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.abt import EVER, UNKNOWN, Abt
from mensura.catalog.constraints.mail.letter import Letter


class AbtSides(Abt):
    """Tells its values both ways; who is above answers a value it forbids with a nogood of the two values.

    So nothing that only one side knows goes unchecked, and nothing of it is told but the pairs that came up.

    References
    ----------
    .. [1] Brito, Meisels, Meseguer and Zivan (2009), Constraints 14, 199-234: the form with one phase.
    """

    needs = frozenset({"one variable", "satisfaction", "binary", "ordered channels"})

    def start(self) -> Iterator[Called]:
        """Take the first value and tell all neighbours."""
        self.linked = {one: EVER for one in self.neighbours if self.ranks[one] < self.rank}
        self.below = dict.fromkeys(self.neighbours, EVER)
        self.theirs: dict[str, Any] = {}
        """The values of those below."""
        yield from self.begin_search()

    def hear_value(self, letter: Letter) -> None:
        """Note a value of someone above, or below."""
        if self.ranks[letter.sender] < self.rank:
            super().hear_value(letter)
        else:
            self.theirs[letter.sender] = letter.data

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Read all letters, check the own value, then those of the agents below that were heard."""
        yield from super().receive(mail)
        yield from self.blame(*{letter.sender: None for letter in mail if letter.kind == "ok"})

    def tell(self, *agents: str) -> Iterator[Called]:
        """Tell the value, and what it forbids below."""
        yield from super().tell(*agents)
        yield from self.blame(*agents)

    def blame(self, *agents: str) -> Iterator[Called]:
        """Send those below a nogood whose value the own one forbids."""
        for agent in agents:
            theirs = self.theirs.get(agent, UNKNOWN)
            if UNKNOWN in (self.value, theirs) or agent not in self._with:
                continue
            if not self.relation(agent).allows(self.value, theirs):
                yield self.send(agent, "nogood", ((self.name, self.value), (agent, theirs)))
