"""Distributed backtracking with sessions: every choice opens a session, and what belongs to an older one is void."""

from collections.abc import Iterator
from typing import Any

from mensura.catalog.constraints.agent import Called
from mensura.catalog.constraints.algorithms.abt import UNKNOWN, Abt, Nogood
from mensura.catalog.constraints.mail.letter import Letter


class Dbs(Abt):
    """Tells values with the number of the session that they opened, and blames sessions instead of values.

    The paper that names the algorithm [1]_ was not at hand. What is ours: the rest is asynchronous backtracking with
    links, so that a blame names sessions of several agents and goes to the lowest of them. Whether it still holds is
    seen from the numbers alone: an agent that has returned to an old value has opened a new session.

    References
    ----------
    .. [1] Monier, Piechowiak and Mandiau (2009), "A complete algorithm for DisCSP: distributed backtracking with
       sessions", AAMAS workshop on optimisation in multi-agent systems.
    """

    session = 0

    def tell(self, *agents: str) -> Iterator[Called]:
        """Tell the value with its session."""
        if self.value is not UNKNOWN and agents:
            yield self.send(agents, "ok", (self.value, self.session))

    def assign(self, variable: str, value: Any) -> Called:
        """Open a session with every choice."""
        self.session += 1
        return super().assign(variable, value)

    def hear_nogood(self, letter: Letter) -> Iterator[Called]:
        """Take a blame in where it is of the open session and of those known of others."""
        blamed: dict[str, Any] = dict(letter.data)
        value, session = blamed.pop(self.name)
        if self.value is UNKNOWN or session != self.session:
            self.set_aside(letter)
            return
        plain = (*blamed.items(), (self.name, value))
        yield from super().hear_nogood(letter._replace(data=plain))

    def conflict(self, value: Any) -> Nogood | None:
        """Check a value against those above; the first conflict blames the session of who is there."""
        view = self.view
        for relation, agents in self.mine:
            if all(agent in view for agent in agents):
                theirs = [view[agent] for agent in agents]
                if not relation.allows(value, *(value for value, _ in theirs)):
                    return tuple(zip(agents, theirs, strict=True))
        return None
