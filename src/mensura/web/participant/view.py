"""View: what a participant sees now, as data. Pages draw it, and `/p/{token}.json` gives it as it is."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from mensura.dialogue import Ask, Tool, prompt_data
from mensura.dialogue.canonical import plain
from mensura.phrase import phrase
from mensura.running.study.people.platform import ReturnTicket
from mensura.store.people.invitations import GRACE_SECONDS, Invitation
from mensura.web.language.speaking import translate, translated

BETWEEN = ("ask", "waiting", "lobby", "break", "over")
"""Kinds of views that a session has."""


@dataclass(frozen=True)
class Told:
    """Something that was told since the last answer."""

    prompt: Any
    reward: float | None = None

    @classmethod
    def of(cls, ask: Ask) -> "Told":
        """Take what is shown from an ask without a space."""
        return cls(prompt_data(ask.prompt), ask.reward)


@dataclass(frozen=True)
class Given:
    """An answer that can be changed."""

    number: int
    """The event number of its ask."""
    heading: str
    answers: list[tuple[str, Any]]
    """Questions and answers; one pair, or one for each of several questions."""


@dataclass(frozen=True)
class AskView:
    """The current question."""

    number: int
    """The event number of the ask: its address."""
    key: str
    space: Mapping[str, Any]
    since: str
    """Names the stretch of time over which the page counts how long it showed the ask."""
    acts: Mapping[str, Tool] = field(default_factory=dict)
    """The tools that are a form each, by name; none: one form answers."""
    left: float | None = None
    """Seconds from the beginning of that stretch to the deadline; None: there is none."""
    may_pass: bool = False
    """Whether there is a button to pass."""

    @property
    def has_file(self) -> bool:
        """Return whether the form must carry uploads."""
        return '"file"' in json.dumps(self.space, default=plain)

    def as_json(self) -> dict[str, Any]:
        """Return what a page shows of it."""
        return {name: getattr(self, name) for name in ("number", "key", "space", "may_pass")}


@dataclass(frozen=True)
class ClockView:
    """The clock of a test, as a page needs it to show the time."""

    kind: str
    """"shown" or "wall"."""
    now: int
    base: int
    """Tick at which the page's count of seconds began."""
    tick_seconds: float


@dataclass
class View:
    """The page that a participant sees now."""

    kind: str
    """consent, page, ask, waiting, lobby, pause, break, over, thanks, withdrawn, expired or taken."""
    invitation: Invitation
    heading: str = ""
    prompt: Any = ""
    told: list[Told] = field(default_factory=list)
    reward: float | None = None
    ask: AskView | None = None
    clock: ClockView | None = None
    button: str = ""
    action: str = ""
    number: int | None = None
    """Last event of the session that this view knows."""
    poll: float | None = None
    """Seconds after which the page should ask whether anything has changed."""
    held: bool = False
    """Whether what the page asks then is answered when something has changed."""
    note: str = ""
    """A sentence above all: why an answer was not taken."""
    scores: list[dict[str, Any]] = field(default_factory=list)
    copies: list[str] = field(default_factory=list)
    """The copies of the participant's data that were given away, a sentence each."""
    others: frozenset[str] = frozenset()
    """Other roles that are asked something now; not shown."""
    completion: ReturnTicket | None = None
    """The code or address for the platform that the participant came from."""
    question: int | None = None
    """Which question this is, from 1; None where none is asked, or acts in a world are."""
    questions: int | None = None
    """How many there are, where the test says so."""
    back: int | None = None
    """The number of the question before this one, where its answer can be changed."""
    review: list["Given"] = field(default_factory=list)
    """All that was answered, to be read once more before it is handed in."""
    instructed: bool = False
    """Whether the session told something before its first question."""

    @property
    def beside(self) -> list[Any]:
        """Return the content beside the answer where there is room."""
        return [part["shown"] for part in self._parts if _is_beside(part)]

    @property
    def above(self) -> list[Any]:
        """Return the content above the answer."""
        return [part for part in self._parts if not _is_beside(part)]

    @property
    def _parts(self) -> list[Any]:
        return self.prompt if isinstance(self.prompt, list) else [self.prompt]

    @property
    def counter(self) -> str:
        """Which question of how many this is, in words; empty where that is not counted."""
        if self.question is None:
            return ""
        if self.ask is not None and self.ask.space["kind"] == "questions":
            return self._page
        if self.questions is None or self.question > self.questions:
            return phrase("Question {number}", number=self.question)
        return phrase("Question {number} of {count}", number=self.question, count=self.questions)

    @property
    def _page(self) -> str:
        if self.questions is None or (self.question or 0) > self.questions:
            return phrase("Page {number}", number=self.question)
        return phrase("Page {number} of {count}", number=self.question, count=self.questions)

    @property
    def instructions(self) -> bool:
        """Return whether there is something to read again: pages on the way here, and what the session told first."""
        return self.kind in BETWEEN and (self.instructed or bool(self.invitation.read_so_far))

    @property
    def time_left(self) -> float | None:
        """Seconds to the deadline of a question or talk; None where there is none, or time does other things."""
        return None if self.ask is None or not (self.question or self.held) else self.ask.left

    @property
    def title(self) -> str:
        """Return the title of the window."""
        return self.heading or "Mensura"

    @property
    def position(self) -> int:
        """Which part of the way this is, from 1."""
        return min(self.invitation.step + 1, self.steps)

    @property
    def done(self) -> float:
        """How many parts are behind the participant, the present one by its questions where it says how many."""
        share = float(self.kind == "over")
        if self.question and self.questions:
            share = min((self.question - 1) / self.questions, 1.0)
        return min(self.invitation.step + share, self.steps)

    @property
    def steps(self) -> int:
        """How many parts the way has; thanks are none."""
        return sum(step.kind != "thanks" for step in self.invitation.steps)

    @property
    def practice(self) -> bool:
        """Return whether this part does not count."""
        return self.invitation.status == "open" and self.invitation.current.practice

    @property
    def telemetry(self) -> str:
        """Return what the page records: "focus", when its reader looks away; "keys", when they type too; or nothing."""
        told = self.invitation.details.get("telemetry")
        return "keys" if told is True else "focus" if told == "focus" else ""

    @property
    def brand(self) -> Mapping[str, str]:
        """The face of the study: name, logo, colour and contact, empty where it has none."""
        return dict.fromkeys(("name", "logo", "colour", "contact"), "") | (self.invitation.details.get("brand") or {})

    @property
    def may_withdraw(self) -> bool:
        """Return whether there is anything to withdraw from; data can be erased also after the end."""
        return self.kind != "withdrawn" and (self.kind != "expired" or self.invitation.entered is not None)

    @property
    def closing(self) -> str:
        """When the link closes, in a sentence; empty where that is more than a day away."""
        one = self.invitation
        if one.status != "open" or one.expires is None or self.kind in ("expired", "thanks"):
            return ""
        if one.expired:
            last = _utc(one.expires + GRACE_SECONDS)
            return phrase("This link has expired; what you have begun can be finished until {moment}.", moment=last)
        if one.expires - time.time() >= 86_400:
            return ""
        return phrase("This link is open until {moment}.", moment=_utc(one.expires))

    def as_json(self) -> dict[str, Any]:
        """Return all that is shown, and nothing that is not."""
        asked = self.ask
        return {
            "kind": self.kind,
            "step": self.invitation.step,
            "steps": self.steps,
            "status": self.invitation.status,
            "practice": self.practice,
            "heading": translate(self.heading),
            "note": translate(self.note),
            "told": [{"prompt": told.prompt, "reward": told.reward} for told in self.told],
            "prompt": translate(self.prompt),
            "reward": self.reward,
            "ask": None if asked is None else asked.as_json(),
            "seconds_left": None if asked is None else asked.left,
            "question": self.question,
            "questions": self.questions,
            "clock": None if self.clock is None else self.clock.now,
            "scores": translated(self.scores),
            "copies": translated(self.copies),
            "completion": None if self.completion is None else vars(self.completion),
        }


def _is_beside(part: Any) -> bool:
    return isinstance(part, Mapping) and part.get("kind") == "beside"


def _utc(moment: float) -> str:
    return datetime.fromtimestamp(moment, tz=UTC).strftime("%Y-%m-%d %H:%M UTC")
