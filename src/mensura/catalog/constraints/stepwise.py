"""Stepwise: agents that take a step together, on any network: each waits until it has heard from all its neighbours."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from mensura.catalog.constraints.agent import Agent, Called
from mensura.catalog.constraints.mail.letter import Letter
from mensura.catalog.constraints.relation import Relation


class Stepwise(Agent):
    """Local search in lockstep: write `say_X(to)` and `hear_X(heard)` for each X in `phases`.

    Letters carry the number of their turn, so that steps stay together where messages take different times. A step has
    a turn for each phase; in synchronous runs a turn is a cycle.

    Parameters
    ----------
    steps
        After how many steps the agents fall silent; None: only a limit ends the run.
    """

    phases: ClassVar[tuple[str, ...]] = ("value",)

    def __init__(self, *, steps: int | None = None) -> None:
        self.steps = None if steps is None else int(steps)

    def start(self) -> Iterator[Called]:
        """Take a value by chance and say it; alone, take the best."""
        self.turn = 0
        self.view: dict[str, Any] = {}
        """Variable of a neighbour → its value."""
        self._heard: dict[int, dict[str, Any]] = {}
        first = self.domain[int(self.rng.integers(len(self.domain)))]
        if not self.neighbours:
            first = min(self.domain, key=self.cost_of)
        yield self.assign(self.variable, first)
        yield from self._say()

    def receive(self, mail: Sequence[Letter]) -> Iterator[Called]:
        """Take as many turns as all neighbours have spoken for."""
        for letter in mail:
            turn, said = letter.data
            self._heard.setdefault(turn, {})[letter.sender] = said
        while len(self._heard.get(self.turn, ())) == len(self.neighbours):
            heard = self._heard.pop(self.turn)
            yield from getattr(self, f"hear_{self._phase}")(heard) or ()
            self.turn += 1
            if self.steps is not None and self.turn >= self.steps * len(self.phases):
                return
            yield from self._say()

    @property
    def _phase(self) -> str:
        return self.phases[self.turn % len(self.phases)]

    def _say(self) -> Iterator[Called]:
        phase = self._phase
        say = getattr(self, f"say_{phase}")
        for agent in self.neighbours:
            yield self.send(agent, phase, (self.turn, say(agent)))

    def say_value(self, to: str) -> Any:
        """Return what is said to a neighbour in the phase of values."""
        return self.value

    def see(self, heard: Mapping[str, Any]) -> None:
        """Note the values of all neighbours."""
        for relation in self.relations:
            for name in relation.scope[1:]:
                self.view[name] = heard[self.owners[name]]

    def costs(self) -> dict[Any, float]:
        """Return what each value would cost, the neighbours' values as they are seen."""
        return {value: self.cost_of(value) for value in self.domain}

    def cost_of(self, value: Any, **others: Any) -> float:
        """Return what a value costs in all constraints together; others' values as seen, unless given."""
        total = 0.0
        for relation in self.relations:
            theirs = [others.get(name, self.view.get(name)) for name in relation.scope[1:]]
            total += self.price(relation, value, theirs)
        return total

    def price(self, relation: Relation, value: Any, theirs: Sequence[Any]) -> float:
        """Return what one constraint costs."""
        return relation.price(value, *theirs)
