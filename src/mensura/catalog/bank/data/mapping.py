"""Mapping: which columns of somebody's data make the prompt, the options, the answer of an item."""

import ast
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mensura.catalog.bank.data.answer import AnswerReading, all_typed, typed_cell
from mensura.catalog.bank.data.expression import Expression, split_list
from mensura.catalog.bank.data.file import Placed, Row, Rows
from mensura.dialogue.spaces.base import shown
from mensura.errors import BadFile
from mensura.json_file import loads

PARTS = ("prompt", "answer", "options", "id", "tags", "group", "licence", "space", "grade", "calibration")
MAPPED = (*PARTS, "labels")
"""What columns can be: the parts of an item, and the names by which answers call the options."""
TEXTUAL = ("text", "choice", "distribution")
"""Spaces whose answers are texts, also where a cell looks like a number."""


@dataclass(frozen=True)
class ColumnMap:
    """What each part of an item is made of."""

    rows: Rows
    parts: Mapping[str, tuple[Expression, ...]]
    answer: AnswerReading
    space: Any = None
    """The space of all items, where it is written and no column."""

    @classmethod
    def read(cls, settings: Mapping[str, str], rows: Rows, *, path: str) -> "ColumnMap":
        """Read the settings behind a name; a part that is not named is the column of its name, where there is one."""
        given = {part: text for part, text in settings.items() if part in MAPPED}
        columns = ", ".join(rows.columns)
        if not given and (strange := [one for one in rows.columns if one not in (*PARTS, "split")]):
            example = f"{path}#prompt={strange[0]}#answer=COLUMN"
            raise BadFile(f"{path} has the columns {columns}. Say what they mean after its name: {example}")
        wanted = {part: part for part in PARTS if part in rows.columns} | given
        if not wanted.get("prompt"):
            raise BadFile(f"{path} has no column `prompt`; its columns are {columns}. Say which it is: #prompt=COLUMN")
        space = wanted.get("space", "")
        if space and space not in rows.columns:
            del wanted["space"]
        try:
            parts = {
                part: tuple(
                    Expression.read(one, rows.columns)
                    for one in (
                        split_list(text) if part in ("options", "tags") and text not in rows.columns else [text]
                    )
                )
                for part, text in wanted.items()
                if text
            }
        except BadFile as error:
            raise BadFile(f"{path}: {error}") from None
        column = parts["answer"][0].column if "answer" in parts else ""
        made = cls(
            rows,
            parts,
            AnswerReading(settings.get("answers", ""), rows.labels.get(column, ())),
            typed_cell(space) if space and "space" not in wanted else None,
        )
        made.answer.typed = not rows.typed and all_typed(made._free_answers())
        return made

    def data(self, row: Row) -> dict[str, Any]:
        """Make of a row what `read_item` takes."""
        named = {part: self._text(part, row) for part in ("id", "group", "licence") if part in self.parts}
        space = typed_cell(self._first("space", row)) or self.space
        options = self._options(row)
        answer = self._first("answer", row)
        kind = space.get("kind") if isinstance(space, Mapping) else space
        if kind and kind not in TEXTUAL and not self.rows.typed:
            answer = typed_cell(answer)
        labels = self._list("labels", row)
        if isinstance(options, Mapping):
            named_options = {label: option for label, option in options.items() if option is not None}
            labels, options = labels or list(named_options), list(named_options.values())
        answer = self.answer.read(answer, options=options, labels=labels)
        if options is None and space is None and self.answer.names:
            options = list(self.answer.names)
        made = {"prompt": self._first("prompt", row), "answer": answer, "options": options, "space": space}
        return made | named | {"tags": self._tags(row)}

    def placed(self, *, split: str = "") -> Iterator[Placed]:
        """Yield the rows, with nothing but the columns that are needed; of one split where they name theirs."""
        needed = {column for part in self.parts.values() for one in part for column in one.columns}
        for where, row in self.rows.read([*needed, *(["split"] if split else [])]):
            if not split or row.get("split") == split:
                yield where, row

    def _free_answers(self) -> Iterator[Any]:
        """Yield the answers that are no options, where nothing says what kind they are of."""
        if "answer" not in self.parts or "space" in self.parts or self.space is not None:
            return
        for _, row in self.placed():
            # A row that is wrong is refused when its item is made, with its place.
            with suppress(BadFile):
                if self._options(row) is None:
                    yield self._first("answer", row)

    def _first(self, part: str, row: Row) -> Any:
        return self.parts[part][0].value(row) if part in self.parts else None

    def _text(self, part: str, row: Row) -> Any:
        return self._named(self.parts[part][0], row)

    def _named(self, one: Expression, row: Row) -> Any:
        """Return a value, as the name of its class where its column has classes, as a whole number where it is one."""
        value, names = one.value(row), self.rows.labels.get(one.column)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return names[value] if names and type(value) is int and 0 <= value < len(names) else value

    def _tags(self, row: Row) -> list[str]:
        found: list[Any] = []
        for one in self.parts.get("tags", ()):
            value = self._named(one, row)
            value = listed(value) if isinstance(value, str) else value
            found += value if isinstance(value, list) else [value]
        return [str(tag) for tag in found if tag not in (None, "")]

    def _list(self, part: str, row: Row) -> Any:
        value = self._first(part, row)
        value = listed(value) if isinstance(value, str) else value
        if value is not None and not isinstance(value, (list, Mapping)):
            raise BadFile(f"`{part}` is a list of texts; got {shown(value)}.")
        return value

    def _options(self, row: Row) -> Any:
        """Return the options of a row from one column or several; None where it has none."""
        columns = self.parts.get("options", ())
        if len(columns) < 2:
            return self._list("options", row) if columns else None
        found = [one.value(row) for one in columns]
        while found and found[-1] in (None, ""):
            found.pop()
        if any(option in (None, "") for option in found):
            raise BadFile("One of the options is empty and a later one is not. Leave only the last ones empty.")
        return found or None


def listed(text: str) -> Any:
    """Read a text that is a list, as JSON or as Python writes it; any other as it is.

    >>> listed('["a", "b"]'), listed("['a', 'b']"), listed("a")
    (['a', 'b'], ['a', 'b'], 'a')
    """
    if text.strip()[:1] != "[":
        return text
    for read in (loads, ast.literal_eval):
        try:
            found = read(text.strip())
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
        if isinstance(found, list):
            return found
    return text
