"""Diagnosis: all that can be said of one forecaster, with the numbers behind it."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule, rule
from mensura.stats import Estimate
from mensura.track_record.calibration.correction import FLOOR, correct
from mensura.track_record.calibration.discrimination import Discrimination, discriminate
from mensura.track_record.calibration.loss import LossParts, losses
from mensura.track_record.calibration.monotone import Decomposition, correct_monotone, decompose, fit_monotone
from mensura.track_record.calibration.murphy import Murphy, murphy
from mensura.track_record.calibration.question_mean import question_mean, scale_of_rule
from mensura.track_record.calibration.realism import Realism, fit_realism, shrink
from mensura.track_record.calibration.sheet import Indices, Sheet
from mensura.track_record.calibration.total.total import Total, expected_total
from mensura.track_record.calibration.verdict import Verdict, judge

TEN_BINS = np.linspace(0, 1, 11)


@dataclass(frozen=True)
class DiagnosisOptions:
    """How forecasters are scored: the rule, and the floor of corrected values."""

    rule: Rule = field(default_factory=lambda: rule("log"))
    floor: float = FLOOR
    beside: tuple[Rule, ...] = field(default_factory=lambda: (rule("log"), rule("quadratic")))
    """Rules whose scores are shown beside the chosen one."""
    work: float = 2e8

    @classmethod
    def named(cls, name: str, *, floor: float | None = None, normalised: bool = False) -> "DiagnosisOptions":
        """Choose a rule by its name; of the rules only the logarithm has a floor, corrected values always have one."""
        log = rule("log", floor=floor or 0.0, normalised=normalised)
        chosen = log if name == "log" else rule(name, normalised=normalised)
        return cls(chosen, floor or FLOOR, (log, rule("quadratic")))


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
    loss: LossParts
    monotone: LossParts
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
        """Return the questions, in order of their numbers, and the score of each."""
        questions, scores = np.unique(self.scored.questions), _per_question(self.scored, each)
        return questions, scores if not self.scored.independent else scores[np.argsort(self.scored.questions)]

    def as_json(self) -> dict[str, Any]:
        """Return the diagnosis as data; unknown numbers are NaN."""
        loss, total = self.loss, self.total
        return {
            "name": self.name,
            "n": self.n,
            "score": self.score.as_json(),
            "scores": {name: estimate.as_json() for name, estimate in self.scores.items()},
            "coverage": self.coverage,
            "realism": _line(self.realism) | {"points": self.realism.n, "shrunk": _line(self.shrunk)},
            "labelling_loss": loss.labelling,
            "sorting_loss": loss.sorting,
            "perceived_information": loss.perceived_information,
            "actual_information": loss.actual_information,
            "tail_probability": total.tail,
            "tail_error": total.error,
            "tail_method": total.method,
            "expected_total": _parts(total, "observed", "mean", "variance", "low", "high"),
            "log_likelihood_ratio": loss.log_likelihood_ratio,
            "monotone": {
                "labelling_loss": self.monotone.labelling,
                "sorting_loss": self.monotone.sorting,
                "actual_information": self.monotone.actual_information,
            },
            "murphy": _parts(self.murphy, "reliability", "resolution", "uncertainty", "within"),
            "corp": _parts(self.corp, "miscalibration", "discrimination", "uncertainty"),
            "discrimination": {
                "separation": self.discrimination.separation,
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
    first: Sheet | None = None,
    *,
    name: str = "all",
    options: DiagnosisOptions | None = None,
    coverage: float = float("nan"),
) -> Diagnosis:
    """Return all that can be said of one forecaster.

    What is `scored` has shares of the planned time where forecasts have times; `calibrated` are the forecasts standing
    at scheduled moments, and `first` those made first on each question that is over, for the tail. The scored sheet
    takes their place where there is no schedule, and where nothing was revised.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> stated = rng.random(200)
    >>> print(diagnose(Sheet.binary(stated, rng.random(200) < stated)).verdict.bias)
    none shown
    """
    options = options or DiagnosisOptions()
    calibrated = calibrated if calibrated is not None and len(calibrated) else scored
    estimates = estimate_scores(scored, options)
    line = fit_realism(calibrated)
    corrected = correct(scored, line, floor=options.floor)
    points = calibrated.points().in_order()
    curve = fit_monotone(points)
    return Diagnosis(
        name=name,
        n=scored.clusters.count,
        score=estimates[options.rule.name],
        scores=estimates,
        coverage=coverage,
        realism=line,
        shrunk=shrink(line),
        loss=losses(scored, corrected.sheet),
        monotone=losses(scored, correct_monotone(scored, curve, floor=options.floor).sheet),
        total=expected_total(scored if first is None else first, options.rule, work=options.work),
        verdict=judge(line),
        murphy=murphy(points, edges=TEN_BINS if _many_levels(points.stated) else None),
        corp=decompose(points, curve),
        discrimination=discriminate(points),
        clipped=corrected.clipped,
        impossible=_impossible(scored),
        scored=scored,
        calibrated=calibrated,
    )


def estimate_scores(scored: Sheet, options: DiagnosisOptions) -> dict[str, Estimate]:
    """Return the mean score per question by the chosen rule, and by the other ones shown."""
    rules = {options.rule.name: options.rule} | {each.name: each for each in options.beside}
    alternatives = {block.probabilities.shape[1] for block in scored}
    return {
        name: question_mean(_per_question(scored, each), scale=scale_of_rule(each, alternatives=alternatives))
        for name, each in rules.items()
    }


def _per_question(sheet: Sheet, each: Rule) -> Floats:
    scores = sheet.scores(each)
    if any(block.weights is not None for block in sheet):
        scores = scores * sheet.weights
    return scores if sheet.independent else np.bincount(sheet.clusters.index, weights=scores).astype(float)


def _many_levels(stated: Floats) -> bool:
    sample = stated[:: max(1, len(stated) // 5000)]
    return len(np.unique(sample)) > 101


def _impossible(sheet: Sheet) -> int:
    given = ((np.take_along_axis(each.probabilities, each.outcomes[:, np.newaxis], axis=1), each) for each in sheet)
    return len(np.unique(np.concatenate([block.questions[chance[:, 0] == 0] for chance, block in given])))


def _line(line: Realism) -> dict[str, Any]:
    return _parts(line, "a", "b", "a_se", "b_se", "low", "high")


def _parts(whole: Any, *names: str) -> dict[str, Any]:
    return {name: float(getattr(whole, name)) for name in names}
