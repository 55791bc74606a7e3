"""Reading what people answered: the published tables, response files, or answer files of our own."""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite, isnan
from pathlib import Path

from mensura.catalog.sensemaking.answers.answer import Answers, Defect, Drawn, Response, TrialAnswer, joined
from mensura.catalog.sensemaking.answers.check import check_answers
from mensura.catalog.sensemaking.answers.json_file import answers_from_json
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import Exam
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.mitre.response_reading import broken_file, read_responses
from mensura.catalog.sensemaking.people.respondents import Respondents, respondents_of
from mensura.catalog.sensemaking.solving.normative import hypotheses, stage_count
from mensura.errors import BadFile, Invalid
from mensura.json_file import loads

DRAWN = ("center_x", "center_y", "circle_r")
ORDERS = ("standard", "reverse")


def read_people(path: Path, exam: Exam) -> Respondents:
    """Read people: tables (one row per subject and trial), response XML, or JSON answers, in a folder or one file.

    All of them come out alike, so that data of one's own serve just as the published data do. Tables and XML files
    are put together by the id of a person; those in folders that hold the same trials are of different people, whatever
    their ids. JSON answers are each a person. What says that a model gave it is left out and named in `models`.
    """
    path = Path(path)
    if not path.exists():
        raise BadFile(f"{path} does not exist; give the folder with people's answers.")
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    broken: list[Defect] = []
    models: list[str] = []
    tables = [file for file in files if file.suffix == ".csv"]
    if tables:
        people = _from_tables(tables, exam, path)
    elif xml := [file for file in files if file.suffix == ".xml"]:
        people = _from_xml(xml, exam, path, broken, models)
    else:
        lines = [file for file in files if file.suffix in (".json", ".jsonl") or file == path]
        people = [each for file in lines for each in _read_lines(file, exam, broken, models)]
    if not people and models:
        raise BadFile(f"{path} holds only answers of models, such as {models[0]}; give people's answers.")
    if not people and broken:
        raise BadFile(f"None of the answers in {path} can be read; the first: {broken[0]}")
    if not people:
        raise BadFile(f"{path} holds no tables (.csv), response files (.xml) or answers (.json, .jsonl) of people.")
    respondents = respondents_of(people, exam)
    return replace(respondents, faults=(*broken, *respondents.faults), models=tuple(models))


def _gather(parts: Iterable[tuple[Path, Answers]], path: Path) -> list[Answers]:
    """Put together what several files hold of each person; the first of two answers to a trial is kept."""
    found: dict[str, dict[Path, list[tuple[str, Answers]]]] = {}
    for file, part in parts:
        faults = list(part.faults)
        order = _menu_order(part.layer_order, file, faults)
        own = found.setdefault(part.subject, {}).setdefault(file.parent, [])
        own.append((file.name, replace(part, layer_order=order, faults=tuple(faults))))
    people = []
    for name, folders in found.items():
        trials = [{(n, k) for _, part in each for n in part.tasks for k in part.tasks[n]} for each in folders.values()]
        if sum(map(len, trials)) > len(set().union(*trials)):
            people += [joined(f"{folder.relative_to(path)}/{name}", files) for folder, files in folders.items()]
        else:
            people.append(joined(name, [each for files in folders.values() for each in files]))
    return people


def _menu_order(said: str, file: Path, faults: list[Defect]) -> str:
    """The order of a person's INT menu: as the data say, else by the word reverse in the name of file or folder."""
    if said not in ("", *ORDERS):
        faults.append(Defect(file.name, None, None, None, f"a menu's order is standard or reverse, not {said!r}."))
        said = ""
    return said or ORDERS["reverse" in f"{file.parent.name} {file.stem}".lower()]


def _read_lines(path: Path, exam: Exam, broken: list[Defect], models: list[str]) -> list[Answers]:
    text = path.read_text(encoding="utf-8")
    lines = [text] if path.suffix == ".json" else [line for line in text.splitlines() if line.strip()]
    subjects = []
    for number, line in enumerate(lines, start=1):
        place = f"{path}, line {number}"
        try:
            found = answers_from_json(loads(line), file=str(path))
        except json.JSONDecodeError as error:
            broken.append(Defect(place, None, None, None, f"is not valid JSON: {error}. It is left out."))
            continue
        except BadFile as error:
            broken.append(Defect(place, None, None, None, f"{error} It is left out."))
            continue
        if found.human is False:
            models.append(place)
            continue
        found = replace(found, layer_order=_menu_order(found.layer_order, path, broken))
        subjects.append(check_answers(found, exam, file=place))
    return subjects


def _from_xml(files: Sequence[Path], exam: Exam, path: Path, broken: list[Defect], models: list[str]) -> list[Answers]:
    parts = []
    for file in files:
        try:
            found = read_responses(file)
        except BadFile as error:
            broken.append(broken_file(file, error))
            continue
        if found.human is False:
            models.append(str(file))
            continue
        # These files say that a menu was reversed, and nothing where it was not.
        parts.append((file, replace(found, layer_order=found.layer_order.replace("standard", ""))))
    return [check_answers(each, exam, file=each.subject) for each in _gather(parts, path)]


def _from_tables(files: Sequence[Path], exam: Exam, path: Path) -> list[Answers]:
    read = [table for table in map(_Table.read, files) if table is not None]
    if all(table.waves for table in read):
        raise BadFile(f"{path} holds no table with the columns Subject_id, Phase_number and Trial_number.")
    waves_last = sorted(read, key=lambda table: table.waves)
    return _gather(((table.file, each) for table in waves_last for each in table.people(exam)), path)


class _Table:
    """One table of people's answers, columns found by name whatever their case."""

    NEEDED = ("subject_id", "phase_number", "trial_number")
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

    def people(self, exam: Exam) -> Iterator[Answers]:
        """Each row as answers of its person."""
        for line, row in enumerate(self.rows, start=2):
            tasks: dict[int, dict[int, TrialAnswer]] = {}
            faults: list[Defect] = []
            number, trial = ("7" if self.waves else self.cell(row, "phase_number")), self.cell(row, self.trial)
            task = exam.tasks.get(int(number)) if number.isdecimal() else None
            if task is not None and trial.isdecimal() and 1 <= int(trial) <= len(task.trials):
                reading = _Row(self, row, exam, int(number), int(trial), faults)
                tasks[int(number)] = {int(trial): reading.wave() if self.waves else reading.answer()}
            elif not self.waves:
                sentence = f"line {line} is of task {number!r}, trial {trial!r}, which the exam does not have."
                faults.append(Defect(self.file.name, None, None, None, sentence))
            order = self.cell(row, "layer_order").lower()
            yield Answers(self.subject(row), tasks, human=True, layer_order=order, faults=tuple(faults))

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
        return "_".join(filter(None, (self.cell(row, "site_id"), self.cell(row, "subject_id"))))

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
                Drawn(name, GridPoint(x, y), None if isnan(r) else r) for name, (x, y, r) in drawn if isfinite(x + y)
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
