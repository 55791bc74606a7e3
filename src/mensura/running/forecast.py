"""Forecast: what a run would cost, said before anything is spent."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mensura.dialogue import Ask, Test, prompt_text
from mensura.running.take import take
from mensura.subjects import SubjectSpec
from mensura.subjects.chance import Chance
from mensura.subjects.spec import HUMAN

LANGUAGE_MODEL_SECONDS = 2.0
"""Assumed time of one call to a language model."""
CHARACTERS_PER_TOKEN = 4.0


@dataclass(frozen=True)
class Cost:
    """How much a run would take, from one rehearsal by the chance subject."""

    sessions: int
    asks: int
    minutes: float
    tokens: int | None
    """Only for language models."""
    basis: str

    def as_json(self) -> dict[str, Any]:
        """Return the cost as JSON."""
        return {
            "sessions": self.sessions,
            "asks": self.asks,
            "minutes": round(self.minutes, 3),
            "tokens": self.tokens,
            "basis": self.basis,
        }

    def __str__(self) -> str:
        tokens = "" if self.tokens is None else f", about {self.tokens} tokens"
        return (
            f"{self.sessions} sessions, about {self.asks} asks, {self.minutes:.2g} minutes{tokens} ({self.basis}). "
            "Nothing was run."
        )


def forecast_cost(
    test: Test,
    cast: Mapping[str, SubjectSpec],
    *,
    sessions: int,
    parameters: Mapping[str, Any],
    items: int | None = None,
) -> Cost:
    """Rehearse one session with the chance subject, in memory, and multiply; names that mean nothing are refused.

    Of a bank whose items are taken one by one, `items` is how many are taken: each is then a session of its own.
    """
    for spec in cast.values():
        if spec.name != HUMAN:
            spec.find(test)
    words = 0

    class Counting(Chance):
        def __call__(self, ask: Ask) -> Any:
            nonlocal words
            words += len(prompt_text(ask.prompt))
            return super().__call__(ask)

    start = time.perf_counter()
    taken = take(test, Counting(), seed=0, parameters=parameters, trace="summary")
    seconds = time.perf_counter() - start
    asks = len(taken.record.answers)
    if items is not None and test.bank is not None:
        # The rehearsal went through the whole bank.
        asks, words, seconds = asks // len(test.bank), words // len(test.bank), seconds / len(test.bank)
        sessions *= items
    asks *= sessions
    models = [spec for spec in cast.values() if spec.name.startswith("llm:")]
    basis = "one rehearsal by the chance subject"
    if not models:
        return Cost(sessions, asks, seconds * sessions / 60, None, basis)
    share = len(models) / len(cast)
    tokens = int(words * sessions * share / CHARACTERS_PER_TOKEN + asks * share * 100)
    minutes = asks * share * LANGUAGE_MODEL_SECONDS / 60
    basis += f"; {LANGUAGE_MODEL_SECONDS:g} s and 100 tokens beyond the prompt assumed per call"
    return Cost(sessions, asks, minutes, tokens, basis)
