"""Which way judgements err: too little certainty (conservatism) or too much (over-weighting), task by task."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.assessment.cfa import SAME, regression
from mensura.catalog.sensemaking.assessment.mean import mean_estimate
from mensura.catalog.sensemaking.assessment.skill import normative_for
from mensura.catalog.sensemaking.exam.model import Exam, WaveTask
from mensura.catalog.sensemaking.people.respondents import Respondents
from mensura.catalog.sensemaking.solving.normative import given_stages
from mensura.stats.estimate import Estimate


@dataclass(frozen=True)
class Direction:
    """How certain some respondents are on one task beside the normative answer.

    `gap` is the mean of N_Q - N_P over a subject's stages, then over subjects: above 0 is conservatism.
    """

    gap: Estimate
    conservative: int
    overweighting: int
    stages: int

    @property
    def words(self) -> str:
        """Name the direction, where the interval leaves no doubt."""
        if np.isnan(self.gap.low):
            if abs(self.gap.value) <= SAME:
                return "neither"
            return "conservative" if self.gap.value > 0 else "over-weighting"
        if self.gap.low > 0:
            return "conservative"
        return "over-weighting" if self.gap.high < 0 else "neither clearly"

    def as_json(self) -> dict[str, Any]:
        """Return the direction as JSON."""
        return asdict(self) | {"words": self.words}


def directions(exam: Exam, respondents: Respondents) -> dict[int, Direction]:
    """Estimate for each of Tasks 1-6 which way respondents' judgements err."""
    found = {}
    for number, data in respondents.tasks.items():
        task = exam.tasks[number]
        if isinstance(task, WaveTask):
            continue
        normative = normative_for(exam, respondents, number)
        gaps = regression(data.stages, normative=normative)[:, :, given_stages(exam)[number] :]
        found[number] = _direction(gaps.reshape(len(gaps), -1))
    return found


def _direction(gaps: NDArray[np.float64]) -> Direction:
    known = np.isfinite(gaps)
    own = np.array([row[use].mean() if use.any() else np.nan for row, use in zip(gaps, known, strict=True)])
    own = own[np.isfinite(own)]
    middle = np.array(
        [column[use].mean() if use.any() else np.nan for column, use in zip(gaps.T, known.T, strict=True)]
    )
    return Direction(
        gap=mean_estimate(own),
        conservative=int((middle > SAME).sum()),
        overweighting=int((middle < -SAME).sum()),
        stages=int(np.isfinite(middle).sum()),
    )
