"""Reading what people answered: the published tables, response files, or answer files of our own."""

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.answers.answer import Answers, Defect
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json
from mensura.catalog.sensemaking.exam import Exam, Layer
from mensura.catalog.sensemaking.mitre.response_reading import broken_file, read_responses
from mensura.catalog.sensemaking.people.respondents import LAYER_CODE, Respondents, TaskAnswers, respondents_of
from mensura.errors import BadFile, Invalid


def read_people(path: Path, exam: Exam) -> Respondents:
    """Read a folder of people: tables (one row per subject and trial), response XML, or JSON answers.

    A file of JSON lines, one subject per line, is read too. All of them come out alike, so that data of one's own
    serve just as the published data do.
    """
    path = Path(path)
    if not path.exists():
        raise BadFile(f"{path} does not exist; give the folder with people's answers.")
    if path.is_file():
        return _from_lines(path, exam)
    if any(path.glob("*.csv")):
        return _from_tables(sorted(path.glob("*.csv")), exam, path)
    if any(path.glob("**/*.xml")):
        return _from_xml(path, exam)
    lines = sorted([*path.glob("*.jsonl"), *path.glob("*.json")])
    if lines:
        return _from_answers(lines, exam)
    raise BadFile(f"{path} holds no tables (.csv), response files (.xml) or answers (.json, .jsonl) of people.")


def _from_lines(path: Path, exam: Exam) -> Respondents:
    if path.suffix == ".csv":
        return _from_tables([path], exam, path)
    return _from_answers([path], exam)


def _from_answers(files: Sequence[Path], exam: Exam) -> Respondents:
    """People from JSON, a person a line; a line that cannot be read is named and the others are kept."""
    broken: list[Defect] = []
    subjects = [each for file in files for each in _read_lines(file, exam, broken)]
    if not subjects:
        raise BadFile(str(broken[0]) if broken else f"{files[0]} holds nobody's answers.")
    respondents = respondents_of(subjects, exam)
    return replace(respondents, faults=(*broken, *respondents.faults))


def _read_lines(path: Path, exam: Exam, broken: list[Defect]) -> list[Answers]:
    text = path.read_text(encoding="utf-8")
    lines = [text] if path.suffix == ".json" else [line for line in text.splitlines() if line.strip()]
    subjects = []
    for number, line in enumerate(lines, start=1):
        place = f"{path}, line {number}"
        try:
            found = answers_from_json(json.loads(line), file=str(path))
        except json.JSONDecodeError as error:
            broken.append(Defect(place, None, None, None, f"is not whole JSON: {error}. It is left out."))
            continue
        except BadFile as error:
            broken.append(Defect(place, None, None, None, f"{error} It is left out."))
            continue
        subjects.append(check_answers(found, exam, file=place))
    return subjects


def _from_xml(path: Path, exam: Exam) -> Respondents:
    """One folder per subject, or all files in one folder, told apart by who answered."""
    parts: dict[tuple[str, str], list[Answers]] = {}
    broken: list[Defect] = []
    for file in sorted(path.glob("**/*.xml")):
        try:
            answers = read_responses(file)
        except BadFile as error:
            broken.append(broken_file(file, error))
            continue
        parts.setdefault((answers.site or "", answers.subject), []).append(answers)
    if not parts:
        raise BadFile(f"None of the response files in {path} can be read; the first: {broken[0]}")
    subjects = []
    for (_, name), files in parts.items():
        tasks = {number: trials for each in files for number, trials in each.tasks.items()}
        order = "reverse" if any(each.layer_order == "reverse" for each in files) else "standard"
        faults = tuple(fault for each in files for fault in each.faults)
        whole = Answers(name, tasks, files[0].human, files[0].site, order, faults)
        subjects.append(check_answers(whole, exam, file=name))
    respondents = respondents_of(subjects, exam)
    return replace(respondents, faults=(*broken, *respondents.faults))


def _from_tables(files: Sequence[Path], exam: Exam, path: Path) -> Respondents:
    read = [table for table in map(_Table.read, files) if table is not None]
    tables = [table for table in read if not table.waves]
    waves = [table for table in read if table.waves]
    if not tables:
        raise BadFile(f"{path} holds no table with the columns Site_id, Subject_id, Phase_number and Trial_number.")
    subjects: dict[str, str] = {}
    for table in [*tables, *waves]:
        for row in table.rows:
            name, order = table.subject(row), table.order(row)
            if subjects.get(name, "standard") == "standard":
                subjects[name] = order
    index = {name: number for number, name in enumerate(subjects)}
    tasks: dict[int, TaskAnswers] = {}
    faults: list[Defect] = []
    for table in tables:
        table.fill(tasks, index, exam, faults)
    for table in waves if 7 in exam.tasks else ():
        table.fill_waves(tasks, index, exam, faults)
    return Respondents(tuple(subjects), tuple(subjects.values()), tasks, tuple(faults))


class _Table:
    """One table of people's answers, columns found by name whatever their case."""

    NEEDED = ("site_id", "subject_id", "phase_number", "trial_number")
    WAVES = ("subject", "trial", "purchases")
    """Columns of the table of Task 7, which was rebuilt from response files."""

    def __init__(self, file: Path, columns: dict[str, int], rows: list[list[str]]) -> None:
        self.file = file
        self.columns = columns
        self.rows = rows

    @classmethod
    def read(cls, file: Path) -> "_Table | None":
        try:
            with file.open(encoding="utf-8-sig", newline="") as lines:
                reader = csv.reader(lines)
                header = next(reader, [])
                columns = {name.strip().lower(): place for place, name in enumerate(header) if name.strip()}
                if not any(all(name in columns for name in needed) for needed in (cls.NEEDED, cls.WAVES)):
                    return None
                rows = [row for row in reader if any(cell.strip() for cell in row)]
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise BadFile(f"{file} cannot be read as a table: {error}.") from error
        return cls(file, columns, rows)

    def cell(self, row: list[str], name: str) -> str:
        place = self.columns.get(name)
        return row[place].strip() if place is not None and place < len(row) else ""

    @property
    def waves(self) -> bool:
        """Whether this is a table of Task 7."""
        return "phase_number" not in self.columns

    def subject(self, row: list[str]) -> str:
        if self.waves:
            return self.cell(row, "subject").removeprefix("S_")
        return f"{self.cell(row, 'site_id')}_{self.cell(row, 'subject_id')}"

    def order(self, row: list[str]) -> str:
        return self.cell(row, "layer_order") or "standard"

    def fill(self, tasks: dict[int, TaskAnswers], index: dict[str, int], exam: Exam, faults: list[Defect]) -> None:
        """Put every row into the arrays of its task."""
        kept: dict[int, list[tuple[int, int, list[str]]]] = {}
        for line, row in enumerate(self.rows, start=2):
            task, trial = self.cell(row, "phase_number"), self.cell(row, "trial_number")
            known = task.isdecimal() and int(task) in exam.tasks
            if not (known and trial.isdecimal() and 1 <= int(trial) <= len(exam.tasks[int(task)].trials)):
                sentence = f"line {line} is of task {task!r}, trial {trial!r}, which the exam has not."
                faults.append(Defect(self.file.name, None, None, None, sentence))
            else:
                kept.setdefault(int(task), []).append((index[self.subject(row)], int(trial) - 1, row))
        for number, rows in kept.items():
            if number not in tasks:
                tasks[number] = TaskAnswers.empty(exam, number, subjects=len(index))
            self._fill_task(tasks[number], number, rows, faults)

    def fill_waves(
        self, tasks: dict[int, TaskAnswers], index: dict[str, int], exam: Exam, faults: list[Defect]
    ) -> None:
        """Put the rows of Task 7 into its arrays: sites judged, resources, and what was bought."""
        data = tasks.setdefault(7, TaskAnswers.empty(exam, 7, subjects=len(index)))
        rows = [
            (index[self.subject(row)], int(self.cell(row, "trial")) - 1, row)
            for row in self.rows
            if self.cell(row, "trial").isdecimal() and 1 <= int(self.cell(row, "trial")) <= data.stages.shape[1]
        ]
        who, trial = (np.array([each[place] for each in rows]) for place in (0, 1))
        data.stages[who, trial, 0] = self._numbers(7, [f"group_p_{group}" for group in "abcd"], rows, faults)
        data.stages[who, trial, 1] = self._numbers(7, [f"loc_p_{site}" for site in "1234"], rows, faults)
        data.allocation[who, trial] = self._numbers(7, [f"alloc_{site}" for site in "1234"], rows, faults)
        for subject, position, row in rows:
            for place, text in enumerate(filter(None, self.cell(row, "purchases").split(";"))):
                try:
                    data.layers[subject, position, place] = LAYER_CODE[Layer.parse(text)]
                except (Invalid, KeyError, IndexError):
                    faults.append(Defect(self.file.name, 7, position + 1, None, f"{text!r} cannot be bought."))

    def _fill_task(
        self, data: TaskAnswers, number: int, rows: list[tuple[int, int, list[str]]], faults: list[Defect]
    ) -> None:
        _, _, stages, kinds = data.stages.shape
        who, trial = (np.array([each[place] for each in rows]) for place in (0, 1))

        def block(*names: str) -> NDArray[np.float64]:
            return self._numbers(number, names, rows, faults)

        for stage in range(stages):
            values = block(*(f"human_probs_{stage + 1}_{kind + 1}" for kind in range(kinds)))
            usable = (values >= 0).all(axis=1) & (values.sum(axis=1) > 0)
            for bad in np.flatnonzero(~usable):
                sentence = f"no usable distribution of {self.subject(rows[bad][2])}."
                faults.append(Defect(self.file.name, number, int(trial[bad]) + 1, stage, sentence))
            data.stages[who, trial, stage] = np.where(usable[:, None], values, np.nan)
        data.allocation[who, trial] = block(*(f"norm_allocation_{kind + 1}" for kind in range(kinds)))
        data.surprise[who, trial] = block("surprise")[:, 0]
        for kind in range(kinds):
            data.drawn[who, trial, kind] = block(
                *(f"{name}_{kind + 1}" for name in ("center_x", "center_y", "circle_r"))
            )
        for place in range(data.layers.shape[2]):
            for subject, position, row in rows:
                text = self.cell(row, f"layer_type_{place + 1}")
                if text:
                    try:
                        data.layers[subject, position, place] = LAYER_CODE[Layer.parse(text)]
                    except (Invalid, KeyError):
                        faults.append(
                            Defect(self.file.name, number, position + 1, place + 1, f"{text!r} is not an INT.")
                        )

    def _numbers(
        self, number: int, names: Sequence[str], rows: list[tuple[int, int, list[str]]], faults: list[Defect]
    ) -> NDArray[np.float64]:
        places = [self.columns.get(name) for name in names]
        if None in places:
            return np.column_stack([self._column(number, name, rows, faults) for name in names])
        try:
            return np.array([[float(row[place]) for place in places if place is not None] for _, _, row in rows])
        except (ValueError, IndexError):
            return np.column_stack([self._column(number, name, rows, faults) for name in names])

    def _column(
        self, number: int, name: str, rows: list[tuple[int, int, list[str]]], faults: list[Defect]
    ) -> NDArray[np.float64]:
        """One column read cell by cell, so that a bad one is named and the others kept."""
        values = np.full(len(rows), np.nan)
        for place, (_, trial, row) in enumerate(rows):
            text = self.cell(row, name)
            if text:
                try:
                    values[place] = float(text)
                except ValueError:
                    sentence = f"{name} of {self.subject(row)} should be a number, got {text!r}."
                    faults.append(Defect(self.file.name, number, trial + 1, None, sentence))
        return values
