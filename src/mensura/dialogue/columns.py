"""Columns: many records as arrays, one row per answer, so that ten million answers never become objects."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue.record import COUNTS, Answer, Record

Codes = NDArray[np.int64]


@dataclass(frozen=True)
class Columns:
    """The answers of many sessions; sessions and keys are written once and referred to by their place."""

    test: str
    sessions: Sequence[str]
    keys: Sequence[str]
    session: Codes
    """Of each answer: the place of its session in `sessions`."""
    key: Codes
    """Of each answer: the place of its key in `keys`."""
    value: NDArray[Any]
    """The answers: one number each, or one row each where an answer is several numbers; NaN where none was given."""
    tick: NDArray[np.float64]
    """When it was given."""
    status: NDArray[np.int8]
    """What became of it: a place in `COUNTS`; 0 is answered."""

    def __len__(self) -> int:
        return len(self.session)

    def take(self, rows: NDArray[Any]) -> "Columns":
        """Return the chosen answers, by places or by a mask, in the order given."""
        names = ("session", "key", "value", "tick", "status")
        return replace(self, **{name: getattr(self, name)[rows] for name in names})

    def record(self, session: int) -> Record:
        """Return the record of one session, by its place: for looking at it, not for looping over all."""
        rows = np.flatnonzero(self.session == session)
        answers = [
            Answer(
                number,
                "",
                self.keys[self.key[row]],
                "",
                value=self.value[row].tolist(),
                status=COUNTS[self.status[row]],
                tick=int(self.tick[row]) if np.isfinite(self.tick[row]) else 0,
            )
            for number, row in enumerate(rows, 1)
        ]
        return Record(self.test, {}, status="finished", answers=answers, session=self.sessions[session])


def columns_of(records: Iterable[Record]) -> Columns:
    """Gather the answers of records whose answers are all numbers, or all lists of equally many numbers."""
    sessions: list[str] = []
    keys: dict[str, int] = {}
    rows: list[tuple[int, int, Any, float, int]] = []
    test = ""
    for place, record in enumerate(records):
        test = record.test
        sessions.append(record.session)
        for answer in record.answers:
            key = keys.setdefault(answer.key, len(keys))
            value = answer.value if answer.status == "answered" else np.nan
            rows.append((place, key, value, float(answer.tick), COUNTS.index(answer.status)))
    session, key_codes, values, ticks, states = zip(*rows, strict=True) if rows else ((),) * 5
    width = max((np.size(value) for value in values), default=1)
    value = np.array([value if np.size(value) == width else [np.nan] * width for value in values], dtype=float)
    return Columns(
        test,
        sessions,
        list(keys),
        np.array(session, dtype=np.int64),
        np.array(key_codes, dtype=np.int64),
        value,
        np.array(ticks, dtype=float),
        np.array(states, dtype=np.int8),
    )
