"""Answers in somebody's data: as an option, its number or its letter, in a cell with a type or without one."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.dialogue.spaces.base import shown
from mensura.errors import BadFile, BadParameter
from mensura.json_file import loads

WAYS = ("index", "number", "letter", "text")
"""How an answer can name an option: its number from 0, its number from 1, its letter, or itself."""
NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
SAY = "Say how answers are given: #answers=index (from 0), number (from 1), letter or text."


@dataclass
class AnswerReading:
    """How the answers of one source are given.

    Parameters
    ----------
    way
        One of `WAYS`; "" where each row tells it.
    names
        What the numbers of a column stand for, where it has classes.
    typed
        Whether a cell that is a text and stands for a number or for yes and no is meant as that.
    """

    way: str = ""
    names: Sequence[str] = ()
    typed: bool = False
    _doubtful: bool = False
    _placed: bool = False

    def __post_init__(self) -> None:
        if self.way not in ("", *WAYS):
            raise BadParameter(
                f"#answers says how answers name an option: {', '.join(WAYS)}; got {self.way!r}. "
                "The column of the answer is #answer=COLUMN."
            )

    def read(self, value: Any, *, options: Sequence[Any] | None = None, labels: Sequence[Any] | None = None) -> Any:
        """Return an answer as `read_item` takes it; None where there is none: an empty cell, or -1 for a class."""
        if isinstance(value, float) and value.is_integer() and options is not None:
            value = int(value)
        counts = bool(self.names) or self.way == "index"
        if value is None or value == "" or (counts and type(value) is int and value < 0):
            return None
        if options is None:
            if self.names and type(value) is int:
                return self.names[_place(value, len(self.names))]
            return typed_cell(value) if self.typed else value
        if labels is not None and str(value) in map(str, labels):
            return options[_place([str(label) for label in labels].index(str(value)), len(options))]
        if labels is not None and value not in options:
            raise BadFile(f"The answer {shown(value)} is not one of the labels {', '.join(map(str, labels))}.")
        if self.names and type(value) is int:
            return options[_place(value, len(options))]
        return self._chosen(value, options)

    def _chosen(self, value: Any, options: Sequence[Any]) -> Any:
        text = str(value).strip()
        number = int(text) if re.fullmatch(r"-?\d+", text) else None
        letter = ord(text.upper()) - ord("A") if len(text) == 1 and text.isascii() and text.isalpha() else None
        if self.way == "text":
            return text
        if self.way:
            place = letter if self.way == "letter" else number
            if place is None:
                raise BadFile(f"The answer {shown(value)} is not the {self.way} of an option, as #answers says.")
            return options[_place(place - (self.way == "number"), len(options))]
        self._doubt(value, [str(option).strip() for option in options], number if letter is None else letter)
        return value

    def _doubt(self, value: Any, options: Sequence[str], place: int | None) -> None:
        """Refuse answers that one row gives as an option and another as the number or letter of one."""
        text, fits = str(value).strip(), place is not None and 0 <= place < len(options)
        if text in options:
            self._doubtful |= fits and place is not None and options[place] != text
        elif isinstance(value, str) and text.isdecimal():
            raise BadFile(f"The answer {text!r} is not one of the options. {SAY}")
        else:
            self._placed |= fits
        if self._doubtful and self._placed:
            raise BadFile(f"Some answers are options, others their numbers or letters; this is {text!r}. {SAY}")


def typed_cell(cell: Any) -> Any:
    """Read a cell of text that stands for a number, for true or false, or for JSON as that.

    >>> typed_cell("4"), typed_cell("True"), typed_cell("007"), typed_cell("[1, 2]")
    (4, True, '007', [1, 2])
    """
    text = cell.strip() if isinstance(cell, str) else ""
    if NUMBER.fullmatch(text) or text.lower() in ("true", "false") or text[:1] in ("[", "{"):
        try:
            return loads(text.lower() if text[:1].isalpha() else text)
        except ValueError:
            return cell
    return cell


def all_typed(cells: Iterable[Any]) -> bool:
    """Return whether all cells that hold anything are numbers, or all are true or false."""
    kinds = {type(typed_cell(cell)) for cell in cells if cell not in (None, "")}
    return bool(kinds) and (kinds <= {int, float} or kinds == {bool})


def _place(place: int, count: int) -> int:
    if not 0 <= place < count:
        raise BadFile(f"The answer names option {place} (from 0), and there are {count}. {SAY}")
    return place
