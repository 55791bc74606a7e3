"""Rehearsal: stands in for an endpoint in a dry run; what would be sent is counted, and nothing is."""

from dataclasses import dataclass

from mensura.subjects.model.cost.size import characters_of, longest_answer
from mensura.subjects.model.endpoint import Retrying
from mensura.subjects.model.manner import Manner
from mensura.subjects.model.request import Completion, ModelRequest


@dataclass(frozen=True)
class PlannedCall:
    """A request that would be made: its length, the longest answer it can have, and the prices."""

    characters: int
    longest: int | None
    price_in: float
    price_out: float


class Rehearsal:
    """The requests that subjects would send; `reply` is the simulated reply of the model."""

    def __init__(self) -> None:
        self.calls: list[PlannedCall] = []
        self.reply = ""

    def take(self) -> list[PlannedCall]:
        """Return the calls since the last time."""
        calls, self.calls = self.calls, []
        return calls


@dataclass(frozen=True)
class NamedModel:
    """A model of which only the name is known."""

    model: str


class RehearsedEndpoint:
    """An endpoint that takes down every request and sends none."""

    def __init__(self, rehearsal: Rehearsal, *, model: str, manner: Manner, limit: int | None) -> None:
        self.api = NamedModel(model)
        self._rehearsal = rehearsal
        self._manner = manner
        self._limit = limit

    async def complete(self, request: ModelRequest, *, retrying: Retrying = Retrying()) -> Completion:
        """Count a request, and return the reply that was given beforehand."""
        longest = longest_answer(request.settings, otherwise=self._limit)
        prices = self._manner.price_in, self._manner.price_out
        self._rehearsal.calls.append(PlannedCall(characters_of(request), longest, *prices))
        return Completion(text=self._rehearsal.reply, finish="stop", model=self.api.model)
