"""Player: a witness that is a program. It answers what it was asked last, and draws whatever else it is asked."""

from typing import Any

import numpy as np

from mensura.catalog.imitation.room import QuestionRoom, TalkLine
from mensura.dialogue import Ask, Noted, Text
from mensura.subjects.subject import Unlearning


class Player(Unlearning):
    """A witness; its children say what they reply to a question."""

    recomputes = True

    def begin(self, rng: np.random.Generator) -> None:
        """Begin a game."""
        self.rng = rng
        self.replied = 0

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.prompt, QuestionRoom) or not isinstance(ask.space, Text):
            # Who sits in a judge's seat without being a judge decides by chance.
            return ask.space.draw(self.rng)  # type: ignore[union-attr]
        lines = ask.prompt.talks[0].lines
        if not lines or lines[-1].mine:
            return ""
        self.replied += 1
        reply = self.reply(lines[-1].text, lines)
        if isinstance(reply, Noted):
            return Noted(reply.value[: ask.space.longest], reply.notes)
        return reply[: ask.space.longest]

    def reply(self, question: str, lines: tuple[TalkLine, ...]) -> str | Noted:
        """Return what it says to a question."""
        raise NotImplementedError
