"""Recorded: what people, or programs, answered before; and a parrot that answers from many such games at once."""

from typing import Any

import numpy as np

from mensura.catalog.imitation.interrogation import BOTH, MESSAGE, split_key
from mensura.catalog.imitation.players.player import Player
from mensura.catalog.imitation.players.transcript import OWN, TranscriptRow, nearest, read_transcript
from mensura.catalog.imitation.room import TalkLine
from mensura.dialogue import Ask, Noted, Questions, Refused


class RecordedPlayer(Player):
    """Plays one recorded game again, drawn for each session where the file has several.

    A question is answered by what was answered to the one most like it, each answer once; where the file does not say
    what was asked, in order. When nothing is left, it has nothing more to say. In a judge's seat it asks what was
    asked and gives the recorded beliefs and verdict. In a competition it plays the game again in each conversation,
    or one recorded conversation after the other where keys tell them apart ("round1/judge1/message/1").

    Parameters
    ----------
    path
        A file of JSON lines, each with `answer`, and `question`, `game`, `person` and `key` if they are known.
    """

    @staticmethod
    def check(path: str) -> None:
        """Raise what is wrong with a file, before anything is played."""
        read_transcript(path)

    def __init__(self, path: str) -> None:
        self.rows = read_transcript(path)
        self.games = sorted({row.game for row in self.rows})

    def begin(self, rng: np.random.Generator) -> None:
        """Draw the game that is played again."""
        super().begin(rng)
        self.game = self.games[int(rng.integers(len(self.games)))]
        self.talks: dict[str, list[TranscriptRow]] = {}

    def __call__(self, ask: Ask) -> Any:
        prefix, kind, _ = split_key(ask.key)
        if prefix not in self.talks:
            self.talks[prefix] = self._recorded(len(self.talks))
        self.talk = self.talks[prefix]
        if isinstance(ask.space, Questions) or kind != MESSAGE:
            return self._as_judge(ask, kind)
        return super().__call__(ask)

    def _recorded(self, number: int) -> list[TranscriptRow]:
        """Return what is recorded for a conversation of the game: the same each time, unless the file has several."""
        rows = [row for row in self.rows if row.game == self.game]
        talks = list(dict.fromkeys(row.talk for row in rows if row.talk))
        chosen = talks[number % len(talks)] if talks else ""
        return [row for row in rows if row.talk in ("", chosen)]

    def _left(self, kind: str) -> list[TranscriptRow]:
        return [row for row in self.talk if row.key == kind]

    def reply(self, question: str, lines: tuple[TalkLine, ...]) -> str | Noted:
        """Return the answer to the question that is most alike, and take it off the list."""
        rows = self._left(MESSAGE)
        if not rows:
            return ""
        chosen = rows[nearest(question, rows)[0] if any(row.question for row in rows) else 0]
        self._take(chosen)
        return Noted(str(chosen.answer), {"recorded": self.game}) if self.game else str(chosen.answer)

    def _take(self, chosen: TranscriptRow) -> None:
        self.talk.pop(next(place for place, row in enumerate(self.talk) if row is chosen))

    def _as_judge(self, ask: Ask, kind: str) -> Any:
        rows = self._left(kind)
        if not rows:
            return Refused(f"Nothing is recorded for {kind}.")
        self._take(rows[0])
        answer = rows[0].answer
        if isinstance(ask.space, Questions) and isinstance(answer, str):
            return {"to": BOTH, "text": answer}
        return answer


class Parrot(Player):
    """Answers every question by what somebody once answered to the one most like it, over all games of a file."""

    @staticmethod
    def check(path: str) -> None:
        """Raise what is wrong with a file, before anything is played."""
        read_transcript(path)

    def __init__(self, path: str = OWN) -> None:
        self.rows = [row for row in read_transcript(path) if row.key == "message" and isinstance(row.answer, str)]

    def reply(self, question: str, lines: tuple[TalkLine, ...]) -> str:
        """Return the answer to the nearest question, one of them by chance where several are as near."""
        return str(self.rows[nearest(question, self.rows)[0]].answer)
