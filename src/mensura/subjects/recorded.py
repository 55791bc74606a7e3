"""Recorded: answers that were given before, read from a file."""

import csv
import io
import re
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mensura.dialogue import Address, Ask, Refused, Space
from mensura.dialogue.spaces.base import read_number
from mensura.errors import BadFile, Invalid
from mensura.json_file import loads
from mensura.subjects.naming import Factory, Naming
from mensura.text_file import read_text

ANSWERS = ("answer", "value")
PLACE = re.compile(r"(?:^|/)(\d+)\.(\d+)\.(\d+)(?:\.\w+)?$")
"""Course, phase and session at the end of a session's id."""


class Recorded:
    """Gives answers that were recorded before, by key where they have keys, else in order.

    An ask for which nothing is recorded is refused, so that it counts as neither right nor wrong.

    Parameters
    ----------
    rows
        Each with `answer` (or `value`), and `key` and `role` if they are known. `epoch`, a number from 1, or
        `session`, as tables of answers have it, says in which session of a run a row answers. Without these, rows with
        the same key answer the asks with that key in turn. Where each item of a bank is a separate dialogue, the first
        row answers in the first session, the second in the second.

    Examples
    --------
    >>> from mensura.dialogue import Probability
    >>> recorded = Recorded([{"key": "coin0", "answer": 0.3}])
    >>> recorded(Ask("Heads?", Probability(), key="coin0"))
    0.3
    """

    recomputes = True

    def __init__(self, rows: Sequence[Mapping[str, Any]], *, name: str = "recorded") -> None:
        self.name = name
        self.rows = rows
        self._by_key = any(row.get("key") for row in rows)
        self._places = _places(rows)
        self._address = Address()
        self._left: dict[tuple[str, str], deque[Any]] = {}
        self._fill()

    @classmethod
    def read(cls, path: str | Path, *, name: str = "") -> "Recorded":
        """Read a JSONL file (one object per line) or a CSV file with a header."""
        return cls(read_rows(path), name=name or f"recorded:{path}")

    def begin(self, rng: np.random.Generator, address: Address | None = None) -> None:
        """Begin with the answers of a session of a run; without an address, with those of the first."""
        self._address = address or Address()
        self._fill()

    def __call__(self, ask: Ask) -> Any:
        if self._address.item and not self._by_key:
            return Refused("Items that are asked one by one are answered by `key`, which no row has.")
        key = ask.key if self._by_key else ""
        for role in (ask.role, ""):
            if left := self._left.get((role, key)):
                return _fitting(left.popleft(), ask)
        return Refused(f"Nothing is recorded for {ask.key or 'this ask'}.")

    def _fill(self) -> None:
        self._left = {}
        for row, place in zip(self.rows, self._places, strict=True):
            if place is None or place == self._address[:3]:
                named = (str(row.get("role") or ""), str(row.get("key") or "") if self._by_key else "")
                self._left.setdefault(named, deque()).append(_answer(row))
        if self._address.item and not any(self._places):
            turn = self._address.session
            self._left = {named: deque([*rows][turn : turn + 1]) for named, rows in self._left.items()}


def read_rows(path: str | Path) -> list[dict[str, Any]]:
    """Read rows of answers from JSONL or CSV, or raise a sentence with the line that is wrong."""
    text = read_text(path)
    rows = _from_csv(text) if Path(path).suffix.lower() == ".csv" else _from_lines(text, path)
    for number, row in rows:
        if not any(name in row for name in ANSWERS):
            raise BadFile(f"{path}, line {number}: `answer` is missing; got {', '.join(map(str, row))}.")
    if not rows:
        raise BadFile(f"{path} holds no answers.")
    return [row for _, row in rows]


def _from_csv(text: str) -> list[tuple[int, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text))
    return [(reader.line_num, dict(row)) for row in reader]


def _from_lines(text: str, path: str | Path) -> list[tuple[int, dict[str, Any]]]:
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise BadFile(f"{path}, line {number}: each line is a JSON object with `answer`; got {line[:60]!r}.")
        rows.append((number, row))
    return rows


def _places(rows: Sequence[Mapping[str, Any]]) -> list[tuple[int, int, int] | None]:
    """Return in which course, phase and session each row answers; None where it does not say."""
    labels: dict[str, int] = {}
    found: list[tuple[int, int, int] | None] = []
    for row in rows:
        epoch, session = row.get("epoch", ""), str(row.get("session") or "")
        if epoch not in ("", None):
            if not str(epoch).isdecimal() or int(epoch) < 1:
                raise BadFile(f"`epoch` is a whole number from 1; got {epoch!r}.")
            found.append((0, 0, int(epoch) - 1))
        elif place := PLACE.search(session):
            found.append((int(place[1]), int(place[2]), int(place[3])))
        else:
            found.append((0, 0, labels.setdefault(session, len(labels))) if session else None)
    return found


def _answer(row: Mapping[str, Any]) -> Any:
    return next(row[name] for name in ANSWERS if name in row)


def _fitting(value: Any, ask: Ask) -> Any:
    """Read a text as the space wants it: as it stands, as JSON, as a line of numbers, or as a person would type it.

    True and false, and options that are numbers, may also have the form in which a bank gives right answers.
    """
    space = ask.space
    if space is None or not isinstance(value, str | bool | int | float):
        return value
    if not isinstance(value, str):
        return _as_in_banks(value, space)
    for reading in (str, loads, partial(_line, space), partial(_typed, space)):
        try:
            return space.check(_as_in_banks(reading(value), space))
        except (Invalid, ValueError):
            continue
    return value


def _as_in_banks(value: Any, space: Space) -> Any:
    """Return yes or no, or what happened, for true and false; an option for a number that is one; else the value."""
    try:
        if isinstance(value, bool):
            return space.outcome(value)
        if isinstance(value, int | float):
            return space.check(value)
    except Invalid:
        options = getattr(space, "options", ())
        return str(value) if str(value) in options else value
    return value


def _line(space: Space, text: str) -> Any:
    """Read shares as programs write them: "0.6", or "0.2 0.3 0.5" in the order of the alternatives."""
    numbers = [read_number(part, "Each of them") for part in text.replace(";", " ").split()]
    if space.whole is None:
        return numbers[0] if len(numbers) == 1 else text
    return dict(zip(getattr(space, space.alternatives), numbers, strict=True)) if space.alternatives else numbers


def _typed(space: Space, text: str) -> Any:
    if space.percent and space.whole is None and "%" not in text:
        # In a file 1 is certain, so 60 cannot be 60 %.
        raise Invalid("A probability in a file lies between 0 and 1, or has a percent sign.")
    return space.parse({"answer": text})


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `recorded:answers.jsonl`."""
    naming.allow()
    rows = read_rows(Path(naming.folder, Path(rest).expanduser()))
    return lambda: Recorded(rows, name=naming.name)
