"""Question sets from a CSV: `question,options,answer`, the options parted by |."""

import csv
from dataclasses import dataclass
from pathlib import Path

from mensura.errors import BadFile


@dataclass(frozen=True)
class SetQuestion:
    """One question of a set."""

    text: str
    options: tuple[str, ...]
    truth: int | None
    """Index of the right option; None where the file gives none."""

    @property
    def answer(self) -> str | None:
        """The right option, where it is known."""
        return None if self.truth is None else self.options[self.truth]


def read_questions(path: str | Path) -> list[SetQuestion]:
    """Read questions with two or more options each; what cannot be used is named with its row.

    >>> read_questions("nowhere.csv")
    Traceback (most recent call last):
    mensura.errors.BadFile: There is no file nowhere.csv. A question set is a CSV of question,options,answer.
    """
    file = Path(path)
    if not file.is_file():
        raise BadFile(f"There is no file {file}. A question set is a CSV of question,options,answer.")
    with file.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        if not {"question", "options"} <= set(reader.fieldnames or ()):
            raise BadFile(f"{file.name} needs the columns question, options and answer; options are parted by |.")
        questions = [_question(file.name, number, row) for number, row in enumerate(reader, 1)]
    if not questions:
        raise BadFile(f"{file.name} has no questions.")
    return questions


def _question(name: str, number: int, row: dict[str, str]) -> SetQuestion:
    options = tuple(option.strip() for option in (row["options"] or "").split("|") if option.strip())
    if len(set(options)) < 2 or len(set(options)) < len(options):
        raise BadFile(f"{name}, row {number} (line {number + 1}): two or more different options are needed.")
    answer = (row.get("answer") or "").strip()
    if answer and answer not in options:
        raise BadFile(f"{name}, row {number} (line {number + 1}): answer {answer!r} is not among {', '.join(options)}.")
    return SetQuestion(row["question"], options, options.index(answer) if answer else None)
