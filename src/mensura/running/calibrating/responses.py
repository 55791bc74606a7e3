"""Responses of runs and files: who answered which item rightly."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from mensura.dialogue import Bank
from mensura.errors import BadData, BadFile, BadParameter
from mensura.running.calibrating.bank_file import looks_of
from mensura.running.items.table import ItemTable
from mensura.stats.response.measurement import Measurement, measure
from mensura.stats.response.presentations import ItemLook
from mensura.stats.response.responses import Model, ResponseMatrix, response_matrix
from mensura.stats.wording import several

Persons = Literal["subjects", "sessions"]
CELLS = dict.fromkeys(("", "NA", "NaN", "nan", "null"), np.nan) | {"0": 0.0, "0.0": 0.0, "1": 1.0, "1.0": 1.0}


@dataclass(frozen=True, eq=False)
class RunResponses:
    """A matrix of answers, and which of its persons are people."""

    matrix: ResponseMatrix
    people: tuple[bool, ...]
    norm: str
    """Their names, in words."""
    looks: tuple[ItemLook | None, ...] = ()
    """The structure and presentation of each item, where its bank declares them."""

    def measure(self, model: Model) -> Measurement:
        """Calibrate the items and say what that tells."""
        return measure(self.matrix, model=model, people=self.people, norm=self.norm, looks=self.looks)

    def between_presentations(self, banks: Sequence[Bank] = ()) -> "RunResponses":
        """Let presentations be compared too, those of the runs' banks or of one whose ids the items have.

        Raises
        ------
        BadParameter
            If nothing says which items ask the same in two presentations.
        """
        named = looks_of(banks)
        looks = tuple(named.get(item) for item in self.matrix.items) if named else self.looks
        met = {look for look in looks if look is not None}
        if len(met) == len({look.structure for look in met}):
            raise BadParameter(
                "Presentations are compared where lines of a bank have one `structure` and two presentations; these "
                "items do not. Name the file whose lines do: --bank items.jsonl"
            )
        return replace(self, looks=looks)


def responses_of(table: ItemTable, *, persons: Persons = "subjects") -> RunResponses:
    """Read who had which item right from the items of runs, paired by content.

    Each person, program and model is one row; of several answers of one to the same item the first counts, so that an
    item asked ten times is not ten items. With `persons="sessions"` every session is a row, which is right where each
    session was somebody else. What was not answered counts as the score declares, for accuracy as wrong; what was lost
    on our side, is not resolved or was excluded is missing.

    Raises
    ------
    BadParameter
        If items of the score are not right or wrong.
    """
    if not table.score.proportion:
        raise BadParameter(
            f"By {table.score.name} an item is not right or wrong but a number {table.score.range}; only right and "
            "wrong answers are calibrated. Name another score, such as --score accuracy."
        )
    rows: list[np.ndarray] = []
    names, people = list[str](), list[bool]()
    for column, (run, places) in enumerate(zip(table.runs, table.places, strict=True)):
        values = table.values(column)
        codes = run.subjects if persons == "subjects" else run.sessions
        many = int(codes.max(initial=-1)) + 1
        mine = np.full((many, len(table.rows)), np.nan)
        held = np.flatnonzero(~np.isnan(values))[::-1]
        # Written backwards, so that the first answer of each stays.
        mine[codes[held], places[held]] = values[held]
        rows.append(mine)
        label, is_people = table.labels[column], run.circumstances.people
        numbered = is_people or many > 1
        unit = "person" if is_people and persons == "subjects" else "session"
        names += [f"{label}, {unit} {place + 1}" if numbered else label for place in range(many)]
        people += [is_people] * many
    matrix = response_matrix(np.vstack(rows), items=_item_names(table), persons=names)
    runs = ", ".join(run.head.id for run in table.runs[:3]) + (" …" if len(table.runs) > 3 else "")
    known = looks_of({run.bank.hash: run.bank for run in table.runs if run.bank is not None}.values())
    looks = [next((known[one] for one in row.questions if one in known), None) for row in table.rows]
    return RunResponses(matrix, tuple(people), f"{several(len(names), 'person')} of {runs}", tuple(looks))


def _item_names(table: ItemTable) -> list[str]:
    """Name items by their ids in the bank, else by the hashes of their questions."""
    known = {item.hash: item.key for run in table.runs for item in run.bank or ()}
    found = [next((known[one] for one in row.questions if one in known), row.name) for row in table.rows]
    return [name if found.count(name) == 1 else row.name for name, row in zip(found, table.rows, strict=True)]


def read_responses(path: str | Path) -> RunResponses:
    """Read a CSV of answers: item ids in the first line, a line for each person, 1 right, 0 wrong, empty missing.

    Raises
    ------
    BadFile
        If it cannot be read; the message names the line and the column.
    """
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            lines = [(reader.line_num, row) for reader in [csv.reader(file)] for row in reader if any(row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"{path} cannot be read: {getattr(error, 'strerror', error)}. Check the path.") from None
    if len(lines) < 2:
        raise BadFile(f"{path} holds no answers. Write item ids in the first line, and a line of 0 and 1 per person.")
    items = [name.strip() for name in lines[0][1]]
    if stray := [place for place, name in enumerate(items, start=1) if not name]:
        raise BadFile(f"{path}:1: column {stray[0]} has no name. Write the id of an item above each column.")
    made = np.full((len(lines) - 1, len(items)), np.nan)
    for place, (number, row) in enumerate(lines[1:]):
        if len(row) != len(items):
            raise BadFile(f"{path}:{number}: {len(row)} cells under {len(items)} items. Give each line one for each.")
        values = [CELLS.get(cell.strip()) for cell in row]
        if None in values:
            name, cell = items[values.index(None)], row[values.index(None)].strip()
            known = f"an answer is 1 (right), 0 (wrong) or empty (missing); got {cell!r}."
            raise BadFile(f"{path}:{number}, column {name}: {known}")
        made[place] = values
    try:
        matrix = response_matrix(made, items=items)
    except BadData as error:
        raise BadFile(f"{path}: {error}") from None
    norm = f"{several(len(made), 'person')} of {Path(path).name}"
    return RunResponses(matrix, (True,) * len(made), norm)
