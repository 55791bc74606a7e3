"""Faults of messages: dropped, doubled, late, or without the time to think."""

from collections import deque
from typing import Any

import numpy as np

from mensura.dialogue import Ask, Refused, Wait
from mensura.errors import BadParameter
from mensura.subjects.fault.fault import LOST, Disturbance, aged, share


class Drop(Disturbance):
    """Loses messages: the subject does not hear what the test says, and asks get no answer."""

    def __init__(self, rate: float = 0.1) -> None:
        self.rate = share(rate)

    def asked(self, ask: Ask, rng: np.random.Generator) -> list[Ask]:
        return [] if rng.random() < self.rate else [ask]


class Double(Disturbance):
    """Delivers messages twice; the first answer counts."""

    def __init__(self, rate: float = 0.1) -> None:
        self.rate = share(rate)

    def asked(self, ask: Ask, rng: np.random.Generator) -> list[Ask]:
        return [ask, ask] if rng.random() < self.rate else [ask]


class Hurry(Disturbance):
    """Leaves no time to think: in a share of its turns the last answer stands, and the subject is not even asked."""

    def __init__(self, rate: float = 0.1) -> None:
        self.rate = share(rate)

    def start(self) -> None:
        self._last: Any = None

    def asked(self, ask: Ask, rng: np.random.Generator) -> list[Ask]:
        return [] if self._last is not None and rng.random() < self.rate else [ask]

    def told(self, told: Ask, rng: np.random.Generator) -> list[Ask]:
        return [told]

    def instead(self, ask: Ask) -> Any:
        return self._last

    def saw(self, ask: Ask, value: Any) -> None:
        self._last = None if isinstance(value, Refused | Wait) else value

    def answered(self, ask: Ask, value: Any, rng: np.random.Generator) -> Any:
        return value


class Lag(Disturbance):
    """Delivers what is seen, or what is done, a number of asks late.

    What is seen late is the prompt and the reward of an earlier ask; before there is one, the first. What is done late
    is an earlier answer; before one has arrived nothing is done.
    """

    dose = "by"

    def __init__(self, by: int = 1, what: str = "seen") -> None:
        if type(by) is not int or by < 0:
            raise BadParameter(f"by is how many asks late, a whole number from 0; got {by!r}.")
        self.by, self.what = by, seen_or_done(what)

    def start(self) -> None:
        self._seen: deque[tuple[Any, Any]] = deque(maxlen=self.by + 1)
        self._done: deque[Any] = deque(maxlen=self.by + 1)

    def asked(self, ask: Ask, rng: np.random.Generator) -> list[Ask]:
        if self.by == 0 or self.what == "done":
            return [ask]
        # What was asked now is kept by `saw`, after it is answered.
        seen = [*self._seen, (ask.prompt, ask.reward)][-self.by - 1 :]
        return [ask if len(seen) == 1 else aged(ask, *seen[0])]

    def told(self, told: Ask, rng: np.random.Generator) -> list[Ask]:
        return [told]

    def saw(self, ask: Ask, value: Any) -> None:
        self._seen.append((ask.prompt, ask.reward))
        self._done.append(value)

    def answered(self, ask: Ask, value: Any, rng: np.random.Generator) -> Any:
        if self.by == 0 or self.what == "seen":
            return value
        return LOST if len(self._done) <= self.by else self._done[0]


def seen_or_done(what: str) -> str:
    """Refuse a side that is none."""
    if what not in ("seen", "done"):
        raise BadParameter(f"what is seen or done; got {what!r}.")
    return what
