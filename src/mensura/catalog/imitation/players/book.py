"""Book: a table of questions and answers, looked up word by word, and nothing else."""

import re

from mensura.catalog.imitation.players.player import Player
from mensura.catalog.imitation.players.transcript import OWN, read_transcript
from mensura.catalog.imitation.room import TalkLine
from mensura.dialogue import Noted

BLANK = "I have not thought about that."


class AnswerBook(Player):
    """Answers what its book has, and says the same to all else; it notes how large the book is and what it lacks.

    Parameters
    ----------
    path
        A transcript; its questions are the entries, the first answer to each counts.
    """

    @staticmethod
    def check(path: str) -> None:
        """Raise what is wrong with a file, before anything is played."""
        read_transcript(path)

    def __init__(self, path: str = OWN) -> None:
        self.entries: dict[str, str] = {}
        for row in read_transcript(path):
            if row.question and isinstance(row.answer, str):
                self.entries.setdefault(entry(row.question), row.answer)
        self.bits = 8 * sum(len(key.encode()) + len(value.encode()) for key, value in self.entries.items())

    def reply(self, question: str, lines: tuple[TalkLine, ...]) -> Noted:
        """Return what stands in the book, with a note on the book."""
        found = self.entries.get(entry(question))
        about = {"entries": len(self.entries), "bits": self.bits, "covered": found is not None}
        return Noted(BLANK if found is None else found, {"book": about})


def entry(question: str) -> str:
    """Return a question as the book lists it.

    >>> entry("  What's your NAME? ")
    "what's your name"
    """
    return " ".join(re.findall(r"[\w']+", question.lower()))
