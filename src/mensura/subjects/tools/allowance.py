"""Allowance: how much a model may use for an item before the item ends with what it earned."""

import asyncio
import math
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from mensura.dialogue.session.limits import require_positive
from mensura.errors import SubjectSpent

Result = TypeVar("Result")


@dataclass(frozen=True)
class Allowance:
    """How much a model may use for one item, that is one session; None: no limit.

    Limits on tokens and cost are looked at between calls: the last call may pass them, and an answer that it gives
    counts.

    Parameters
    ----------
    max_turns
        Most calls of the model for one answer.
    max_tokens_total
        Most tokens read and written.
    max_item_cost
        Most that may be spent, in the unit of the prices.
    max_seconds
        The longest that model and tools may take together; approvers take their own time.
    """

    max_turns: int = 30
    max_tokens_total: int | None = None
    max_item_cost: float | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        require_positive(self)


class Used:
    """The used part of an allowance."""

    def __init__(self, allowance: Allowance = Allowance()) -> None:
        self.allowance = allowance
        self.tokens = 0.0
        self.cost = 0.0
        self.seconds = 0.0
        self.turns = 0
        """Calls of the model for the answer that is not given yet, as far as they were made before a kill."""

    def add(self, *, tokens: float | None, cost: float | None) -> None:
        """Count what a call took; what is not known stays so."""
        self.tokens += math.nan if tokens is None else tokens
        self.cost += math.nan if cost is None else cost

    def check(self, *, turns: int) -> None:
        """Raise `SubjectSpent` where nothing is left for another call of the model."""
        limits = self.allowance
        if self.turns + turns >= limits.max_turns:
            raise SubjectSpent(f"The model gave no answer within {limits.max_turns} turns (max_turns).")
        for used, most, what, name in (
            (self.tokens, limits.max_tokens_total, "tokens", "max_tokens_total"),
            (self.cost, limits.max_item_cost, "in cost", "max_item_cost"),
        ):
            if most is not None and math.isnan(used):
                raise SubjectSpent(f"How much was used is unknown, so {name} cannot be enforced; the item ends.")
            if most is not None and used >= most:
                raise SubjectSpent(f"The item used {used:g} {what}, and may use {most:g} ({name}).")

    async def within(self, work: Awaitable[Result]) -> Result:
        """Wait for something as long as there is time left."""
        most = self.allowance.max_seconds
        start = time.monotonic()
        limit = asyncio.timeout(None if most is None else max(0.0, most - self.seconds))
        try:
            async with limit:
                return await work
        except TimeoutError:
            if not limit.expired():
                raise
            raise SubjectSpent(f"The item took longer than {most:g} s (max_seconds).") from None
        finally:
            self.seconds += time.monotonic() - start
