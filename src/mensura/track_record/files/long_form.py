"""The long form: one file of forecasts per alternative, one of outcomes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.dialogue import Columns
from mensura.dialogue.columns import Codes
from mensura.errors import BadFile
from mensura.scores.alternatives import SUM_TOLERANCE, Floats
from mensura.track_record.files.book import PROBABILITY_PROBLEMS, Book, codes, count, dictionary, floats, problems
from mensura.track_record.files.table import BadRow, LoadedFile, load

LABELS = ("area", "topic")
TIMES = ("opened", "closes", "resolved")
DRAWABLE = 20_000
"""Up to this number of questions are kept by name, for pictures of forecasts over time."""
NAMED = 1000
"""The number of bad rows of one kind that get a sentence each; the rest are counted."""


def read_long(forecasts: str | Path, outcomes: str | Path) -> Book:
    """Read `forecaster,question,option,probability[,time]` and `question,outcome[,opened,closes,resolved]`."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET TimeZone='UTC'")
    said = load(
        connection,
        forecasts,
        table="said",
        wanted=("forecaster", "question", "option", "probability"),
        optional=("time", "echelon"),
    )
    came = load(connection, outcomes, table="came", wanted=("question", "outcome"), optional=(*TIMES, *LABELS))
    dated = said.has_dates(connection, ("time",)) or came.has_dates(connection, TIMES)
    _judge_outcomes(connection, came, dated)
    _judge_forecasts(connection, said, dated)
    names = dictionary(connection, "judged_said", "forecaster")
    rows = _Rows.fetch(connection)
    bad = said.bad + came.bad + problems(connection, said.name, "judged_said")
    bad += problems(connection, came.name, "judged_came")
    drawn = "time" in said.columns and len(rows.outcome) <= DRAWABLE
    named: dict[str, Any] = {"subjects": names, **(_questions(connection) if drawn else {})}
    reading = _Reading(connection, said.name, named, rows, dated)
    book = reading.book()
    book.bad = sorted(bad + reading.bad)
    book.dated = dated
    for name in LABELS:
        if name in came.columns:
            book.labels[name] = _labels(connection, name)
    if "echelon" in said.columns:
        book.echelons = _echelons(connection, said.name)
    return book


def _labels(connection: Any, name: str) -> list[str]:
    rows = connection.execute(
        f"""SELECT coalesce(c.{name}, '') FROM question_codes q
        LEFT JOIN (SELECT * FROM judged_came WHERE nth = 1) c ON c.question = q.name ORDER BY q.code"""
    ).fetchall()
    return [label for (label,) in rows]


def _echelons(connection: Any, file: str) -> dict[str, str]:
    rows = connection.execute(
        """SELECT forecaster, echelon, min(row) AS first, min(min(row)) OVER (PARTITION BY echelon) AS opening
        FROM said WHERE forecaster IS NOT NULL AND echelon IS NOT NULL GROUP BY forecaster, echelon
        ORDER BY opening, first"""
    ).fetchall()
    echelons: dict[str, str] = {}
    for forecaster, echelon, _, _ in rows:
        if echelons.setdefault(forecaster, echelon) != echelon:
            raise BadFile(
                f"{file} files {forecaster!r} under the echelons {echelons[forecaster]!r} and {echelon!r}. "
                "Name the forecaster differently in each echelon."
            )
    return echelons


def _questions(connection: Any) -> dict[str, list[Any]]:
    """Return the names of the questions, and of the options of each."""
    rows = connection.execute(
        """SELECT q.name, list(o.option ORDER BY o.code) FROM question_codes q
        LEFT JOIN option_codes o ON o.question = q.name GROUP BY q.name, q.code ORDER BY q.code"""
    ).fetchall()
    return {"keys": [name for name, _ in rows], "options": [options or [] for _, options in rows]}


def _judge_outcomes(connection: Any, came: LoadedFile, dated: bool) -> None:
    """Mark outcomes that cannot be used; one that names no alternative is found by its code being missing."""
    connection.execute(
        f"""CREATE TEMP TABLE timed_came AS SELECT *,
        {", ".join(f"{came.moment(name, dated=dated)} AS {name}_at" for name in TIMES)},
        row_number() OVER (PARTITION BY question ORDER BY row) AS nth FROM came"""
    )
    connection.execute(
        f"""CREATE TEMP TABLE judged_came AS SELECT t.*, CASE
        WHEN question IS NULL THEN 'the question is empty'
        WHEN nth > 1 THEN 'question ''' || question || ''' appears a second time'
        {" ".join(map(came.unreadable, TIMES))}
        WHEN opened_at > resolved_at THEN 'question ''' || question || ''' is resolved before it opens'
        WHEN opened_at > closes_at THEN 'question ''' || question || ''' closes before it opens'
        WHEN outcome IS NOT NULL AND question IN (SELECT question FROM said)
             AND (question, outcome) NOT IN (SELECT question, option FROM said
                                             WHERE question IS NOT NULL AND option IS NOT NULL)
             THEN 'outcome ''' || outcome || ''' is not among the options of question ''' || question || ''''
        END AS problem FROM timed_came t"""
    )


def _judge_forecasts(connection: Any, said: LoadedFile, dated: bool) -> None:
    connection.execute(
        f"""CREATE TEMP TABLE judged_said AS SELECT s.*, {said.moment("time", dated=dated)} AS time_at,
        TRY_CAST(probability AS DOUBLE) AS p, NULL::VARCHAR AS problem FROM said s"""
    )
    missing_time = ""
    if "time" in said.columns and count(connection, "SELECT count(time) FROM said"):
        missing_time = "WHEN time IS NULL THEN 'the time is empty'"
    connection.execute(
        f"""UPDATE judged_said SET problem = CASE
        WHEN forecaster IS NULL THEN 'the forecaster is empty' WHEN question IS NULL THEN 'the question is empty'
        WHEN option IS NULL THEN 'the option is empty' {PROBABILITY_PROBLEMS}
        {said.unreadable("time")} {missing_time} END
        WHERE forecaster IS NULL OR question IS NULL OR option IS NULL OR p IS NULL OR isnan(p) OR p < 0 OR p > 1
        {"OR time_at IS NULL" if "time" in said.columns else ""}"""
    )


@dataclass(frozen=True)
class _Rows:
    """The rows of the forecast file as numbers, sorted by forecaster, question, time and option."""

    forecaster: Codes
    question: Codes
    option: Codes
    probability: Floats
    time: Floats
    number: Codes
    faulty: NDArray[np.bool_]
    outcome: Codes
    """Per question: code of the option that happened, -1 where there is none, -2 where it cannot be used."""
    options: Codes
    """Per question: how many alternatives it has."""
    times: tuple[Floats, Floats, Floats]
    """Per question: when it opened, was resolved, and was planned to end."""

    @classmethod
    def fetch(cls, connection: Any) -> "_Rows":
        dictionary(connection, "judged_said", "question")
        connection.execute(
            """CREATE TEMP TABLE option_codes AS SELECT question, option,
            row_number() OVER (PARTITION BY question ORDER BY option) - 1 AS code
            FROM (SELECT DISTINCT question, option FROM judged_said
                  WHERE question IS NOT NULL AND option IS NOT NULL)"""
        )
        rows = connection.execute(
            """SELECT s.row, f.code AS forecaster, q.code AS question, o.code AS option, p, time_at,
            problem IS NOT NULL AS faulty FROM judged_said s
            JOIN forecaster_codes f ON f.name = s.forecaster JOIN question_codes q ON q.name = s.question
            LEFT JOIN option_codes o ON o.question = s.question AND o.option = s.option
            ORDER BY f.code, q.code, time_at NULLS LAST, o.code NULLS FIRST, s.row"""
        ).fetchnumpy()
        questions = connection.execute(
            """SELECT q.code, count(*) OVER () AS total,
            CASE WHEN c.problem IS NOT NULL OR c.nth IS NULL AND c.question IS NOT NULL THEN -2
                 WHEN c.outcome IS NULL THEN -1 ELSE coalesce(o.code, -2) END AS outcome,
            n.options, c.opened_at, c.resolved_at, c.closes_at
            FROM question_codes q
            LEFT JOIN (SELECT * FROM judged_came WHERE nth = 1) c ON c.question = q.name
            LEFT JOIN option_codes o ON o.question = q.name AND o.option = c.outcome
            LEFT JOIN (SELECT question, count(*) AS options FROM option_codes GROUP BY question) n
              ON n.question = q.name
            ORDER BY q.code"""
        ).fetchnumpy()
        contested = connection.execute(
            """SELECT q.code FROM (SELECT question FROM judged_came GROUP BY question
            HAVING count(DISTINCT outcome) > 1) c JOIN question_codes q ON q.name = c.question"""
        ).fetchall()
        outcome = codes(questions["outcome"])
        outcome[[code for (code,) in contested]] = -2
        return cls(
            codes(rows["forecaster"]),
            codes(rows["question"]),
            codes(rows["option"]),
            floats(rows["p"]),
            floats(rows["time_at"]),
            codes(rows["row"]),
            np.ma.filled(np.ma.asarray(rows["faulty"]), True).astype(bool),
            outcome,
            np.maximum(codes(questions["options"]), 0),
            (floats(questions["opened_at"]), floats(questions["resolved_at"]), floats(questions["closes_at"])),
        )


class _Reading:
    """Turns sorted rows into pages, naming what is wrong with whole forecasts."""

    def __init__(self, connection: Any, file: str, named: dict[str, Any], rows: _Rows, dated: bool) -> None:
        self.connection, self.file, self.named, self.rows, self.dated = connection, file, named, rows, dated
        self.bad: list[BadRow] = []
        same = (np.diff(rows.forecaster) == 0) & (np.diff(rows.question) == 0)
        same &= (np.diff(rows.time) == 0) | (np.isnan(rows.time[1:]) & np.isnan(rows.time[:-1]))
        self.starts = np.flatnonzero(np.concatenate([[True], ~same])) if len(rows.question) else np.empty(0, np.int64)
        self.same = same

    def book(self) -> Book:
        rows, starts = self.rows, self.starts
        if not len(starts):
            return Book([], *rows.times)
        sizes = np.diff(np.append(starts, len(rows.question)))
        groups = np.repeat(np.arange(len(starts)), sizes)
        broken = np.logical_or.reduceat(rows.faulty, starts)
        twice = np.flatnonzero(self.same & (np.diff(rows.option) == 0)) + 1
        twice = twice[~rows.faulty[twice]]
        for i in twice[:NAMED]:
            self._say(i, self._twice(i))
        if len(twice) > NAMED:
            self._say(-1, f"and {len(twice) - NAMED:,} more that appear a second time")
        broken[groups[twice]] = True
        late = np.flatnonzero(rows.time[starts] > rows.times[1][rows.question[starts]])
        self._break(late, "were made after resolution", lambda i, group: self._late(i))
        broken[late] = True
        sums = np.add.reduceat(np.where(rows.faulty, 0.0, rows.probability), starts)
        off = np.flatnonzero(~broken & (np.abs(sums - 1) > SUM_TOLERANCE))
        whose = "probabilities of {} for question {} sum to {:.9g}, not 1"
        self._break(off, "do not sum to one", lambda i, group: whose.format(self._who(i), self._what(i), sums[group]))
        broken[off] = True
        named = {row.row for row in self.bad}
        outcome = rows.outcome[rows.question[starts]]
        lone = rows.options[rows.question[starts]] < 2
        alone = "question {} has a single option; two or more exclusive ones are needed"
        rest = "are about questions with a single option"
        self._break(np.flatnonzero(lone & ~broken), rest, lambda i, group: alone.format(self._what(i)))
        usable = ~broken & ~lone & (outcome >= 0)
        unresolved = int(sizes[~broken & ~lone & (outcome == -1)].sum())
        aside = ~usable & ~(~broken & ~lone & (outcome == -1))
        lost = aside[groups] & ~rows.faulty
        lost &= ~np.isin(rows.number, list(named))
        pages, implied = self._pages(usable, groups, sizes)
        book = Book(pages, *rows.times, latest=float(np.fmax.reduce(rows.time, initial=np.nan)))
        book.set_aside, book.unresolved, book.implied = int(lost.sum()), unresolved, implied
        return book

    def _pages(
        self, usable: NDArray[np.bool_], groups: NDArray[np.int64], sizes: NDArray[np.int64]
    ) -> tuple[list[Columns], int]:
        rows, starts = self.rows, self.starts
        widths = rows.options[rows.question[starts]]
        pages, implied = [], 0
        for width in np.unique(widths[usable]):
            chosen = usable & (widths == width)
            place = np.cumsum(chosen) - 1
            inside = chosen[groups]
            matrix = np.zeros((int(chosen.sum()), int(width)))
            matrix[place[groups[inside]], rows.option[inside]] = rows.probability[inside]
            first = starts[chosen]
            question = rows.question[first]
            columns = (matrix, rows.forecaster[first], question, rows.time[first], rows.outcome[question])
            pages.append(Columns(*columns, **self.named))
            implied += int((width - sizes[chosen]).sum())
        return pages, implied

    def _break(self, found: NDArray[np.int64], rest: str, words: Callable[[int, int], str]) -> None:
        """Return what is wrong with each of the forecasts found, up to a thousand, and how many more there are."""
        for group in found[:NAMED].tolist():
            i = self._first(group)
            self._say(i, words(i, group))
        if len(found) > NAMED:
            self._say(-1, f"and {len(found) - NAMED:,} more that {rest}")

    def _twice(self, i: int) -> str:
        when = "" if np.isnan(self.rows.time[i]) else " at the same time"
        return f"appears a second time{when}: forecaster {self._who(i)}, question {self._what(i)}"

    def _late(self, i: int) -> str:
        time, end = self._when(self.rows.time[i]), self._when(self.rows.times[1][self.rows.question[i]])
        return f"{self._who(i)} forecast after question {self._what(i)} was resolved ({time} is after {end})"

    def _first(self, group: Any) -> int:
        """Return the row of a forecast that stands first in the file."""
        end = self.starts[group + 1] if group + 1 < len(self.starts) else len(self.rows.number)
        return int(self.starts[group] + self.rows.number[self.starts[group] : end].argmin())

    def _when(self, moment: Any) -> str:
        if not self.dated:
            return f"{moment:g}"
        return str(np.datetime64(round(float(moment) * 86400), "s")).removesuffix("T00:00:00")

    def _say(self, i: Any, problem: str) -> None:
        self.bad.append(BadRow(self.file, int(self.rows.number[i]), problem))

    def _who(self, i: Any) -> str:
        return repr(self.named["subjects"][int(self.rows.forecaster[i])])

    def _what(self, i: Any) -> str:
        code = int(self.rows.question[i])
        found = self.connection.execute("SELECT name FROM question_codes WHERE code = ?", [code]).fetchone()
        return repr(found[0])
