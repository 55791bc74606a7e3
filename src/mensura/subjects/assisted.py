"""Assisted: a subject that sees the advice of another before it answers."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Address, Ask, Noted, Outcome, Refused, Space, Wait
from mensura.dialogue.canonical import canonical
from mensura.dialogue.session.log import loggable
from mensura.errors import BadParameter, Invalid
from mensura.subjects import subject as parts
from mensura.subjects.group import Several, Work, added, prompts, unnoted
from mensura.subjects.naming import Factory, Naming, split_names
from mensura.subjects.outside.protocol import written
from mensura.subjects.subject import Subject
from mensura.subjects.team import find_members

INTRODUCTION = "Your assistant advises: "
SILENCE = "Your assistant has no advice."


class Assisted(Several):
    """Lets an assistant answer first, and shows its advice to the subject below the prompt.

    The notes keep the advice, who gave it and whether it was followed, that is, whether the answer is the same.
    Advice outside the space is not shown. An ask that comes again after an invalid answer brings the same advice.

    Examples
    --------
    >>> from mensura.dialogue import Probability
    >>> pair = Assisted(lambda ask: 0.5, assistant=lambda ask: 0.7)
    >>> reply = pair(Ask("Heads?", Probability(), key="coin"))
    >>> reply.value, reply.notes["advice"], reply.notes["followed"]
    (0.5, 0.7, False)
    """

    def __init__(self, subject: Subject, *, assistant: Subject, name: str = "") -> None:
        super().__init__([subject, assistant], name=name or f"{parts.name_of(subject)}+{parts.name_of(assistant)}")
        self.subject = subject
        self.assistant = assistant
        self._asked: Ask | None = None
        self._advice: Any = None
        self._notes: dict[str, Any] = {}

    def begin(self, rng: np.random.Generator, role: str = SUBJECT, address: Address | None = None) -> None:
        """Begin a session for both."""
        self._asked = None
        super().begin(rng, role, address)

    def end(self, outcome: Outcome) -> None:
        """End the session for both."""
        self._asked = None
        super().end(outcome)

    def work(self, ask: Ask) -> Work:
        assert ask.space is not None
        again = ask is self._asked
        if not again:
            (advice,) = yield [(self.assistant, ask)]
            self._advice, self._notes = self._read(advice, ask.space)
            self._asked = ask
        (said,) = yield [(self.subject, replace(ask, prompt=[*prompts(ask), written_advice(self._advice)]))]
        reply, notes = unnoted(said)
        if isinstance(reply, (Refused, Wait)) or self._valid(reply, ask.space):
            # The test may ask the very same object again; only after an invalid answer is it the same question.
            self._asked = None
        counted = added([notes] if again else [notes, self._notes.get("assistant_notes", {})])
        followed = None if self._advice is None else self._follows(reply, ask.space)
        return Noted(reply, {**notes, **counted, **self._notes, "followed": followed})

    def said(self, answer: Any, notes: Mapping[str, Any]) -> Iterator[Any] | None:
        if "advice" not in notes:
            return None
        advice: Any = notes.get("said", notes["advice"])
        if advice is None:
            why = notes.get("no_advice", "")
            advice = Wait() if why == "waited" else Refused(why.removeprefix("refused: "))
        assistant = advice if isinstance(advice, Wait) else Noted(advice, notes.get("assistant_notes", {}))
        return iter([assistant, Noted(answer, dict(notes))])

    def _read(self, advice: Any, space: Space) -> tuple[Any, dict[str, Any]]:
        reply, notes = unnoted(advice)
        about: dict[str, Any] = {"assistant": parts.name_of(self.assistant), "advice": None}
        if notes:
            about["assistant_notes"] = notes
        if isinstance(reply, Refused):
            return None, {**about, "no_advice": f"refused: {reply.reason}"}
        if isinstance(reply, Wait):
            return None, {**about, "no_advice": "waited"}
        try:
            valid = space.check(reply)
        except Invalid as wrong:
            return None, {**about, "no_advice": f"invalid: {wrong}", "said": loggable(reply)}
        return valid, {**about, "advice": valid}

    @staticmethod
    def _valid(reply: Any, space: Space) -> bool:
        try:
            space.check(reply)
        except Invalid:
            return False
        return True

    def _follows(self, reply: Any, space: Space) -> bool:
        if isinstance(reply, (Refused, Wait)) or not self._valid(reply, space):
            return False
        return canonical(space.check(reply)) == canonical(self._advice)


def written_advice(advice: Any) -> str:
    """Return the advice in words."""
    if advice is None:
        return SILENCE
    return INTRODUCTION + (advice if isinstance(advice, str) else written(advice))


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `assisted:./mine.py:respond+chance`: the first is assisted by the second."""
    names = split_names(rest, "+")
    if len(names) != 2 or not all(names):
        raise BadParameter(f"An assisted subject is named assisted:SUBJECT+ASSISTANT; got assisted:{rest}")
    subject, assistant = find_members(names, naming)
    return lambda: Assisted(subject(), assistant=assistant(), name=naming.name)
