"""Question sets from a CSV: `question,options,answer`, the options separated by |."""

from dataclasses import dataclass
from pathlib import Path

from mensura.errors import BadFile
from mensura.track_record.files.table import read_rows


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
    rows = read_rows(path, ("question", "options"), form="A question set is a CSV of question,options,answer.")
    if not rows:
        raise BadFile(f"{Path(path).name} has no questions.")
    return [_question(place, row) for place, row in rows]


def _question(place: str, row: dict[str, str]) -> SetQuestion:
    options = tuple(option.strip() for option in row["options"].split("|") if option.strip())
    if len(set(options)) < 2 or len(set(options)) < len(options):
        raise BadFile(f"{place}: two or more different options are needed.")
    answer = row.get("answer", "")
    if answer and answer not in options:
        raise BadFile(f"{place}: answer {answer!r} is not among {', '.join(options)}.")
    return SetQuestion(row["question"], options, options.index(answer) if answer else None)
