"""Reading what people answered: the published tables, response files, or answer files of our own."""

import csv
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path

from mensura.catalog.sensemaking.answers.answer import Answers, Defect, Drawn, Response, TrialAnswer
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.mitre.response_reading import broken_file, read_responses
from mensura.catalog.sensemaking.people.respondents import Respondents, respondents_of
from mensura.catalog.sensemaking.solving.normative import hypotheses, stage_count
from mensura.errors import BadFile, Invalid

DRAWN = ("center_x", "center_y", "circle_r")


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
    if all(table.waves for table in read):
        raise BadFile(f"{path} holds no table with the columns Site_id, Subject_id, Phase_number and Trial_number.")
    people: dict[str, dict[int, dict[int, TrialAnswer]]] = {}
    orders: dict[str, str] = {}
    faults: list[Defect] = []
    for table in sorted(read, key=lambda table: table.waves):
        for line, row in enumerate(table.rows, start=2):
            name = table.subject(row)
            tasks = people.setdefault(name, {})
            if orders.get(name, "standard") == "standard":
                orders[name] = table.cell(row, "layer_order") or "standard"
            number, trial = ("7" if table.waves else table.cell(row, "phase_number")), table.cell(row, table.trial)
            task = exam.tasks.get(int(number)) if number.isdecimal() else None
            if task is not None and trial.isdecimal() and 1 <= int(trial) <= len(task.trials):
                reading = _Row(table, row, exam, int(number), int(trial), faults)
                tasks.setdefault(int(number), {})[int(trial)] = reading.wave() if table.waves else reading.answer()
            elif not table.waves:
                sentence = f"line {line} is of task {number!r}, trial {trial!r}, which the exam has not."
                faults.append(Defect(table.file.name, None, None, None, sentence))
    subjects = [Answers(name, tasks, human=True, layer_order=orders[name]) for name, tasks in people.items()]
    return replace(respondents_of(subjects, exam), faults=tuple(faults))


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

    @property
    def trial(self) -> str:
        """The column that numbers the trials."""
        return "trial" if self.waves else "trial_number"


@dataclass(frozen=True)
class _Row:
    """One subject's answers to one trial; a bad cell is named and the others are kept."""

    table: _Table
    cells: list[str]
    exam: Exam
    task: int
    trial: int
    faults: list[Defect]

    def answer(self) -> TrialAnswer:
        names, count = hypotheses(self.exam, self.task), stage_count(self.exam, self.task)
        places = range(1, len(names) + 1)
        stages = [self._judgement(stage, len(names)) for stage in range(count)]
        drawn = [(name, self._numbers(f"{what}_{k}" for what in DRAWN)) for k, name in enumerate(names, 1)]
        layers = [self.table.cell(self.cells, f"layer_type_{stage}") for stage in range(1, count)]
        surprise = self._number("surprise")
        return TrialAnswer(
            trial=self.trial,
            stages=tuple(stages),
            allocation=Response(self._numbers(f"norm_allocation_{k}" for k in places)),
            layers=self._layers(layers, "is not an INT"),
            drawn=tuple(
                Drawn(name, GridPoint(x, y), None if isnan(r) else r) for name, (x, y, r) in drawn if not isnan(x)
            ),
            surprise=None if isnan(surprise) else surprise,
        )

    def wave(self) -> TrialAnswer:
        """Read a row of Task 7: groups and sites judged, resources, and what was bought."""
        groups, sites, shares = (
            Response(self._numbers(f"{what}_{each}" for each in names))
            for what, names in (("group_p", "abcd"), ("loc_p", "1234"), ("alloc", "1234"))
        )
        bought = self._layers(self.table.cell(self.cells, "purchases").split(";"), "cannot be bought")
        return TrialAnswer(self.trial, (groups, sites), shares, bought)

    def _judgement(self, stage: int, kinds: int) -> Response | None:
        values = self._numbers(f"human_probs_{stage + 1}_{kind}" for kind in range(1, kinds + 1))
        if min(values) >= 0 and sum(values) > 0:
            return Response(values)
        self._fault(stage, f"no usable distribution of {self.table.subject(self.cells)}.")
        return None

    def _layers(self, texts: Iterable[str], wrong: str) -> tuple[Layer, ...]:
        found = []
        for text in filter(None, texts):
            try:
                found.append(Layer.parse(text))
            except Invalid:
                self._fault(None, f"{text!r} {wrong}.")
                return ()
        return tuple(found)

    def _numbers(self, names: Iterable[str]) -> tuple[float, ...]:
        return tuple(map(self._number, names))

    def _number(self, name: str) -> float:
        text = self.table.cell(self.cells, name)
        try:
            return float(text or "nan")
        except ValueError:
            self._fault(None, f"{name} of {self.table.subject(self.cells)} should be a number, got {text!r}.")
            return float("nan")

    def _fault(self, stage: int | None, sentence: str) -> None:
        self.faults.append(Defect(self.table.file.name, self.task, self.trial, stage, sentence))
