"""Pupil: what a person who trains has answered so far, in this session and in those before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.forecasting.lesson import LaterLesson, Lesson
from mensura.dialogue import PromptLike, Record, TableView, prompt_text
from mensura.track_record.calibration.realism import Realism, fit_realism, shrink
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.calibration.validity import validity
from mensura.track_record.calibration.verdict import judge

FEWEST = 10
"""So many answers before a realism function is shown; with fewer it says nothing."""


@dataclass(frozen=True)
class Answered:
    """One answer whose truth the person has been told."""

    stated: tuple[float, ...]
    outcome: int
    points: float
    sitting: int
    """The session it was given in, from 1."""
    lap: int = 1
    """The round of that session."""


class Pupil:
    """Keeps the answers of a person, session after session, and draws lessons from them.

    >>> pupil = Pupil()
    >>> pupil.learn({"a": 0.8, "b": 0.2}, "a", 47.0).text()
    'The answer is a: you gave it 80% and get +47 points, +47 together.'
    >>> Pupil(pupil.state()).sitting
    2
    """

    def __init__(self, state: Mapping[str, Any] | None = None) -> None:
        self.all = [Answered(tuple(stated), *rest) for stated, *rest in (state or {}).get("answers", ())]
        self.asked: list[str] = list((state or {}).get("asked", ()))
        """Questions of sets from files that were asked already."""
        self.before = len(self.all)
        self.sitting = 1 + max((answer.sitting for answer in self.all), default=0)
        self.lap = 1

    def state(self) -> dict[str, Any]:
        """Return all that the next session needs to know."""
        answers = [
            [list(answer.stated), answer.outcome, round(answer.points, 3), answer.sitting] for answer in self.all
        ]
        return {"answers": answers, "asked": self.asked}

    @property
    def total(self) -> float:
        """Points of this session."""
        return sum(answer.points for answer in self.all[self.before :])

    def learn(self, answer: Mapping[str, float], truth: str, points: float, *, explain: bool = True) -> Lesson:
        """Take one answer into the record and say what can be learned by now."""
        self.note(answer, truth, points)
        here = len(self.all) - self.before
        told: dict[str, Any] = {"truth": truth, "given": answer[truth], "points": points, "total": self.total}
        told |= {"answers": here} | (self._running() if explain else {})
        if not self.before:
            return Lesson(**told)
        return LaterLesson(**told, sitting=self.sitting, before=self.before)

    def note(self, answer: Mapping[str, float], truth: str, points: float) -> None:
        """Take one answer into the record."""
        stated = tuple(float(value) for value in answer.values())
        self.all.append(Answered(stated, list(answer).index(truth), points, self.sitting, self.lap))

    def greet(self) -> PromptLike | None:
        """Return where the person stands before a further session; None in the first."""
        if not self.before:
            return None
        words = f"This is your session {self.sitting}. So far: {self._realism(self.all)}"
        return [words, self.history()]

    def sum_up(self, *, last: bool = False) -> str:
        """End a round: say what it paid, how realistic it was, and how realistic all of them were together."""
        here = self.all[self.before :]
        round_ = [answer for answer in here if answer.lap == self.lap]
        words = [f"Your total: {self.total:+.0f} points.", self._realism(here)]
        if self.lap > 1:
            paid = sum(answer.points for answer in round_)
            words = [f"Round {self.lap}: {paid:+.0f} points, {self.total:+.0f} in all rounds."]
            words += [f"This round: {self._realism(round_)}", f"All rounds: {self._realism(here)}"]
        self.lap += 1
        if last and self.before:
            words.append(f"All {self.sitting} sessions: {self._realism(self.all)}")
        return " ".join(words).strip()

    def history(self) -> TableView:
        """Tabulate the sessions: answers, points per answer, slope with its interval, and what may be said."""
        rows = []
        for number in range(1, self.sitting + 1):
            own = [answer for answer in self.all if answer.sitting == number]
            if own:
                line = fit_realism(sheet_of(own)) if len(own) >= FEWEST else None
                paid = sum(answer.points for answer in own) / len(own)
                rows.append((str(number), str(len(own)), f"{paid:+.1f}", *_said(line)))
        return TableView(
            ("no.", "answers", "points", "slope", "bias"), rows, title="Your sessions, with points per answer"
        )

    def _realism(self, answers: Sequence[Answered]) -> str:
        if len(answers) < FEWEST:
            return f"{len(answers)} answers are too few to speak of realism." if answers else ""
        return judge(fit_realism(sheet_of(answers))).words

    def _running(self) -> dict[str, Any]:
        if len(self.all) < FEWEST:
            return {}
        sheet = sheet_of(self.all)
        line = fit_realism(sheet)
        if np.isnan(line.a):
            return {"words": judge(line).words}
        graph = validity(sheet.points(), bins=5)
        dots = np.stack([graph.stated, graph.frequency, graph.count], axis=1).round(4).tolist()
        careful = shrink(line)
        return {
            "slope": round(line.a, 4),
            "intercept": round(line.b, 4),
            "words": f"{judge(line).words} Drawn towards realism for the few answers: slope {careful.a:.2f}.",
            "dots": dots,
        }


def sheet_of(answers: Sequence[Answered]) -> Sheet:
    """Make a sheet of answers."""
    return Sheet.of_answers((answer.stated, answer.outcome) for answer in answers)


def carry(saved: Mapping[str, Any] | None, record: Record, truths: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what the next session of the same person begins with: this session's `saved` and its answers.

    Only what the person has been told goes on: without feedback nothing does.
    """
    if not record.parameters.get("feedback", True):
        return None if saved is None else dict(saved)
    pupil = Pupil(saved)
    from_file = record.parameters["questions"] not in ("urns", "almanac", "quantities")
    for answer in record.answers:
        if answer.status != "answered" or answer.kind != "stakes" or truths.get(answer.key) is None:
            continue
        content = record.content(answer.number) or {}
        pay = _pay(answer.value, truths[answer.key], content.get("space"))
        pupil.note(answer.value, truths[answer.key], pay)
        if from_file:
            pupil.asked.append(prompt_text(content.get("prompt", "")))
    return pupil.state()


def _pay(value: Mapping[str, float], truth: str, space: Mapping[str, Any] | None) -> float:
    from mensura.catalog.forecasting.stakes import Stakes

    told = {name: space[name] for name in ("points", "floor") if name in space} if space else {}
    return Stakes(tuple(value), **told).pay(value)[truth]


def _said(line: Realism | None) -> tuple[str, str]:
    if line is None or np.isnan(line.a):
        return "unknown", "too few answers" if line is None else "all alike"
    return line.slope, judge(line).bias
