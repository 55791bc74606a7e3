"""Growing: the four numbers of understanding along the course, wherever a test that gives them was a probe of it."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from mensura.exhibit import Exhibit
from mensura.exhibit.band import band
from mensura.running.adaptivity.gathering import Floats, course_means
from mensura.running.adaptivity.levels import CourseLevels
from mensura.running.adaptivity.tasks import WAYS
from mensura.stats import Scale
from mensura.stats.adaptivity import PARTS, course_difference, understanding
from mensura.stats.wording import several

GROWTH = (
    "Predict: proper scores of forecasts. Achieve: goals reached with and without the phenomenon. Explain: its causal "
    "graph and answers to interventions. Recreate: its parameters or program, run on new starts. Each goes from 0, the "
    "best of those who do not know the phenomenon, to 1, the truth; means over courses are taken before they are held "
    "within 0 and 1, and the four are never made one. Growth is the last probe minus the first, as "
    "they are shown, of the same courses."
)


def growths(levels: CourseLevels) -> Iterator[Exhibit]:
    """Show the four numbers after each stretch of training, and what they grew by."""
    for one in levels.subjects:
        for way, frozen in WAYS.items():
            placed = [probe for probe in one.placed(frozen=frozen) if probe.taken.parts]
            for task in dict.fromkeys(probe.taken.task for probe in placed):
                rows: list[list[Any]] = []
                points: list[dict[str, Any]] = []
                along: list[dict[str, Any]] = []
                for probe in [each for each in placed if each.taken.task == task]:
                    numbers: dict[str, Any] = {part: course_means(probe.taken.parts[part]) for part in PARTS}
                    if np.isnan(np.stack(list(numbers.values()))).all():
                        continue
                    found = understanding(**numbers)
                    along.append(numbers)
                    rows.append([probe.sessions, *(getattr(found, part) for part in PARTS)])
                    points += [
                        {"x": probe.sessions, "series": part, "estimate": getattr(found, part)} for part in PARTS
                    ]
                if not rows:
                    continue
                words = f"After {several(rows[-1][0], 'session')} of training: {found.sentence} {GROWTH}"
                if len(along) > 1:
                    rows.append(["growth", *(_grown(along, part, paired=not one.grouped) for part in PARTS)])
                yield Exhibit(
                    f"Understanding of {task} along the course: {one.cell.name}, probed {way}",
                    words,
                    ("sessions of training", *PARTS),
                    rows,
                    [band(points, x="sessions of training", y="from 0 to 1", words=f"The four numbers of {task}.")],
                    kind=f"Understanding of {task} along the course, probed {way}",
                    of=one.cell.name,
                )


def _grown(along: list[dict[str, Any]], part: str, *, paired: bool) -> Any:
    last, first = (_held(numbers[part]) for numbers in (along[-1], along[0]))
    return course_difference(last, first, paired=paired, scale=Scale(0, 1))


def _held(values: Floats) -> Floats:
    """Return numbers of courses about the mean that is shown of them, which lies from 0 to 1."""
    mean = float(np.nanmean(values)) if not np.isnan(values).all() else np.nan
    held: Floats = values - mean + np.clip(mean, 0, 1)
    return held
