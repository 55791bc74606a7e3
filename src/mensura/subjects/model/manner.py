"""Manner: how a language model is asked."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.subjects.model.endpoint import Retrying
from mensura.subjects.model.request import Completion

SYSTEM = (
    "You are taking a test. Answer each question as well as you can. "
    'Reply with nothing but JSON of the form {"answer": ...}.'
)


@dataclass(frozen=True)
class Manner:
    """How a language model is asked.

    Parameters
    ----------
    system
        The system prompt.
    memory
        How many earlier asks of the session the model sees again; None: all of them. Named by llm:, as its test says.
    window
        How many tokens of earlier asks it sees again; None: all. The rules are always seen.
    summaries
        Whether the model sums up what it does not see any more; each summary is a further request, and recorded.
    settings
        Further fields of the request, such as temperature or max_tokens.
    seeded
        Whether to send a seed drawn from the session's generator; few servers keep to it.
    logprobs
        Whether a distribution over options is read from how probable the model finds the letter of each.
    retries, first_wait
        How often to try again after a failure in passing, and how many seconds to wait before the first retry.
    price_in, price_out
        Price of a million tokens read and written; NaN where it is not known.
    priced
        Where the prices come from; "" where they were given.
    """

    system: str = SYSTEM
    memory: int | None = None
    window: int | None = None
    summaries: bool = False
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeded: bool = False
    logprobs: bool = False
    retries: int = 8
    first_wait: float = 1.0
    price_in: float = float("nan")
    price_out: float = float("nan")
    priced: str = ""

    @property
    def retrying(self) -> Retrying:
        """How a request is tried again."""
        return Retrying(self.retries, self.first_wait)

    def cost(self, completion: Completion) -> float | None:
        """Return what a completion cost; None where a price or a count is not known."""
        if completion.cached:
            return 0.0
        if completion.tokens_in is None or completion.tokens_out is None:
            return None
        cost = (completion.tokens_in * self.price_in + completion.tokens_out * self.price_out) / 1e6
        return None if np.isnan(cost) else cost
