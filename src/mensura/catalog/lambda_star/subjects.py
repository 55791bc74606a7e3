"""Reference subjects: the agents and collectives of the paper and its program, and teams of several kinds."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from mensura.catalog.lambda_star.agents import BUILT_IN, Agent
from mensura.catalog.lambda_star.environment.observation import Observation, seat
from mensura.catalog.lambda_star.team import make_agent
from mensura.dialogue import Ask
from mensura.errors import BadParameter


class NamedTeam:
    """The team that `--team local-search:3,q-learning:2` names: agents of a kind form a collective of their own.

    Some kinds are told the environment, so every team is declared to be; the others in it make no use of that.
    """

    knows = "truth"
    recomputes = True
    collective = True

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator that all chance of this session comes from."""
        self.rng = rng
        self._members: dict[str, Agent] = {}
        self._told: list[Ask] = []

    def feedback(self, told: Ask) -> None:
        """Keep what is told until it is known who sits where."""
        self._told.append(told)

    def __call__(self, ask: Ask) -> int:
        observation: Observation = ask.prompt  # type: ignore[assignment]
        kinds = observation.terms.team
        if not kinds:
            raise BadParameter("A team has members; name them: --team local-search:3,q-learning:2.")
        for told in self._told:
            self._member(kinds[seat(told.role)]).feedback(told)
        self._told = []
        return self._member(kinds[seat(ask.role)])(ask)

    def _member(self, kind: str) -> Agent:
        if kind not in self._members:
            self._members[kind] = make_agent(kind)
            self._members[kind].begin(self.rng)
        return self._members[kind]


SUBJECTS: Mapping[str, Callable[..., Any]] = {**BUILT_IN, "team": NamedTeam}
