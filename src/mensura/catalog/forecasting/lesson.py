"""Lesson: what a forecaster is told after an answer, with how realistic the answers have been so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from mensura.dialogue import Prompt


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
    intercept: float | None = None
    words: str = ""
    dots: Sequence[Sequence[float]] = ()
    """Points of the external validity graph: stated, frequency, count."""

    def text(self) -> str:
        paid = f"you gave it {self.given:.0%} and get {self.points:+.0f} points, {self.total:+.0f} together."
        return f"The answer is {self.truth}: {paid} {self.words}".strip()


@dataclass(frozen=True)
class LaterLesson(Lesson):
    """The same in a further session of the same person: the running record counts the earlier ones too."""

    kind: ClassVar[str] = "later_lesson"
    sitting: int = 2
    """Which of the person's sessions this is."""
    before: int = 0
    """Answers of earlier sessions."""
