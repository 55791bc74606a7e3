"""Forecast: what a run would cost, said before anything is spent."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.dialogue import Address, Test
from mensura.running.cost.rehearsing import Rehearsed, rehearse
from mensura.stats import Estimate, without_interval
from mensura.stats.rounding import rounded
from mensura.stats.wording import several
from mensura.subjects import SubjectSpec
from mensura.subjects.spec import HUMAN

MODEL_SECONDS = 2.0
"""Assumed time of one call to a language model."""
CHARACTERS_PER_TOKEN = 4.0
UNKNOWN = float("nan")


@dataclass(frozen=True)
class Cost:
    """How much a run would take; amounts of tokens and money are for language models only.

    What is not known is None; where only bounds are known, the value is NaN.
    """

    sessions: int
    asks: int
    minutes: float
    tokens_in: Estimate | None = None
    tokens_out: Estimate | None = None
    money: Estimate | None = None
    """In the unit of the prices."""
    basis: str = ""
    run: str = ""
    """The run whose first sessions were taken as a pilot; "" where nothing was asked."""

    def as_json(self) -> dict[str, Any]:
        """Return the cost as JSON."""
        amounts = {"tokens_in": self.tokens_in, "tokens_out": self.tokens_out, "cost": self.money}
        return {
            "sessions": self.sessions,
            "asks": self.asks,
            "minutes": round(self.minutes, 3),
            **{name: None if one is None else one.as_json() for name, one in amounts.items()},
            "basis": self.basis,
            **({"run": self.run} if self.run else {}),
        }

    def __str__(self) -> str:
        said = [f"{several(self.sessions, 'session')}, about {self.asks} asks, {self.minutes:.2g} minutes"]
        if self.tokens_in is not None:
            said.append(f"prompt tokens: {_amount(self.tokens_in)}")
            said.append(f"tokens written: {_amount(self.tokens_out)}")
            said.append(f"cost: {_amount(self.money)}")
        asked = f"The pilot is stored as {self.run}." if self.run else "Nothing was run."
        return f"{'; '.join(said)} ({self.basis}). {asked}"


def forecast_cost(
    test: Test,
    cast: Mapping[str, SubjectSpec],
    *,
    sessions: int,
    parameters: Mapping[str, Any],
    items: Sequence[str] | None = None,
    at_once: int = 1,
) -> Cost:
    """Return what a run would take, from the very requests that it would send; unknown names are refused.

    Parameters
    ----------
    sessions
        How many sessions; of items, how often each is asked.
    items
        Hashes of the items of a bank that are taken one by one; None where the test is taken as a whole, of which one
        session is then rehearsed.
    at_once
        How many sessions are taken at once.
    """
    for spec in cast.values():
        if spec.name != HUMAN:
            spec.find(test)
            spec.refuse(test, parameters)
    addresses = [Address()] if items is None else [Address(item=item) for item in items]
    rehearsed = rehearse(test, cast, addresses, parameters=parameters)
    asks = sessions * sum(one.asks for one in rehearsed)
    calls = [call for one in rehearsed for call in one.calls]
    what = "one session" if items is None else several(len(rehearsed), "item")
    basis = f"{what} rehearsed with answers drawn by chance"
    seconds = sum(one.seconds + MODEL_SECONDS * len(one.calls) for one in rehearsed)
    minutes = seconds * sessions / 60 / min(at_once, max(1, sessions * len(rehearsed)))
    if not calls:
        return Cost(sessions * len(rehearsed), asks, minutes, basis=basis)
    prompt = sum(call.characters for call in calls) / CHARACTERS_PER_TOKEN * sessions
    basis += f"; {CHARACTERS_PER_TOKEN:g} characters a token and {MODEL_SECONDS:g} s a call assumed"
    return Cost(
        sessions * len(rehearsed),
        asks,
        minutes,
        without_interval(prompt, n=0, reason="assumed characters a token"),
        *_bounds(rehearsed, sessions),
        f"{basis}; --pilot 20 measures it on 20 sessions",
    )


def _bounds(rehearsed: Sequence[Rehearsed], sessions: int) -> tuple[Estimate | None, Estimate | None]:
    """Bound what would be written, and what all would cost, by the limits of the answers; None where there is none."""
    calls = [call for one in rehearsed for call in one.calls]
    if any(call.longest is None for call in calls):
        return None, None
    method = "none: bounds by the limit of tokens"
    written = Estimate(UNKNOWN, 0.0, float(sessions * sum(call.longest or 0 for call in calls)), 0, method)
    read = sum(call.characters / CHARACTERS_PER_TOKEN * call.price_in for call in calls) * sessions / 1e6
    most = read + sum((call.longest or 0) * call.price_out for call in calls) * sessions / 1e6
    return written, None if math.isnan(most) else Estimate(UNKNOWN, read, most, 0, method)


def _amount(one: Estimate | None) -> str:
    """Write an amount, with its interval where there is one."""
    if one is None:
        return "unknown"
    if math.isnan(one.value):
        return f"unknown, at most {rounded(one.high)[0]}"
    return f"about {one.rounded[0]}" + (f" [{one.ends}]" if one.has_interval else "")
