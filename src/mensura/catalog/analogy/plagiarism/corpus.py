"""Corpora of answers to questions, each written from a source to a known degree; one is read, one is made."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path

from mensura.catalog.analogy.document.reading import decoded
from mensura.errors import BadFile
from mensura.text_file import read_text

LEVELS = ("cut", "light", "heavy", "non")
"""From the nearest copy to no copy, as the corpus of Clough and Stevenson calls them."""
LABELS = {"cut": "near copy", "light": "light revision", "heavy": "heavy revision", "non": "not plagiarised"}
TABLE = "file_information.csv"
COLUMNS = ("File", "Task", "Category")


@dataclass(frozen=True)
class SourcedAnswer:
    """One answer: who wrote it, for which task, and how it was made from the task's source."""

    name: str
    participant: str
    task: str
    level: str
    text: str


@dataclass(frozen=True)
class AnswerCorpus:
    """Answers and the source of each task."""

    answers: tuple[SourcedAnswer, ...]
    sources: Mapping[str, str]
    name: str
    simulated: bool = False

    @property
    def participants(self) -> list[str]:
        """Who wrote the answers."""
        return sorted({answer.participant for answer in self.answers})


def read_corpus(data: str) -> AnswerCorpus:
    """Read the corpus of a folder, or of its `file_information.csv`; the made corpus where nothing is named."""
    return _read(data) if data else made_corpus()


@cache
def _read(data: str) -> AnswerCorpus:
    given = Path(data).expanduser()
    table = given / TABLE if given.is_dir() else given
    rows = list(csv.DictReader(StringIO(read_text(table))))
    if not rows or not set(COLUMNS) <= set(rows[0]):
        raise BadFile(
            f"{table} has the columns {', '.join(rows[0]) if rows else 'none'}; {', '.join(COLUMNS)} are read."
        )
    answers, sources = [], {}
    for number, row in enumerate(rows, start=2):
        file, task, level = (str(row[column] or "").strip() for column in COLUMNS)
        if level != "orig" and level not in LEVELS:
            raise BadFile(f"{table}, line {number}: the category is {', '.join(LEVELS)} or orig; got {level!r}.")
        text = _text(table.parent / file)
        if not text.strip():
            raise BadFile(f"{table}, line {number}: {file} is empty.")
        if level == "orig":
            sources[task] = text
        else:
            answers.append(SourcedAnswer(file, file.partition("_")[0], task, level, text))
    if missing := sorted({answer.task for answer in answers} - set(sources)):
        raise BadFile(f"{table} names no source (category orig) for task {missing[0]!r}.")
    if not answers:
        raise BadFile(f"{table} names no answers.")
    return AnswerCorpus(tuple(answers), sources, str(table.parent))


def _text(file: Path) -> str:
    """Read a text; some answers of the corpus are in a code page of Windows."""
    try:
        return decoded(file.read_bytes())
    except OSError as error:
        raise BadFile(f"{file} cannot be read: {error.strerror}. Check the path.") from None


@cache
def made_corpus() -> AnswerCorpus:
    """Return a small corpus of made answers to five tasks of ours: twelve simulated participants, all levels crossed.

    Copies are texts of ours damaged by stated amounts, which no person wrote: a stand-in to try the test with.
    """
    from mensura.catalog.analogy.damage.damaging import damaged
    from mensura.catalog.analogy.own.texts import own_texts
    from mensura.dialogue.streams import Address, generator

    doses = {"cut": 0.1, "light": 0.35, "heavy": 0.75, "non": 0.2}
    answers, texts = [], own_texts()
    for person in range(12):
        for place, text in enumerate(texts):
            level = LEVELS[(person + place) % len(LEVELS)]
            base = text.independent if level == "non" else text.source
            rng = generator(MADE, Address(course=person, session=place))
            made = damaged(base, kinds=("synonyms", "deletions", "reorderings"), dose=doses[level], rng=rng)
            name = f"p{person:02}"
            answers.append(SourcedAnswer(f"{name}_task{text.id}", name, text.id, level, made))
    return AnswerCorpus(tuple(answers), {text.id: text.source for text in texts}, "made answers", simulated=True)


MADE = 24
"""The public seed of the made corpus: it is the same for everybody."""
