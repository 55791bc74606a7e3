"""Transfer: what a learner gains in one kind of puzzles by lessons in another."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.kinds.kind import Explanation
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.solvers.apprentice import Apprentice
from mensura.stats import Estimate, unit_estimate

LESSONS, PROBES = 12, 12
LESSON, PROBE = 0, 1
HOW = (
    f"Gain in accuracy of the apprentice, who starts anew in every course: {PROBES} puzzles of one kind are answered "
    f"with and without {LESSONS} lessons with feedback in another. Intervals are 95 % (t) over courses, "
    "each for its own cell: of many cells some exclude 0 by chance."
)
Solved = tuple[Sequence[Explanation], Any]
"""What explains a puzzle, and its answer: what was learned decides which explanation is come to first."""


@dataclass(frozen=True)
class TransferMatrix:
    """Gains by lessons in each kind, in each kind."""

    kinds: tuple[str, ...]
    courses: int
    gains: dict[str, dict[str, Estimate]]
    """Kind of the lessons → kind of the probes → gain in accuracy."""

    def as_json(self) -> dict[str, Any]:
        """Return it by names, with how it was found."""
        cells = {
            taught: {probed: {"value": one.value, "low": one.low, "high": one.high} for probed, one in row.items()}
            for taught, row in self.gains.items()
        }
        return {"who": "apprentice", "courses": self.courses, "how": HOW, "gains": cells, "words": self.sentence}

    @property
    def found(self) -> list[tuple[str, str, Estimate]]:
        """The gains between two kinds that are told apart from none."""
        pairs = [(a, b, one) for a, row in self.gains.items() for b, one in row.items() if a != b]
        return [(a, b, one) for a, b, one in pairs if one.excludes(0)]

    @property
    def sentence(self) -> str:
        """Say how many gains between kinds exclude 0."""
        pairs = len(self.kinds) * (len(self.kinds) - 1)
        told = "; ".join(f"{a} to {b} {one.signed[0]} [{one.signed[1]}, {one.signed[2]}]" for a, b, one in self.found)
        return f"Of {pairs} gains between kinds {len(self.found)} exclude 0{': ' + told if told else ''}."

    def between(self, one: str, other: str) -> float:
        """Return the mean gain of two kinds from each other."""
        return (self.gains[one][other].value + self.gains[other][one].value) / 2


def transfer_matrix(
    kinds: Sequence[str], *, courses: int, seed: int = 2016, progress: Callable[[], None] = lambda: None
) -> TransferMatrix:
    """Teach apprentices every kind, and probe them in every kind, as often as there are courses."""
    names = tuple(name for name in kinds if name in Apprentice.attempts)
    gains = np.zeros((courses, len(names), len(names)))
    for course in range(courses):
        lessons = {name: _solved(name, LESSONS, [seed, course, LESSON]) for name in names}
        probes = {name: _solved(name, PROBES, [seed, course, PROBE]) for name in names}
        fresh = [_accuracy(Apprentice(), probes[name]) for name in names]
        for place, name in enumerate(names):
            learner = Apprentice()
            for found, answer in lessons[name]:
                learner.learn([one for one in found if one.answer == answer])
            gains[course, place] = [_accuracy(learner, probes[other]) for other in names]
            gains[course, place] -= fresh
        progress()
    cells = {
        taught: {probed: unit_estimate(gains[:, a, b], unit="course") for b, probed in enumerate(names)}
        for a, taught in enumerate(names)
    }
    return TransferMatrix(names, courses, cells)


def _solved(name: str, count: int, place: list[int]) -> list[Solved]:
    kind, reach = find_kind(name), 2 * Apprentice().patience
    found: list[Solved] = []
    for number in range(count):
        streams = (np.random.default_rng([*place, *name.encode(), number, stream]) for stream in (0, 1))
        item = make_item(kind, structure=next(streams), presentation=next(streams), order=ItemOrder(form="construct"))
        found.append((kind.explain(item.puzzle.shown, limit=reach).found, item.puzzle.answer))
    return found


def _accuracy(learner: Apprentice, probes: Sequence[Solved]) -> float:
    chosen = [(learner.chosen(found), answer) for found, answer in probes]
    return sum(bool(one is not None and one.answer == answer) for one, answer in chosen) / len(chosen)
