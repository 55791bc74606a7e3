"""Sessions kept by a laboratory as people to compare with, or as runs of a model."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from mensura.catalog.sensemaking.answers.answer import Answers
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.record import answers_from_record
from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam
from mensura.dialogue import Record
from mensura.errors import BadParameter, MensuraError

Records = Callable[[str, Callable[[Record], Answers | None]], list[Answers | None]]
"""Gives what a reader makes of every finished session of a run."""


class StoredSessions:
    """Stored sessions of one exam, which is at `path`: answers to other trials cannot be averaged with these."""

    def __init__(self, exam: Exam, path: Path, records: Records) -> None:
        self.exam, self.path, self.records = exam, path, records
        self.left_out = 0
        """Finished sessions met so far that took other exams."""

    def runs(self, name: str) -> list[Answers]:
        """Read the sessions of a stored run, by its name."""
        read = self.records(name, self._answers)
        found = [answers for answers in read if answers is not None]
        if not read:
            raise BadParameter(f"{name} has no finished session of the exam {self.exam.id}.")
        if not found:
            raise BadParameter(
                f"The {len(read)} finished sessions of {name} took other exams than {self.path}; take it with --exam "
                f"{self.path}, so that everybody meets the same trials."
            )
        self.left_out += len(read) - len(found)
        return found

    def _answers(self, record: Record) -> Answers | None:
        """The answers of a session that took this exam; None of any other."""
        taken = str(record.parameters.get("exam") or "")
        if not taken or (Path(taken) != self.path and _exam_id(taken) != self.exam.id):
            return None
        answers = answers_from_record(record)
        declared = {"subject": next(iter(record.cast.values()), ""), "session": dict(record.parameters)}
        return check_answers(replace(answers, parameters=declared), self.exam, file=f"session {record.session}")


@lru_cache(maxsize=64)
def _exam_id(path: str) -> str | None:
    try:
        return read_exam(Path(path)).id
    except MensuraError:
        return None
