"""Columns: records with their truths as arrays, one row per answer, so that ten million never become objects."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue.ask import SUBJECT
from mensura.dialogue.record import Answer, Record

Codes = NDArray[np.int64]
FILE_TIME = "time in its file"
"""The note by which an answer that was read from a file keeps its time: ticks are whole numbers."""


@dataclass(frozen=True)
class Columns:
    """Answers that share out one whole over equally many alternatives; subjects and keys are written once, by name."""

    value: NDArray[np.float64]
    """Of each answer: the shares of the alternatives."""
    subject: Codes
    """Of each answer: the place in `subjects` of who gave it."""
    key: Codes
    """Of each answer: the place in `keys` of what was asked."""
    time: NDArray[np.float64]
    """When each answer was given, in ticks of its session or in the unit of its file; NaN where unknown."""
    truth: Codes
    """Of each answer: the place of the alternative that is true."""
    subjects: Sequence[str] = ()
    keys: Sequence[str] = ()
    """Names of what was asked; empty where they are too many to be read."""
    options: Sequence[Sequence[str]] = ()
    """The alternatives of each key, where keys have names."""

    def __len__(self) -> int:
        return len(self.truth)

    def of(self, rows: NDArray[Any] | slice) -> "Columns":
        """Return the chosen answers, by places, by a mask or by a slice, in the order given."""
        arrays = ("value", "subject", "key", "time", "truth")
        return replace(self, **{name: getattr(self, name)[rows] for name in arrays})

    def records(self) -> list[tuple[Record, dict[str, Any]]]:
        """Return a record for each subject with its truths, as scoring is given them: to look at, not for millions."""
        made = []
        for place, subject in enumerate(self.subjects):
            record, truths = Record("", {}, {SUBJECT: subject}, "finished", session=subject), {}
            for number, row in enumerate(np.flatnonzero(self.subject == place)):
                key, options = self.keys[self.key[row]], self.options[self.key[row]]
                value = dict(zip(options, self.value[row].tolist(), strict=True))
                answer = Answer(number, SUBJECT, key, "distribution", value, "answered")
                answer.notes = {FILE_TIME: float(self.time[row])}
                record.answers.append(answer)
                truths[key] = options[self.truth[row]]
            made.append((record, truths))
        return made


def columns_of(records: Iterable[tuple[Record, Mapping[str, Any]]]) -> list[Columns]:
    """Gather the answers whose truth is known, by their number of alternatives; answers of other kinds are left out.

    The same content asked again is the same key, as far as the record knows where content is stored.

    >>> record = Record("", {}, {"subject": "Ann"}, answers=[
    ...     Answer(1, "subject", "rain", "distribution", {"yes": 0.7, "no": 0.3}, "answered")])
    >>> columns_of([(record, {"rain": "no"})])[0].truth
    array([1])
    """
    found: dict[int, list[tuple[Any, ...]]] = {}
    asked: dict[tuple[str, ...], list[str]] = {}
    for record, truths in records:
        for answer in record.answers:
            truth = truths.get(answer.key)
            if answer.status != "answered" or truth is None or not isinstance(answer.value, Mapping):
                continue
            ask = (record.addresses.get(answer.number, answer.key), *sorted(answer.value))
            options = asked.setdefault(ask, list(answer.value))
            shares = [answer.value[option] for option in options]
            subject = record.cast.get(answer.role, record.session)
            time = (answer.notes or {}).get(FILE_TIME, answer.tick)
            found.setdefault(len(options), []).append((shares, subject, ask, time, options.index(truth)))
    asks = {ask: place for place, ask in enumerate(sorted(asked))}
    subjects = sorted({row[1] for rows in found.values() for row in rows})
    whose = {name: place for place, name in enumerate(subjects)}
    names = subjects, [ask[0] for ask in asks], [asked[ask] for ask in asks]
    made = []
    for _, rows in sorted(found.items()):
        columns = [list(column) for column in zip(*rows, strict=True)]
        coded = [[whose[name] for name in columns[1]], [asks[ask] for ask in columns[2]], columns[4]]
        value, time = (np.array(column, dtype=float) for column in (columns[0], columns[3]))
        whom, what, true = (np.array(column, dtype=np.int64) for column in coded)
        made.append(Columns(value, whom, what, time, true, *names))
    return made
