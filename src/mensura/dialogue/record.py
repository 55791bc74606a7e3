"""Record: what a session leaves for scoring. Scores: what scoring makes of it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.dialogue.ask import Outcome
from mensura.dialogue.score import Score
from mensura.dialogue.session.event import Event
from mensura.dialogue.tally import Tally, tally_of

ESTIMATES = "estimates"
"""Among the facts beside the scores of a session: score → what its own scoring knows of its error, as an estimate in
JSON. A run of one session has that estimate; several sessions have the one that they give together."""

PROGRAM = "program "
"""The prefix in the log of a program that takes someone's place."""

POOLED = "pooled"
"""Among the same facts: what a test keeps of each session for the scores that only all sessions give together."""

BESIDE = "beside"
"""Among the same facts: score → sentences that a participant reads beside it."""

EACH = "each_session"
"""Among the same facts: what came of the session, an object; a run lists those of all its sessions as `by_session`."""

INSTANCES = "instances"
"""Among the same facts: what came of each instance of a problem, a list; a run lists those of all its sessions."""


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
    """"answered", "lapsed", "refused", "abstained", "withdrawn" (taken back), "missing" (the session ended first), or
    how the subject failed before this ask: "crashed", "timed_out", "invalid", "expired" or "lost"."""
    asked: int = 0
    tick: int = 0
    reward: float | None = None
    invalid: int = 0
    seconds: float | None = None
    notes: dict[str, Any] | None = None


@dataclass
class Record:
    """The record of a session: who took what, every answer in order, and how it ended.

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
    told: dict[str, int] = field(default_factory=dict)
    """Key → number of messages under it: some items are shown without being asked."""
    opening: list[int] = field(default_factory=list)
    """Numbers of what was shown before a subject did anything: it depends on no answer."""
    addresses: dict[int, str] = field(default_factory=dict)
    """Number of an ask or a tell → where its content is stored, if that is known."""
    item: str = ""
    """The item of the session, where every item is a separate dialogue."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Role → the program that took the place of someone who had left."""
    began: float | None = None
    """When the first thing was asked, in seconds since 1970; None where nobody looked at a clock."""

    def of(self, role: str) -> list[Answer]:
        """Return the answers of one role."""
        return [answer for answer in self.answers if answer.role == role]

    def given(self, *, role: str | None = None) -> dict[str, Any]:
        """Return the last valid answer to each key."""
        return {
            answer.key: answer.value
            for answer in self.answers
            if answer.status == "answered" and (role is None or answer.role == role)
        }

    def rewards(self, *, role: str | None = None) -> NDArray[np.float64]:
        """Return the rewards, one per answer; unknown ones are NaN."""
        chosen = [answer for answer in self.answers if role is None or answer.role == role]
        return np.array([np.nan if answer.reward is None else answer.reward for answer in chosen], dtype=float)

    def counts(self) -> dict[str, int]:
        """Count what became of the asks, and the invalid answers."""
        counts = dict.fromkeys(COUNTS, 0)
        for answer in self.answers:
            counts[answer.status if answer.status in counts else "missing"] += 1
        return {**counts, "invalid": sum(answer.invalid for answer in self.answers)}

    def outcome_of(self, answer: Answer) -> str:
        """Return under which outcome an ask is counted; "" for one that was taken back.

        What was still open when a session ended is counted as the session's end: a crash is the subject's doing, a
        session without a known end was lost.
        """
        if answer.status == "missing":
            return BROKEN_OFF.get(self.status, "lost")
        return STATUS_OUTCOMES.get(answer.status, answer.status)

    @property
    def unfinished(self) -> str:
        """Return the outcome of questions that the session never reached; "answered" where it was finished."""
        return "answered" if self.status == "finished" else BROKEN_OFF.get(self.status, "lost")

    def is_unanswered(self, *, played: Collection[str] = ()) -> bool:
        """Return whether the session broke off before a subject did anything it was asked for.

        A refusal, an abstention or a question left to lapse is something. What the programs in the roles `played`
        answered is not the subject's.
        """
        own = [answer for answer in self.answers if answer.role not in played] or self.answers
        return self.status != "finished" and not any(answer.status in REPLIED for answer in own)

    def tally(self) -> Tally:
        """Count what became of everything that was asked."""
        return tally_of(outcome for answer in self.answers if (outcome := self.outcome_of(answer)))


DECLINED = frozenset({"refused", "abstained"})
REPLIED = ("answered", *sorted(DECLINED), "lapsed")
"""Outcomes of an ask for which the subject did something."""
COUNTS = ("answered", "lapsed", "refused", "abstained", "withdrawn", "missing")
STATUS_OUTCOMES = {"lapsed": "timed_out", "expired": "timed_out", "withdrawn": ""}
BROKEN_OFF = {"crashed": "crashed", "invalid": "invalid"} | dict.fromkeys(
    ("timed_out", "expired", "finished"), "timed_out"
)


@dataclass
class Items:
    """One number per item of a session; NaN where an item has no score.

    A scoring gives values and keys; the rest is filled in from the record: `ids` are hashes of what was asked and of
    its truth, by which the same item is known in other sessions and runs, `groups` name the items that share a
    passage or template, and `outcomes` say what became of each ask (a scoring whose keys are not those of asks may
    give them itself).

    `separate` says that items which are no asks, such as worlds, were each drawn apart from the others and share
    nothing but the subject: they are then units of their own.

    Where every item is a dialogue of its own, `answers` marks what was answered, the same mark for the same answer and
    "" for none, so that several sessions can be put together; `cached` says which answers came from a cache and are no
    new observations.
    """

    values: NDArray[np.float64]
    keys: Sequence[str] = ()
    ids: Sequence[str] = ()
    groups: Sequence[str] = ()
    outcomes: Sequence[str] = ()
    separate: bool = False
    answers: Sequence[str] = ()
    cached: Sequence[bool] = ()

    def __init__(
        self,
        values: ArrayLike,
        keys: Sequence[str] = (),
        *,
        ids: Sequence[str] = (),
        groups: Sequence[str] = (),
        outcomes: Sequence[str] = (),
        separate: bool = False,
    ) -> None:
        self.values = np.asarray(values, dtype=float)
        self.keys = tuple(keys)
        self.ids = tuple(ids)
        self.groups = tuple(groups)
        self.outcomes = tuple(outcomes)
        self.separate = separate
        self.answers: Sequence[str] = ()
        self.cached: Sequence[bool] = ()


@dataclass
class Scores:
    """The result of scoring: named scores, each a number for the session or one per item, and facts beside them.

    A scoring gives values and details; the rest is filled in when a session is scored.
    """

    values: dict[str, Items | float]
    details: dict[str, Any] = field(default_factory=dict)
    declared: dict[str, Score] = field(default_factory=dict)
    """The declarations of natural scores, where the test itself declares nothing."""
    status: str = "finished"
    """How the session ended."""
    tally: Tally = field(default_factory=dict)
    """The outcomes of all questions of the session."""
    instance: str = ""
    """Hash of the content that was administered."""
    opening: str = ""
    """Hash of what was shown before the subject did anything."""
    scoring: str = ""
    """Version of the scoring."""
    otherwise: "Scores | None" = None
    """Of a session that broke off before anything was answered, whose own scores are unknown: what it counts beside
    other sessions of its run in which something was answered. None for every other session."""

    @property
    def is_silent(self) -> bool:
        """Return whether nothing was answered: the session broke off before that, or every question was declined."""
        return self.otherwise is not None or (bool(self.tally) and self.tally.keys() <= DECLINED)

    @property
    def as_unknown(self) -> "Scores":
        """The same scores, none of them known: nothing was answered in the session."""
        values = {name: _unknown(value) for name, value in self.values.items()}
        # That an instance ended in a crash is a fact, whatever is not known of the subject.
        details = {name: fact for name, fact in self.details.items() if name == INSTANCES}
        return replace(self, values=values, details=details, otherwise=replace(self, otherwise=None))

    @property
    def is_unanswered(self) -> bool:
        """Return whether its session broke off before anything was answered, as far as its tally says.

        A tally has no word for questions left to lapse: they count as timed out, as those after the end do where it was
        a time that ran out.
        """
        if self.status != "timed_out" and self.tally.get("timed_out"):
            return False
        return self.status != "finished" and bool(self.tally) and not any(map(self.tally.get, REPLIED))


def counted_together(sessions: Mapping[str, Scores]) -> Mapping[str, Scores]:
    """Return the scores of one subject's sessions as they count together.

    Where nothing was answered in any session, nothing is known of the subject. Beside a session in which something was
    answered such a session counts as its test scores it, or crashing at hard ones would pay.
    """
    silent = [scores.is_silent for scores in sessions.values()]
    if not any(silent):
        return sessions
    if all(silent):
        return {name: scores if scores.otherwise else scores.as_unknown for name, scores in sessions.items()}
    return {session: scores.otherwise or scores for session, scores in sessions.items()}


def _unknown(value: Items | float) -> Items | float:
    if not isinstance(value, Items):
        return float("nan")
    items = copy(value)
    items.values = np.full(len(value.values), np.nan)
    return items


def session_mean(value: Items | float) -> float:
    """Return a session's score as one number: the mean of its items that were scored; NaN where none was.

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
    failed, blamed, opening = "", (), True
    for event in events:
        kind = event.kind
        if opening and kind in INPUT:
            opening = False
        if kind in ("ask", "tell") and event.reward is not None and event.role in last:
            _reward(last[event.role], event.reward)
        if kind == "ask":
            asked = Answer(event.number, event.role, event.key, event.value, asked=event.tick, tick=event.tick)
            open_asks[event.role] = asked
            _show(record, event, opening)
            times[event.number] = event.time
            record.began = event.time if record.began is None else record.began
            record.answers.append(asked)
        elif kind == "invalid":
            open_asks[event.role].invalid += 1
        elif kind == "revise":
            number = (event.notes or {}).get("ask")
            for earlier in record.answers:
                if earlier.number == number:
                    _revise(earlier, event)
        elif kind in CLOSING:
            answer = open_asks.pop(event.role, None)
            if answer is not None:
                _close(answer, event, times.pop(answer.number, None))
                last[event.role] = answer
                if failed:
                    answer.status = failed if not blamed or event.role in blamed else "lost"
        elif kind == "tell":
            _show(record, event, opening)
            if event.key:
                record.told[event.key] = event.number
        elif kind == "replace" and str(event.value).startswith(PROGRAM):
            record.replaced[event.role] = str(event.value).removeprefix(PROGRAM)
        elif kind == "fail":
            failed, blamed = event.value["status"], tuple(event.value.get("roles", ()))
        elif kind == "end":
            _finish(record, event, last)
        if event.content is not None:
            contents[event.number] = event.content
    if contents:
        record.content = contents.get
    return record


CLOSING = {
    "answer": "answered",
    "lapse": "lapsed",
    "refuse": "refused",
    "abstain": "abstained",
    "withdraw": "withdrawn",
    "forfeit": "missing",
}
INPUT = frozenset({"answer", "refuse", "abstain", "lapse", "fail", "forfeit", "invalid"})
"""Events that a subject causes, by doing something or by not doing it."""


def _show(record: Record, event: Event, opening: bool) -> None:
    if opening:
        record.opening.append(event.number)
    if event.address is not None:
        record.addresses[event.number] = event.address


def _close(answer: Answer, event: Event, shown_at: float | None) -> None:
    answer.status = CLOSING[event.kind]
    answer.tick = event.tick
    answer.notes = event.notes
    if event.kind == "answer":
        answer.value = event.value
    if shown_at is not None and event.time is not None:
        answer.seconds = event.time - shown_at


def _revise(answer: Answer, event: Event) -> None:
    """Let the last answer count; earlier ones are kept with the moment at which they were changed."""
    notes, new = dict(answer.notes or {}), {name: note for name, note in (event.notes or {}).items() if name != "ask"}
    earlier = {"value": answer.value, "until": event.time}
    if typed := notes.pop("typed", None):
        earlier["typed"] = typed
    answer.notes = {**notes, **new, "revisions": [*notes.get("revisions", []), earlier]}
    answer.value = event.value


def _finish(record: Record, event: Event, last: Mapping[str, Answer]) -> None:
    record.status = event.value["status"]
    record.outcome = event.value["outcome"]
    record.last_words = event.value["last_words"]
    for role, amount in Outcome(reward=record.outcome["reward"]).shared(last).items():
        _reward(last[role], amount)


def _reward(answer: Answer, amount: float) -> None:
    answer.reward = amount if answer.reward is None else answer.reward + amount
