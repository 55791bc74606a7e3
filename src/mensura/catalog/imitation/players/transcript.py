"""Transcripts: what someone answered in games that were played before, from JSON lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from mensura.catalog.imitation.interrogation import MESSAGE, split_key
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.text_file import read_text

OWN = str(Path(__file__).parent / "talk.jsonl")
"""Questions and answers of our own writing: no person's record."""
ANSWERS = ("answer", "text", "value")


@dataclass(frozen=True)
class TranscriptRow:
    """One recorded answer: the game it is from, what it replied to ("" where that is not known), and to which key.

    `key` is the kind of what was asked, such as message or verdict; `talk` tells the conversations of a game apart.
    """

    answer: Any
    game: str = ""
    question: str = ""
    key: str = MESSAGE
    person: str = ""
    talk: str = ""


@lru_cache(maxsize=64)
def read_transcript(path: str) -> tuple[TranscriptRow, ...]:
    """Read a transcript, or raise a sentence with the line that is wrong.

    Each line is an object with `answer`, and may have `question`, `game`, `person` and `key`.
    """
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip():
            rows.append(_row(line, where=f"{path}, line {number}"))
    if not rows:
        raise BadFile(f"{path} holds no answers.")
    return tuple(rows)


def _row(line: str, *, where: str) -> TranscriptRow:
    try:
        data = loads(line)
    except ValueError:
        data = None
    if not isinstance(data, dict) or not any(name in data for name in ANSWERS):
        raise BadFile(f'{where}: a line is {{"question": "...", "answer": "...", "game": "..."}}; got {line[:60]!r}.')
    answer = next(data[name] for name in ANSWERS if name in data)
    talk, key, _ = split_key(str(data.get("key") or MESSAGE))
    if key == MESSAGE and not isinstance(answer, str | dict):
        raise BadFile(f"{where}: what was said is a text; got {answer!r}.")
    question = data.get("question") or ""
    if not isinstance(question, str):
        raise BadFile(f"{where}: `question` is a text; got {question!r}.")
    return TranscriptRow(answer, str(data.get("game") or ""), question, key, str(data.get("person") or ""), talk)


def nearest(question: str, rows: Sequence[TranscriptRow]) -> tuple[int, float]:
    """Return the place of the row whose question is most alike, and how alike: words shared over words in all.

    >>> rows = [TranscriptRow("Ann", question="your name?"), TranscriptRow("Six", question="How many?")]
    >>> nearest("What is your name?", rows)
    (0, 0.5)
    """
    asked = _words(question)
    found = [len(asked & words) / len(asked | words) if asked | words else 0.0 for words in map(_asked, rows)]
    best = max(range(len(rows)), key=found.__getitem__)
    return best, found[best]


def _asked(row: TranscriptRow) -> frozenset[str]:
    return _words(row.question)


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[\w']+", text.lower()))
