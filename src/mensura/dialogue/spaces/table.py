"""Table: rows of typed cells. File: an uploaded document."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from mensura.dialogue.spaces.base import Json, Space, fields_under, read_people_json, shown, typed
from mensura.dialogue.spaces.described import read_space
from mensura.errors import Invalid
from mensura.json_file import loads


@dataclass(frozen=True)
class Table(Space):
    """A list of rows, each with one typed cell per column.

    >>> from mensura.dialogue.spaces.number import Number
    >>> Table({"age": Number(low=0)}).check([{"age": -1}])
    Traceback (most recent call last):
    mensura.errors.Invalid: Row 1, age: The answer must be at least 0; got -1.
    """

    kind: ClassVar[str] = "table"
    columns: Mapping[str, Space]
    most_rows: int = 100
    least_rows: int = 0

    @classmethod
    def read(cls, described: Mapping[str, Any]) -> "Table":
        columns = {name: read_space(cell) for name, cell in described["columns"].items()}
        return cls(columns, described["most_rows"], described["least_rows"])

    def check(self, answer: Any) -> list[Json]:
        if not isinstance(answer, (list, tuple)):
            raise Invalid("Give a list of rows; got {got}.", got=shown(answer))
        if not self.least_rows <= len(answer) <= self.most_rows:
            least, most = self.least_rows, self.most_rows
            raise Invalid("Give {least} to {most} rows; got {got}.", least=least, most=most, got=len(answer))
        return [self._row(number, row) for number, row in enumerate(answer, start=1)]

    def _row(self, number: int, row: Any) -> Json:
        if not isinstance(row, Mapping) or set(row) != set(self.columns):
            raise Invalid(f"Row {number} must have the cells {', '.join(self.columns)}; got {shown(row)}.")
        return self._cells(number, {name: space.check for name, space in self.columns.items()}, row)

    def schema(self) -> Json:
        row = {
            "type": "object",
            "properties": {name: space.schema() for name, space in self.columns.items()},
            "required": list(self.columns),
            "additionalProperties": False,
        }
        return {"type": "array", "items": row, "minItems": self.least_rows, "maxItems": self.most_rows}

    def draw(self, rng: np.random.Generator) -> list[Json]:
        rows = int(rng.integers(self.least_rows, min(self.most_rows, self.least_rows + 3) + 1))
        return [{name: space.draw(rng) for name, space in self.columns.items()} for _ in range(rows)]

    def parse(self, form: Mapping[str, str]) -> list[Json]:
        """Read fields "answer.<row>.<column>", skipping empty rows, or one line of JSON."""
        numbers = sorted({int(key.split(".")[1]) for key in form if key.startswith("answer.") and _row_of(key)})
        if not numbers:
            try:
                written = list(loads(typed(form)))
            except (ValueError, TypeError):
                raise Invalid(self.hint_for_people()) from None
            return [self._read(number, row) for number, row in enumerate(written, start=1)]
        rows = []
        for number in numbers:
            cells = {name: fields_under(form, f"answer.{number}.{name}") for name in self.columns}
            if any(text.strip() for fields in cells.values() for text in fields.values()):
                rows.append(self._cells(number + 1, {name: space.parse for name, space in self.columns.items()}, cells))
        return rows

    def _read(self, number: int, row: Any) -> Any:
        """Read a row that a person wrote as JSON."""
        if not isinstance(row, Mapping) or set(row) != set(self.columns):
            return row
        how = {name: partial(read_people_json, space) for name, space in self.columns.items()}
        return self._cells(number, how, row)

    @staticmethod
    def _cells(number: int, how: Mapping[str, Callable[[Any], Any]], row: Mapping[str, Any]) -> Json:
        """Do something with each cell of a row; a sentence about a cell says where it is."""
        done = {}
        for name, act in how.items():
            try:
                done[name] = act(row[name])
            except Invalid as wrong:
                raise Invalid("Row {number}, {name}: {wrong}", number=number, name=name, wrong=wrong.said) from None
        return done

    @property
    def percent(self) -> bool:
        return any(space.percent for space in self.columns.values())

    def hint(self) -> str:
        return f"JSON: a list of rows with the cells {', '.join(self.columns)}."

    def hint_for_people(self) -> str:
        return f"{self.hint()}{' Write shares in percent.' if self.percent else ''}"

    def data(self) -> Json:
        return {
            "kind": self.kind,
            "columns": {name: space.data() for name, space in self.columns.items()},
            "most_rows": self.most_rows,
            "least_rows": self.least_rows,
        }


def _row_of(key: str) -> bool:
    parts = key.split(".")
    return len(parts) > 2 and parts[1].isdecimal()


@dataclass(frozen=True)
class File(Space):
    """A document: {"name", "type", "content"}, the content in base64."""

    kind: ClassVar[str] = "file"
    types: tuple[str, ...] = ()
    """Media types that are allowed; empty: any."""
    most_bytes: int = 5_000_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "types", tuple(self.types))

    def check(self, answer: Any) -> Json:
        if not isinstance(answer, Mapping) or set(answer) != {"name", "type", "content"}:
            raise Invalid(f'Give {{"name", "type", "content"}} with base64 content; got {shown(answer)}.')
        if not all(isinstance(answer[part], str) for part in ("name", "type", "content")):
            raise Invalid("Name, type and content of a file must be texts.")
        if self.types and answer["type"] not in self.types:
            types = " / ".join(self.types)
            raise Invalid("The file must be of type {types}; got {got}.", types=types, got=shown(answer["type"]))
        if len(answer["content"]) > self.most_bytes * 4 // 3 + 4:
            raise Invalid("The file is larger than {most} bytes.", most=self.most_bytes)
        try:
            content = b64decode(answer["content"], validate=True)
        except ValueError:
            raise Invalid("The content of the file is not base64.") from None
        if len(content) > self.most_bytes:
            most = self.most_bytes
            raise Invalid("The file has {count} bytes; at most {most} are allowed.", count=len(content), most=most)
        return {"name": answer["name"], "type": answer["type"], "content": answer["content"]}

    def schema(self) -> Json:
        text: Json = {"type": "string"}
        kind = {"type": "string", "enum": list(self.types)} if self.types else text
        return {
            "type": "object",
            "properties": {"name": text, "type": kind, "content": {**text, "contentEncoding": "base64"}},
            "required": ["name", "type", "content"],
            "additionalProperties": False,
        }

    def draw(self, rng: np.random.Generator) -> Json:
        kind = self.types[int(rng.integers(len(self.types)))] if self.types else "application/octet-stream"
        return {"name": "random", "type": kind, "content": b64encode(rng.bytes(min(16, self.most_bytes))).decode()}

    def parse(self, form: Mapping[str, str]) -> Json:
        return {part: form.get(f"answer.{part}", "") for part in ("name", "type", "content")}
