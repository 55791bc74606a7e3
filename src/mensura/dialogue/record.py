"""Record: what a session leaves for scoring. Scores: what scoring makes of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.dialogue.event import Event


@dataclass(slots=True)
class Answer:
    """One ask and what became of it."""

    number: int
    role: str
    key: str
    kind: str
    """Kind of the space that was asked for."""
    value: Any = None
    status: str = "missing"
    """"answered", "lapsed", "refused", "withdrawn" or "missing" (the session ended first)."""
    asked: int = 0
    tick: int = 0
    reward: float | None = None
    invalid: int = 0
    seconds: float | None = None
    notes: dict[str, Any] | None = None


@dataclass
class Record:
    """What a session leaves: who took what, every answer in order, and how it ended.

    `content` fetches prompt and space of an ask by its number; scoring that needs no prompts never loads them.
    """

    test: str
    parameters: Mapping[str, Any]
    cast: Mapping[str, str] = field(default_factory=dict)
    status: str = "open"
    outcome: Mapping[str, Any] = field(default_factory=dict)
    last_words: str = ""
    answers: list[Answer] = field(default_factory=list)
    session: str = ""
    content: Callable[[int], Any] = lambda number: None

    def of(self, role: str) -> list[Answer]:
        """Give the answers of one role."""
        return [answer for answer in self.answers if answer.role == role]

    def given(self, *, role: str | None = None) -> dict[str, Any]:
        """Give the last valid answer to each key."""
        return {
            answer.key: answer.value
            for answer in self.answers
            if answer.status == "answered" and (role is None or answer.role == role)
        }

    def rewards(self, *, role: str | None = None) -> NDArray[np.float64]:
        """Give the rewards, one per answer; unknown ones are NaN."""
        chosen = [answer for answer in self.answers if role is None or answer.role == role]
        return np.array([np.nan if answer.reward is None else answer.reward for answer in chosen], dtype=float)

    def counts(self) -> dict[str, int]:
        """Count what became of the asks, and the invalid answers."""
        counts = dict.fromkeys(("answered", "lapsed", "refused", "withdrawn", "missing"), 0)
        for answer in self.answers:
            counts[answer.status] += 1
        return {**counts, "invalid": sum(answer.invalid for answer in self.answers)}


@dataclass
class Items:
    """One number per item of a session; NaN where an item has no score.

    `proportion` says that items are right or wrong, 1 or 0, and can be nothing else: their share then has an interval
    of its own kind.
    """

    values: NDArray[np.float64]
    keys: Sequence[str] = ()
    proportion: bool = False

    def __init__(self, values: ArrayLike, keys: Sequence[str] = (), *, proportion: bool = False) -> None:
        self.values = np.asarray(values, dtype=float)
        self.keys = tuple(keys)
        self.proportion = proportion


@dataclass
class Scores:
    """What scoring gives: named scores, each a number for the session or one per item, and facts beside them."""

    values: dict[str, Items | float]
    details: dict[str, Any] = field(default_factory=dict)


def session_mean(value: Items | float) -> float:
    """Give a session's score as one number: the mean of its items that were scored; NaN where none was.

    >>> session_mean(Items([1, 0, float("nan")])), session_mean(2.0)
    (0.5, 2.0)
    """
    if not isinstance(value, Items):
        return float(value)
    known = value.values[~np.isnan(value.values)]
    return float(known.mean()) if len(known) else float("nan")


def make_record(events: Iterable[Event], **head: Any) -> Record:
    """Read a record from the events of a session."""
    record = Record(**head)
    open_asks: dict[str, Answer] = {}
    last: dict[str, Answer] = {}
    times: dict[int, float | None] = {}
    contents: dict[int, Any] = {}
    for event in events:
        kind = event.kind
        if kind in ("ask", "tell") and event.reward is not None and event.role in last:
            last[event.role].reward = event.reward
        if kind == "ask":
            asked = Answer(event.number, event.role, event.key, event.value, asked=event.tick, tick=event.tick)
            open_asks[event.role] = asked
            times[event.number] = event.time
            record.answers.append(asked)
        elif kind == "invalid":
            open_asks[event.role].invalid += 1
        elif kind in CLOSING:
            answer = open_asks.pop(event.role, None)
            if answer is not None:
                _close(answer, event, times.pop(answer.number, None))
                last[event.role] = answer
        elif kind == "end":
            _finish(record, event, last)
        if event.content is not None:
            contents[event.number] = event.content
    if contents:
        record.content = contents.get
    return record


CLOSING = {"answer": "answered", "lapse": "lapsed", "refuse": "refused", "withdraw": "withdrawn"}


def _close(answer: Answer, event: Event, shown_at: float | None) -> None:
    answer.status = CLOSING[event.kind]
    answer.tick = event.tick
    answer.notes = event.notes
    if event.kind == "answer":
        answer.value = event.value
    if shown_at is not None and event.time is not None:
        answer.seconds = event.time - shown_at


def _finish(record: Record, event: Event, last: Mapping[str, Answer]) -> None:
    record.status = event.value["status"]
    record.outcome = event.value["outcome"]
    record.last_words = event.value["last_words"]
    reward = record.outcome["reward"]
    if isinstance(reward, dict):
        for role, amount in reward.items():
            if role in last:
                last[role].reward = amount
    elif reward is not None and len(last) == 1:
        next(iter(last.values())).reward = reward
