"""Lesson: what a forecaster is told after an answer, with how realistic the answers have been so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mensura.catalog.forecasting.calibration.realism import fit_realism, shrink
from mensura.catalog.forecasting.calibration.sheet import Block, Sheet
from mensura.catalog.forecasting.calibration.validity import validity
from mensura.catalog.forecasting.calibration.verdict import judge
from mensura.dialogue import Prompt

FEWEST = 10
"""So many answers before a realism function is shown; with fewer it says nothing."""


@dataclass(frozen=True)
class Lesson(Prompt):
    """The truth, the points it paid, and the running record."""

    kind: ClassVar[str] = "lesson"
    page: ClassVar[Mapping[str, Any]] = {"package": __package__, "template": "lesson.html", "style": "lesson.css"}
    truth: str
    given: float
    """Probability given to what is true."""
    points: float
    total: float
    answers: int
    slope: float | None = None
    error: float | None = None
    intercept: float | None = None
    words: str = ""
    dots: Sequence[Sequence[float]] = ()
    """Points of the external validity graph: stated, frequency, count."""

    def text(self) -> str:
        paid = f"you gave it {self.given:.0%} and get {self.points:+.0f} points, {self.total:+.0f} together."
        return f"The answer is {self.truth}: {paid} {self.words}".strip()


class Pupil:
    """Keeps the answers of a session and draws lessons from them."""

    def __init__(self) -> None:
        self.rows: dict[int, list[tuple[list[float], int, int]]] = {}
        self.total = 0.0
        self.answers = 0
        self.laps: list[tuple[int, float]] = [(0, 0.0)]
        """Answers and points at the end of each round."""

    def learn(self, answer: Mapping[str, float], truth: str, points: float, *, explain: bool = True) -> Lesson:
        """Take one answer into the record and say what can be learned by now."""
        stated, outcome = list(answer.values()), list(answer).index(truth)
        self.rows.setdefault(len(stated), []).append((stated, outcome, self.answers))
        self.answers += 1
        self.total += points
        told: dict[str, Any] = {"truth": truth, "given": stated[outcome], "points": points}
        told |= {"total": self.total, "answers": self.answers}
        return Lesson(**told, **(self._running() if explain else {}))

    def sum_up(self) -> str:
        """End a round: say what it paid, how realistic it was, and how realistic all of them were together."""
        since, before = self.laps[-1]
        self.laps.append((self.answers, self.total))
        if len(self.laps) == 2:
            return f"Your total: {self.total:+.0f} points. {self._realism(0)}".strip()
        paid = f"Round {len(self.laps) - 1}: {self.total - before:+.0f} points, {self.total:+.0f} in all rounds."
        return f"{paid} This round: {self._realism(since)} All rounds: {self._realism(0)}"

    def _realism(self, since: int) -> str:
        if self.answers - since < FEWEST:
            return f"{self.answers - since} answers are too few to speak of realism." if self.answers else ""
        return judge(fit_realism(self.sheet(since))).words

    def sheet(self, since: int = 0) -> Sheet:
        """Give the answers so far, or those after the first so many, as a sheet."""
        blocks = []
        chosen = {width: [row for row in rows if row[2] >= since] for width, rows in self.rows.items()}
        for _, rows in sorted((width, rows) for width, rows in chosen.items() if rows):
            columns = [np.array(column) for column in zip(*rows, strict=True)]
            blocks.append(Block(columns[0].astype(float), columns[1], columns[2]))
        return Sheet(tuple(blocks))

    def _running(self) -> dict[str, Any]:
        if self.answers < FEWEST:
            return {}
        sheet = self.sheet()
        line = fit_realism(sheet)
        if np.isnan(line.a):
            return {"words": judge(line).words}
        graph = validity(sheet.points(), bins=5)
        dots = np.stack([graph.stated, graph.frequency, graph.count], axis=1).round(4).tolist()
        careful = shrink(line)
        return {
            "slope": round(line.a, 4),
            "error": None if np.isnan(line.a_se) else round(line.a_se, 4),
            "intercept": round(line.b, 4),
            "words": f"{judge(line).words} Drawn towards realism for the few answers: slope {careful.a:.2f}.",
            "dots": dots,
        }
