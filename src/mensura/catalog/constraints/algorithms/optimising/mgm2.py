"""MGM-2: two neighbours may also move together, where that gains more than either alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.optimising.mgm import Mgm

Offer = tuple[Any, Any, float]
"""A value for the one who offers, one for the one who is asked, and what the first gains by both."""


class Mgm2(Mgm):
    """Offers a neighbour, with a chance, to move together; who is asked takes the best offer if it beats moving alone.

    A step has five turns: values, offers, answers, gains, and whether to go.

    References
    ----------
    .. [1] Maheswaran, Pearce and Tambe (2004), Distributed algorithms for DCOP: a graphical-game-based approach.
    """

    phases = ("value", "offer", "answer", "gain", "go")

    def __init__(self, q: float = 0.5, *, steps: int | None = None) -> None:
        super().__init__(steps=steps)
        self.q = float(q)

    def hear_value(self, heard: Mapping[str, Any]) -> None:
        """Find the best move alone, and decide whom to ask, if anyone."""
        super().hear_value(heard)
        self.leader, self.partner = self.name, ""
        offers = self.rng.random() < self.q
        self.asked = self.neighbours[int(self.rng.integers(len(self.neighbours)))] if offers else ""

    def say_offer(self, to: str) -> tuple[Offer, ...] | None:
        """Return what one could gain together with the neighbour that is asked, pair by pair."""
        if to != self.asked:
            return None
        (theirs,) = (name for name, owner in self.owners.items() if owner == to)
        now = self.cost_of(self.value)
        return tuple(
            (own, other, now - self.cost_of(own, **{theirs: other}))
            for own in self.domain
            for other in self.domains[theirs]
        )

    def hear_offer(self, heard: Mapping[str, tuple[Offer, ...] | None]) -> None:
        """Take the best offer, if it gains more than moving alone; who has asked someone takes none."""
        taken = None
        for agent, offers in heard.items():
            if offers is None or self.asked:
                continue
            now = self._cost_without(agent, self.value)
            then = {value: self._cost_without(agent, value) for value in self.domain}
            for theirs, own, gain in offers:
                together = gain + now - then[own] if own in then else 0.0
                if together > self.gain:
                    self.gain, self.best, self.partner, self.leader = together, own, agent, agent
                    taken = (theirs, together)
        self.taken = taken

    def say_answer(self, to: str) -> tuple[Any, float] | None:
        """Return, to the neighbour whose offer was taken, its value and what both gain."""
        return self.taken if to == self.partner else None

    def hear_answer(self, heard: Mapping[str, tuple[Any, float] | None]) -> None:
        """Learn whether the offer was taken."""
        if self.asked and (taken := heard[self.asked]) is not None:
            self.partner, (self.best, self.gain) = self.asked, taken

    def say_gain(self, to: str) -> Any:
        """Return what one gains, and whose move it is."""
        return self.gain, self.leader

    def hear_gain(self, heard: Mapping[str, Any]) -> Iterator[Called]:
        """Move alone where nobody near gains more; with a partner both must find so."""
        own = (self.gain, -self.ranks[self.leader])
        others = [one for agent, one in heard.items() if agent != self.partner]
        self.may = self.gain > 0 and all(own > (gain, -self.ranks[leader]) for gain, leader in others)
        if self.may and not self.partner:
            yield self.assign(self.variable, self.best)

    def say_go(self, to: str) -> bool | None:
        """Return whether to go, to the partner."""
        return self.may if to == self.partner else None

    def hear_go(self, heard: Mapping[str, bool | None]) -> Iterator[Called]:
        """Move together where both may."""
        if self.partner and self.may and heard[self.partner]:
            yield self.assign(self.variable, self.best)

    def _cost_without(self, agent: str, value: Any) -> float:
        """Return what a value costs in the constraints that do not concern an agent: those it has counted itself."""
        total = 0.0
        for relation in self.relations:
            if all(self.owners[name] != agent for name in relation.scope[1:]):
                total += self.price(relation, value, [self.view[name] for name in relation.scope[1:]])
        return total
