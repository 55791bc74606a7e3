"""Diagnosis: all that can be said of one forecaster, with the numbers behind it."""

from dataclasses import dataclass, field
from math import isnan
from typing import Any

import numpy as np
from numpy.random import Generator

from mensura.catalog.forecasting.calibration.correction import FLOOR, correct
from mensura.catalog.forecasting.calibration.discrimination import Discrimination, discriminate
from mensura.catalog.forecasting.calibration.loss import Loss, losses
from mensura.catalog.forecasting.calibration.monotone import (
    Decomposition,
    correct_monotone,
    decompose,
    fit_monotone,
)
from mensura.catalog.forecasting.calibration.murphy import Murphy, murphy
from mensura.catalog.forecasting.calibration.realism import Realism, fit_realism, shrink
from mensura.catalog.forecasting.calibration.resampling import resampled_means
from mensura.catalog.forecasting.calibration.sheet import Indices, Sheet
from mensura.catalog.forecasting.calibration.total import Total, expected_total
from mensura.catalog.forecasting.calibration.verdict import Verdict, judge
from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule, rule
from mensura.stats import Estimate, record_generator

TEN_BINS = np.linspace(0, 1, 11)


@dataclass(frozen=True)
class Options:
    """How forecasters are scored: the rule, the floor of corrected values, how many resamples."""

    rule: Rule = field(default_factory=lambda: rule("log"))
    floor: float = FLOOR
    draws: int = 1000
    beside: tuple[Rule, ...] = field(default_factory=lambda: (rule("log"), rule("quadratic")))
    """Rules whose scores stand beside the chosen one."""
    work: float = 2e8


@dataclass(frozen=True)
class Diagnosis:
    """One forecaster: scores, realism, losses, information, tail, and what may be said in words."""

    name: str
    n: int
    score: Estimate
    scores: dict[str, Estimate]
    coverage: float
    """Mean share of the questions' time that had a forecast; NaN where times are unknown."""
    realism: Realism
    shrunk: Realism
    loss: Loss
    monotone: Loss
    """The same by the log-safe isotonic curve in place of the straight line."""
    total: Total
    verdict: Verdict
    murphy: Murphy
    corp: Decomposition
    discrimination: Discrimination
    clipped: int
    impossible: int
    """Questions on which what happened had been given probability zero."""
    scored: Sheet
    calibrated: Sheet

    def question_scores(self, each: Rule) -> tuple[Indices, Floats]:
        """Give the questions, in order of their numbers, and the score of each."""
        questions, scores = np.unique(self.scored.questions), _per_question(self.scored, each)
        return questions, scores if not self.scored.independent else scores[np.argsort(self.scored.questions)]

    def as_json(self) -> dict[str, Any]:
        """Give the diagnosis as data; unknown numbers are None, infinite ones stay."""
        return {
            "name": self.name,
            "n": self.n,
            "score": self.score.as_json(),
            "scores": {name: estimate.as_json() for name, estimate in self.scores.items()},
            "coverage": _plain(self.coverage),
            "realism": _line(self.realism) | {"points": self.realism.n, "shrunk": _line(self.shrunk)},
            "labelling_loss": _plain(self.loss.labelling),
            "sorting_loss": _plain(self.loss.sorting),
            "perceived_information": _plain(self.loss.perceived_information),
            "actual_information": _plain(self.loss.actual_information),
            "tail_probability": _plain(self.total.tail),
            "tail_error": _plain(self.total.error),
            "tail_method": self.total.method,
            "expected_total": {
                "observed": _plain(self.total.observed),
                "mean": _plain(self.total.mean),
                "variance": _plain(self.total.variance),
                "low": _plain(self.total.low),
                "high": _plain(self.total.high),
            },
            "log_likelihood_ratio": _plain(self.loss.log_likelihood_ratio),
            "monotone": {
                "labelling_loss": _plain(self.monotone.labelling),
                "sorting_loss": _plain(self.monotone.sorting),
                "actual_information": _plain(self.monotone.actual_information),
            },
            "murphy": {
                "reliability": _plain(self.murphy.reliability),
                "resolution": _plain(self.murphy.resolution),
                "uncertainty": _plain(self.murphy.uncertainty),
                "within": _plain(self.murphy.within),
            },
            "corp": {
                "miscalibration": _plain(self.corp.miscalibration),
                "discrimination": _plain(self.corp.discrimination),
                "uncertainty": _plain(self.corp.uncertainty),
            },
            "discrimination": {
                "separation": _plain(self.discrimination.separation),
                "area": self.discrimination.area.as_json(),
            },
            "bias": self.verdict.bias,
            "words": self.verdict.words,
            "clipped": self.clipped,
            "impossible_that_happened": self.impossible,
        }


def diagnose(
    scored: Sheet,
    calibrated: Sheet | None = None,
    *,
    name: str = "all",
    options: Options | None = None,
    coverage: float = float("nan"),
    rng: Generator | None = None,
) -> Diagnosis:
    """Say all that can be said of one forecaster.

    Parameters
    ----------
    scored : Sheet
        What is scored, with shares of time where forecasts were revised.
    calibrated : Sheet, optional
        The forecasts standing at scheduled moments; the scored sheet where there is no schedule.
    name : str
        Who it is.
    options : Options, optional
        Rule, floor, resamples.
    coverage : float
        Mean share of time covered, for the record.
    rng : numpy.random.Generator, optional
        Where the resamples come from; made from the scores themselves where it is not given.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> stated = rng.random(200)
    >>> print(diagnose(Sheet.binary(stated, rng.random(200) < stated)).verdict.bias)
    none shown
    """
    options = options or Options()
    calibrated = calibrated if calibrated is not None and len(calibrated) else scored
    rules = {options.rule.name: options.rule} | {each.name: each for each in options.beside}
    columns = np.stack([_per_question(scored, each) for each in rules.values()], axis=1)
    estimates = resampled_means(columns, rng=rng or record_generator(columns), draws=options.draws)
    line = fit_realism(calibrated)
    corrected = correct(scored, line, floor=options.floor)
    points = calibrated.points()
    curve = fit_monotone(points)
    return Diagnosis(
        name=name,
        n=len(columns),
        score=estimates[0],
        scores=dict(zip(rules, estimates, strict=True)),
        coverage=coverage,
        realism=line,
        shrunk=shrink(line),
        loss=losses(scored, corrected.sheet),
        monotone=losses(scored, correct_monotone(scored, curve, floor=options.floor).sheet),
        total=expected_total(scored, options.rule, work=options.work),
        verdict=judge(line),
        murphy=murphy(points, edges=TEN_BINS if _many_levels(points.stated) else None),
        corp=decompose(points, curve),
        discrimination=discriminate(points),
        clipped=corrected.clipped,
        impossible=_impossible(scored),
        scored=scored,
        calibrated=calibrated,
    )


def _per_question(sheet: Sheet, each: Rule) -> Floats:
    scores = sheet.scores(each)
    if sheet.independent:
        return scores
    shares = np.where(sheet.weights > 0, scores * sheet.weights, 0.0)
    return np.bincount(sheet.clusters.index, weights=shares).astype(float)


def _many_levels(stated: Floats) -> bool:
    sample = stated[:: max(1, len(stated) // 5000)]
    return len(np.unique(sample)) > 101


def _impossible(sheet: Sheet) -> int:
    count = 0
    for block in sheet:
        given = np.take_along_axis(block.probabilities, block.outcomes[:, np.newaxis], axis=1)[:, 0]
        count += len(np.unique(block.questions[given == 0]))
    return count


def _line(line: Realism) -> dict[str, Any]:
    return {"a": _plain(line.a), "b": _plain(line.b), "a_se": _plain(line.a_se), "b_se": _plain(line.b_se)}


def _plain(value: float) -> float | None:
    return None if isnan(value) else float(value)
