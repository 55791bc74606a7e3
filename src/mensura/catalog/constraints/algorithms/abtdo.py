"""Asynchronous backtracking with dynamic ordering: who takes a value may reorder those below."""

from collections.abc import Iterator, Sequence
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.abt import EVER, UNKNOWN, Abt
from mensura.catalog.constraints.mail.letter import Letter
from mensura.errors import BadParameter

HEURISTICS = ("nogood", "min-domain", "random")


class AbtDo(Abt):
    """Backtracks as `abt` does in an order that changes: an order is newer if its stamps are larger, the first first.

    Who takes a value adds one to the stamp of its own place, sets those behind it to zero, and tells all below. Values
    are told to all neighbours, above and below, since who is below now may be above soon. A nogood that was made
    under another order, in which the reader was the lowest, is obsolete.

    Parameters
    ----------
    heuristic
        How those below are ordered anew: "nogood", whose nogood made this agent take another value comes first;
        "min-domain", those with the fewest values left come first; "random".

    References
    ----------
    .. [1] Zivan and Meisels (2006), Constraints 11, 179-197.
    """

    def __init__(self, heuristic: str = "nogood") -> None:
        if heuristic not in HEURISTICS:
            raise BadParameter(f"Orders change by {', '.join(HEURISTICS)}; got {heuristic!r}.")
        self.heuristic = heuristic

    def start(self) -> Iterator[Called]:
        """Be linked with all neighbours, above and below."""
        self.linked = dict.fromkeys(self.neighbours, EVER)
        self.below = dict.fromkeys(self.neighbours, EVER)
        self.order = tuple(sorted(self.ranks, key=self.ranks.__getitem__))
        self.stamps = (0,) * len(self.order)
        self.sizes: dict[str, int] = {}
        self.blamed_by = ""
        yield from self.begin_search()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Take orders in first of all: what else is said is to be read under the newest."""
        for letter in mail:
            if letter.kind == "order":
                self.adopt(*letter.data)
            elif letter.kind == "nogood":
                self.adopt(*letter.data[1])
        yield from super().receive([letter for letter in mail if letter.kind != "order"])

    def adopt(self, order: Sequence[str], stamps: Sequence[int]) -> None:
        """Take a newer order, and forget reasons that rest on agents who are below now."""
        if tuple(stamps) <= self.stamps:
            return
        self.order, self.stamps = tuple(order), tuple(stamps)
        self.ranks = {agent: rank for rank, agent in enumerate(self.order)}
        self.rank = self.ranks[self.name]
        self.mine = self.constraints_above()
        self.reasons = {own: why for own, why in self.reasons.items() if self.are_above(agent for agent, _ in why)}

    def are_above(self, agents: Any) -> bool:
        """Return whether all of some agents are above this one."""
        return all(self.ranks[agent] < self.rank for agent in agents)

    def hear_value(self, letter: Letter) -> None:
        """Note a value, and how many others its agent has left."""
        value, self.sizes[letter.sender] = letter.data
        self.see(letter.sender, value)

    def hear_nogood(self, letter: Letter) -> Iterator[Called]:
        """Take a nogood in of which this agent is the lowest."""
        nogood, _ = letter.data
        if not self.are_above(agent for agent, _ in nogood if agent != self.name):
            self.set_aside(letter)
            yield from self.tell(letter.sender)
            return
        self.blamed_by = letter.sender
        yield from super().hear_nogood(letter._replace(data=nogood))
        self.blamed_by = ""

    def send(self, to: str | Sequence[str], kind: str, data: Any = None) -> Called:
        """Send a nogood together with the order it was made under."""
        return super().send(to, kind, (data, (self.order, self.stamps)) if kind == "nogood" else data)

    def tell(self, *agents: str) -> Iterator[Called]:
        """Tell the value, and how many are left."""
        if self.value is not UNKNOWN and agents:
            yield self.send(agents, "ok", (self.value, len(self.domain) - len(self.reasons)))

    def taken(self) -> Iterator[Called]:
        """Order those below anew, tell them, and tell everyone the value."""
        head, tail = self.order[: self.rank + 1], self.order[self.rank + 1 :]
        anew = self.ordered(tail)
        if anew != tail:
            stamps = (*self.stamps[: self.rank], self.stamps[self.rank] + 1, *[0] * len(tail))
            self.adopt((*head, *anew), stamps)
            yield self.send(anew, "order", (self.order, self.stamps))
        yield from super().taken()

    def ordered(self, tail: tuple[str, ...]) -> tuple[str, ...]:
        """Return those below in the order that the heuristic wants."""
        if self.heuristic == "random":
            return tuple(tail[int(place)] for place in self.rng.permutation(len(tail)))
        if self.heuristic == "min-domain":
            return tuple(sorted(tail, key=lambda agent: self.sizes.get(agent, len(self.domain))))
        first = (self.blamed_by,) if self.blamed_by in tail else ()
        return (*first, *(agent for agent in tail if agent not in first))
