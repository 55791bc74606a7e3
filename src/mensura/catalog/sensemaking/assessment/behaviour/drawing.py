"""Circles and centres beside the normative ones: Task 2's two-to-one boundaries, Task 3's centres on roads."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.mean import mean_estimate
from mensura.catalog.sensemaking.exam.model import Exam, LearningTask
from mensura.catalog.sensemaking.exam.place import GridPoint
from mensura.catalog.sensemaking.people.respondents import Respondents
from mensura.catalog.sensemaking.solving.normative import CIRCLE, solve
from mensura.stats.estimate import Estimate


@dataclass(frozen=True)
class DrawingError:
    """How far drawn centres lie from the normative ones, and how large circles are beside 1.4823 σ."""

    miles: Estimate
    radius_ratio: Estimate | None

    def as_json(self) -> dict[str, Any]:
        """Return the errors as JSON."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def drawing_errors(exam: Exam, respondents: Respondents) -> dict[int, DrawingError]:
    """Score circles (Task 2, straight distance) and centres (Task 3, distance along the roads), averaged per subject.

    A radius ratio of 1 is the circle that holds two thirds of the group's attacks; below 1 is drawn too tight.
    """
    solved = solve(exam)
    found: dict[int, DrawingError] = {}
    for number in (2, 3):
        task, data = exam.tasks.get(number), respondents.tasks.get(number)
        if not isinstance(task, LearningTask) or data is None or not np.isfinite(data.drawn).any():
            continue
        spreads = [solution.spreads or () for solution in solved[number]]
        best = np.array([[each.centre for each in trial] for trial in spreads], dtype=float)
        if number == 2:
            away = np.hypot(*np.moveaxis(data.drawn[..., :2] - best, -1, 0)) * exam.grid.miles_per_unit
            sigma = np.array([[each.sigma for each in trial] for trial in spreads], dtype=float)
            ratio = data.drawn[..., 2] / (CIRCLE * sigma)
            found[number] = DrawingError(_per_subject(away), _per_subject(ratio))
        else:
            found[number] = DrawingError(_per_subject(_road_errors(exam, task, data.drawn, best)), None)
    return found


def _road_errors(
    exam: Exam, task: LearningTask, drawn: NDArray[np.float64], best: NDArray[np.float64]
) -> NDArray[np.float64]:
    assert task.roads is not None
    network = exam.roads[task.roads]
    away = np.full(drawn.shape[:3], np.nan)
    for trial, kind in np.ndindex(*drawn.shape[1:3]):
        at = drawn[:, trial, kind, :2]
        known = np.flatnonzero(np.isfinite(at).all(axis=1))
        if len(known):
            places = [network.nearest(GridPoint(*at[subject].tolist())) for subject in known]
            miles = network.distances([GridPoint(*best[trial, kind].tolist())], places)[0]
            away[known, trial, kind] = miles * exam.grid.miles_per_unit
    return away


def _per_subject(values: NDArray[np.float64]) -> Estimate:
    own = [row[np.isfinite(row)].mean() for row in values.reshape(len(values), -1) if np.isfinite(row).any()]
    return mean_estimate(np.array(own))
