"""Rows in files of text: JSON, line by line or as one list, and CSV."""

import csv
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mensura.catalog.bank.data.file import DataFile, Placed, unreadable
from mensura.dialogue.spaces.base import shown
from mensura.errors import BadFile
from mensura.json_file import check_bounds

EACH = "Write one JSON object with `prompt` and `answer` on each line"
BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class JsonFile(DataFile):
    """JSON objects: one on each line, or all in one list; `part` names where the list is inside an object."""

    part: str = ""

    @cached_property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(column for _, row in self.rows() for column in row))

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Placed]:
        if self.part or self._is_list():
            yield from self._in_list()
            return
        for number, line in text_lines(self.path):
            where = f"{self.path}:{number}"
            try:
                yield where, _object(parse_json(line))
            except BadFile as error:
                raise BadFile(f"{where}: {error}") from None

    def _is_list(self) -> bool:
        """Return whether a `.json` holds one list, or one object over several lines."""
        if self.path.suffix.lower() != ".json":
            return False
        first = next(text_lines(self.path), (1, ""))[1].strip()
        return first.startswith("[") or first == "{"

    def _in_list(self) -> Iterator[Placed]:
        data = parse_file(self.path)
        if self.part:
            data = data.get(self.part) if isinstance(data, dict) else None
        if not isinstance(data, list):
            raise BadFile(f"{self.path} holds no list of rows. Write a list of objects or {EACH[0].lower()}{EACH[1:]}.")
        for number, row in enumerate(data, start=1):
            where = f"{self.path}, row {number}"
            try:
                yield where, _object(row)
            except BadFile as error:
                raise BadFile(f"{where}: {error}") from None


@dataclass(frozen=True)
class CsvFile(DataFile):
    """Cells with a line of names above them, parted by commas, semicolons or tabs; an empty cell holds nothing."""

    typed = False

    @cached_property
    def delimiter(self) -> str:
        """What parts the cells: what stands most often in the line of names."""
        names = next(text_lines(self.path), (1, ""))[1]
        return "\t" if self.path.suffix.lower() == ".tsv" else max(",;\t", key=names.count)

    @cached_property
    def columns(self) -> tuple[str, ...]:
        names = next((cells for _, cells in self._cells()), None)
        if not names:
            raise BadFile(f"{self.path} is empty. Its first line names the columns.")
        if twice := [name for name in names if names.count(name) > 1]:
            raise BadFile(f"{self.path}:1: two columns are called {twice[0]!r}. Give each a different name.")
        return tuple(names)

    def rows(self, columns: Sequence[str] | None = None) -> Iterator[Placed]:
        names = self.columns
        lines = self._cells()
        next(lines)
        for number, cells in lines:
            if len(cells) != len(names):
                raise BadFile(
                    f"{self.path}:{number}: {len(cells)} cells where the first line names {len(names)} columns. "
                    "Put cells with a delimiter or a quotation mark into quotation marks."
                )
            yield f"{self.path}:{number}", {name: cell or None for name, cell in zip(names, cells, strict=True)}

    def _cells(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the cells of each row that holds any, and the line at which it begins."""
        # The limit is one of the whole module, for others too; a passage of a book is longer than it allows.
        before = csv.field_size_limit(min(sys.maxsize, 2**31 - 1))
        last = 0
        try:
            reader = csv.reader(_lines(self.path), delimiter=self.delimiter, strict=True)
            for cells in reader:
                if any(cells):
                    # What Windows writes at the end of a line is no other text.
                    yield last + 1, [cell.replace("\r\n", "\n") for cell in cells]
                last = reader.line_num
        except csv.Error as error:
            raise BadFile(f"{self.path}:{last + 1}: this is not CSV: {error}. Correct the quotation marks.") from None
        finally:
            csv.field_size_limit(before)


def text_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold anything, with their numbers."""
    for number, text in enumerate(_lines(path), start=1):
        if text.strip():
            yield number, text


def _lines(path: Path) -> Iterator[str]:
    """Yield all lines with their ends."""
    try:
        with path.open("rb") as file:
            # By line feeds alone: JSON allows line separators of Unicode inside of a text.
            for number, line in enumerate(file, start=1):
                try:
                    yield line.removeprefix(BOM).decode() if number == 1 else line.decode()
                except UnicodeDecodeError:
                    raise BadFile(f"{path}:{number}: this is not UTF-8. Save the file as UTF-8.") from None
    except OSError as error:
        raise unreadable(path, error) from None


def parse_json(text: str) -> Any:
    """Read JSON, or say in a sentence why it is none; a name may appear once in an object."""
    try:
        check_bounds(text)
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise BadFile(f"This is not JSON: {error.msg} at character {error.pos + 1}. {EACH}.") from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"This is not JSON: {error}. {EACH}.") from None


def parse_file(path: Path) -> Any:
    """Read a file that is one JSON value."""
    text = "".join(line for _, line in text_lines(path))
    try:
        return parse_json(text)
    except BadFile as error:
        raise BadFile(f"{path}: {error}") from None


def _object(row: Any) -> dict[str, Any]:
    if not isinstance(row, dict):
        raise BadFile(f"An item is a JSON object; got {shown(row)}. {EACH}.")
    return row


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise BadFile(f"{twice!r} appears twice in one line; keep one of them.")
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number; write null where there is no answer")


# Made once, not for every line.
_DECODER = json.JSONDecoder(parse_constant=_no_number, object_pairs_hook=_once_each)  # noqa: TID251
