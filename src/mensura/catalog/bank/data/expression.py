"""Expression: what a part of an item is made of: a column, a path into one, or a template of several."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from mensura.dialogue.spaces.base import shown
from mensura.errors import BadFile, unknown

BRACES = re.compile(r"\{([^{}]+)\}")
Path = tuple[str, ...]


@dataclass(frozen=True)
class Expression:
    """A column with the way into it, or pieces of text and columns in turn."""

    pieces: tuple[str | Path, ...]
    template: bool = False

    @classmethod
    def read(cls, text: str, columns: Collection[str]) -> "Expression":
        r"""Read `question`, `choices.text`, `answers.0` or `{passage}\n\n{question}`; raise the nearest columns.

        >>> made = Expression.read("{where}: {choices.text}", ["where", "choices"])
        >>> made.value({"where": "Here", "choices": {"text": "Rome"}})
        'Here: Rome'
        """
        if text in columns or not BRACES.search(text):
            return cls((_path(text, columns),))
        parts = BRACES.split(text)
        return cls(tuple(_path(part, columns) if place % 2 else part for place, part in enumerate(parts)), True)

    @property
    def columns(self) -> set[str]:
        """The columns that it reads."""
        return {piece[0] for piece in self.pieces if isinstance(piece, tuple)}

    @property
    def column(self) -> str:
        """The column that it is, whole; "" where it is anything else."""
        piece = self.pieces[0]
        return piece[0] if not self.template and len(piece) == 1 else ""

    def value(self, row: Mapping[str, Any]) -> Any:
        """Return what a row has there; None where it has nothing."""
        if not self.template:
            return _follow(self.pieces[0], row)
        return "".join(piece if isinstance(piece, str) else _words(piece, row) for piece in self.pieces)


def split_list(text: str) -> list[str]:
    """Split at commas that stand outside of braces.

    >>> split_list("A, B,{C, D}")
    ['A', 'B', '{C, D}']
    """
    return [part.strip() for part in re.split(r",(?![^{}]*\})", text) if part.strip()]


def _path(text: str, columns: Collection[str]) -> Path:
    if text in columns:
        return (text,)
    # A column's own name may have dots: the longest that fits.
    for end in sorted((found.start() for found in re.finditer(r"\.", text)), reverse=True):
        if text[:end] in columns:
            return (text[:end], *text[end + 1 :].split("."))
    see = f"There are {', '.join(columns) or 'none'}."
    raise BadFile(str(unknown("column", text, known=list(columns), see=see)))


def _follow(path: str | Path, row: Mapping[str, Any]) -> Any:
    found: Any = row
    for step in path:
        if isinstance(found, Mapping):
            found = found.get(step)
        elif isinstance(found, (list, tuple)) and step.isdecimal():
            found = found[int(step)] if int(step) < len(found) else None
        elif isinstance(found, (list, tuple)):
            found = [one.get(step) if isinstance(one, Mapping) else None for one in found]
        else:
            return None
    return _plain(found)


def _plain(value: Any) -> Any:
    """Turn what columns of files can hold into what JSON can; NaN, which stands for an empty cell, into nothing."""
    if isinstance(value, float):
        return None if value != value else value
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, (UUID, timedelta)):
        return str(value)
    return [_plain(one) for one in value] if isinstance(value, (list, tuple)) else value


def _words(path: Path, row: Mapping[str, Any]) -> str:
    found = _follow(path, row)
    if isinstance(found, bool) or not isinstance(found, (str, int, float)):
        raise BadFile(f"The column {'.'.join(path)!r} of a template is a text or a number; got {shown(found)}.")
    return str(found)
