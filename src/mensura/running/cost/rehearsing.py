"""Rehearsing: builds the very requests that a run would send, with answers drawn by chance, and sends none."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Address, Ask, Outcome, Test
from mensura.running.take import take
from mensura.subjects import Subject, SubjectSpec
from mensura.subjects.chance import Chance
from mensura.subjects.model.cost.rehearsal import PlannedCall, Rehearsal
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.outside.protocol import written
from mensura.subjects.subject import begin, end, feedback


@dataclass(frozen=True)
class Rehearsed:
    """One session as it would be: how many answers it wants, and which calls models would be sent."""

    asks: int
    calls: list[PlannedCall]
    seconds: float
    """The time of the test itself."""

    @property
    def characters(self) -> int:
        """How much would be sent."""
        return sum(call.characters for call in self.calls)


def rehearse(
    test: Test,
    cast: Mapping[str, SubjectSpec],
    addresses: Iterable[Address],
    *,
    parameters: Mapping[str, Any],
    seed: int = 0,
) -> list[Rehearsed]:
    """Go through some sessions without asking anyone.

    Language models build their requests; everyone else, and what models would say, is drawn by chance. A model that is
    a member of a team is not rehearsed: programs may be members too, and a rehearsal starts none.
    """
    heard = Rehearsal()
    players: dict[str, Subject] = {
        role: _Rehearsing(spec.make(test, spending=Spending(rehearsal=heard)), heard)
        if spec.name.startswith("llm:") or ("llm:" in spec.name and not spec.is_stranger(test))
        else Chance()
        for role, spec in cast.items()
    }
    sessions = []
    for address in addresses:
        start = time.perf_counter()
        taken = take(test, players, seed=seed, parameters=parameters, address=address, trace="summary")
        sessions.append(Rehearsed(len(taken.record.answers), heard.take(), time.perf_counter() - start))
    return sessions


class _Rehearsing(Chance):
    """Draws answers by chance, and lets a model build the request of each ask."""

    def __init__(self, model: Subject, heard: Rehearsal) -> None:
        self.model = model
        self.heard = heard

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Begin a session."""
        super().begin(rng)
        begin(self.model, rng, role)

    def feedback(self, told: Ask) -> None:
        """Tell the model too."""
        feedback(self.model, told)

    def end(self, outcome: Outcome) -> None:
        """End the session."""
        end(self.model, outcome)

    def __call__(self, ask: Ask) -> Any:
        answer = super().__call__(ask)
        self.heard.reply = written({"answer": answer})
        self.model(ask)
        return answer
