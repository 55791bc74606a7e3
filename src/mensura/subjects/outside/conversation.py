"""Conversation: a subject that is talked to in lines of JSON, whatever carries them."""

from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Noted, Outcome
from mensura.errors import SubjectCrashed, SubjectFailed, SubjectTimedOut
from mensura.subjects.lane import OwnLimits
from mensura.subjects.outside.abilities import AbleSubject, read_able
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.lines import Lines
from mensura.subjects.outside.protocol import (
    MANY,
    Unreadable,
    ask_line,
    ask_message,
    begin_message,
    end_message,
    line,
    read_reply,
    says_many,
    tell_message,
)

SETTLING_SECONDS = 0.5
"""How long to wait, after a reply that nobody can read, for the one that may have been meant."""

PARTING_SECONDS = 0.5
ENDING_SECONDS = 1.0


class Conversation(AbleSubject):
    """A subject that is talked to in lines of JSON (`mensura.subjects.outside.protocol`).

    It connects when a session begins, stays connected until it is closed, and connects anew after a failure. Where the
    other side says that it serves many sessions, the notes of its first answer in each say so.
    """

    _silent: ClassVar[set[tuple[str, Bounds]]] = set()
    """Subjects that did not say what they can do: nobody in this process waits for that again."""

    def __init__(self, *, name: str, bounds: Bounds = Bounds(), test: str = "") -> None:
        self.name = name
        self.bounds = bounds
        self.test = test
        self._lines: Lines | None = None
        self._number = 0
        self._answered = False
        self._unsettled = False
        self._many = False
        self._served = 0
        self._opening = False
        self._abilities: Mapping[str, Any] | None = None

    @property
    def serves_many(self) -> bool:
        """Return whether the other side is there and has said that it serves many sessions."""
        return self._many and self._lines is not None

    @property
    def gone(self) -> bool:
        """Return whether the other side is not there: what comes next has learned nothing."""
        return self._lines is None

    @abstractmethod
    def connect(self) -> Lines:
        """Start the other side, or reach it."""

    @abstractmethod
    def disconnect(self, lines: Lines, *, patience: float) -> str:
        """Let go of the other side after `patience` seconds at most, and return what more is known of its end."""

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Begin a session with a seed of the subject's own."""
        with OwnLimits():
            self._send(line(begin_message(rng, test=self.test, role=role)))
            self._served += 1
            self._opening = True

    def feedback(self, told: Ask) -> None:
        """Tell something; no reply is waited for."""
        self._send(line(tell_message(told)))

    def remember(self, ask: Ask, answer: Any) -> None:
        """Send what was asked and answered before the session was interrupted; no reply is waited for."""
        self._send(line({**ask_message(ask, number=0), "type": "remember", "answer": answer}))

    def end(self, outcome: Outcome) -> None:
        """End the session; no reply is waited for."""
        if self._lines is not None:
            self._send(line(end_message(outcome)))

    def __call__(self, ask: Ask) -> Any:
        with OwnLimits():
            self._number += 1
            lines = self._lines or self._reconnect()
            if self._answered:
                lines.drop(seconds=SETTLING_SECONDS if self._unsettled else 0.0)
            lines.send(ask_line(ask, number=self._number))
            reply = self._receive(lines)
            self._unsettled = isinstance(reply, Unreadable)
            return self._first(reply) if self._opening else reply

    @property
    def unasked(self) -> bool:
        """Return whether nobody has asked yet what it can do; one that does not know the question is waited for."""
        return self._abilities is None

    def close(self) -> None:
        """Let go of the other side."""
        lines, self._lines = self._lines, None
        if lines is not None:
            self.disconnect(lines, patience=PARTING_SECONDS)

    def _first(self, reply: Any) -> Any:
        """Note with the first answer of a session that this is not the only one it serves."""
        self._opening = False
        if not self._many:
            return reply
        value, notes = (reply.value, reply.notes) if isinstance(reply, Noted) else (reply, {})
        return Noted(value, {**notes, "sessions": MANY, "served": self._served})

    def _receive(self, lines: Lines) -> Any:
        try:
            # Answers to another number are left aside, and buy no time.
            for text in lines.each(self._patience()):
                self._answered = True
                if self._aside(text):
                    continue
                reply, number = read_reply(text)
                if number is None or number == self._number:
                    return reply
        except SubjectFailed as failure:
            raise self._failed(failure) from None

    def _aside(self, text: bytes) -> bool:
        """Return whether a line is about the subject and is not an answer; one that serves many is kept."""
        many = says_many(text)
        self._many = self._many or many
        return many or read_able(text) is not None

    def _able(self) -> Mapping[str, Any]:
        """Return what the other side says, asked once, that it can do; one that says nothing in time can do nothing."""
        if self._abilities is None:
            with OwnLimits():
                lines = self._lines or self._reconnect()
                self._abilities = {} if (self.name, self.bounds) in self._silent else self._inquire(lines)
        return self._abilities

    def _inquire(self, lines: Lines) -> dict[str, Any]:
        try:
            lines.send(line({"type": "able"}))
            for text in lines.each(self.bounds.start_seconds):
                said = read_able(text)
                if said is not None:
                    return said
                # It took the question for an ask.
                if not self._aside(text) and not isinstance(read_reply(text)[0], Unreadable):
                    break
        except SubjectTimedOut:
            pass
        except SubjectFailed as failure:
            # One that does not pass over what it does not know: it begins anew, and is not asked again.
            self._failed(failure)
            with suppress(SubjectFailed):
                self._reconnect()
        self._silent.add((self.name, self.bounds))
        return {}

    def _request(self, message: Mapping[str, Any]) -> bytes:
        with OwnLimits():
            self._number += 1
            lines = self._lines or self._reconnect()
            if self._answered:
                lines.drop()
            lines.send(line({**message, "number": self._number}))
            try:
                for text in lines.each(self._patience()):
                    self._answered = True
                    if not self._aside(text) and read_reply(text)[1] in (None, self._number):
                        return text
            except SubjectFailed as failure:
                raise self._failed(failure) from None
        raise AssertionError  # lines come without end, or fail

    def _inform(self, message: Mapping[str, Any]) -> None:
        # One that is not there is told of its switch when it comes back.
        if self._lines is not None or message["type"] != "learning":
            self._send(line(message))

    def _patience(self) -> float | None:
        seconds = self.bounds.answer_seconds
        return seconds if seconds is None or self._answered else seconds + self.bounds.start_seconds

    def _send(self, text: bytes) -> None:
        (self._lines or self._reconnect()).send(text)

    def _reconnect(self) -> Lines:
        self._answered = self._unsettled = self._many = False
        self._served = 0
        lines = self._lines = self.connect()
        if self._may_learn is not None:
            lines.send(line({"type": "learning", "value": self._may_learn}))
        return lines

    def _failed(self, failure: SubjectFailed) -> SubjectFailed:
        """End the conversation, and add to the failure what only its end brings to light."""
        lines, self._lines = self._lines, None
        if lines is None:
            return failure
        # One that closed its output is most likely about to end, and its status is worth waiting for.
        more = self.disconnect(lines, patience=ENDING_SECONDS if isinstance(failure, SubjectCrashed) else 0.0)
        return type(failure)(f"{failure} {more}".strip(), last_words=lines.last_words)
