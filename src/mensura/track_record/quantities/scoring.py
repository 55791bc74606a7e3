"""Scoring of quantities: losses with intervals, whether bands hold what they claim, where truths fell."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.dialogue import Score
from mensura.errors import BadData, BadFile
from mensura.stats import Estimate, Scale
from mensura.track_record.calibration.question_mean import question_mean
from mensura.track_record.files.table import BadRow, refuse, skipped
from mensura.track_record.quantities.answer_file import Quantities
from mensura.track_record.quantities.coverage import (
    BandCoverage,
    FittedForm,
    Form,
    Pit,
    band_coverage,
    fit_form,
    pit_histogram,
)
from mensura.track_record.quantities.forecast import NORMALISED, Densities, QuantityForecast

FITTED = 500
"""The most forecasts of each person to which forms are fitted; the first ones."""


@dataclass(frozen=True)
class QuantityDiagnosis:
    """One forecaster of quantities."""

    name: str
    n: int
    losses: dict[str, Estimate]
    coverage: BandCoverage
    pit: Pit
    forms: dict[str, int] = field(default_factory=dict)
    """How many densities each functional form fits best, for probabilities of bins."""
    misfit: float = float("nan")
    """Mean information that the best form loses of what was said, in nats."""
    densities: Densities = NORMALISED

    @property
    def density_words(self) -> str:
        """How densities were scored; empty where none was."""
        return self.densities.words if "logarithmic_score" in self.losses else ""

    @property
    def words(self) -> str:
        """Return what the bands and the transforms show."""
        said = [self.coverage.words]
        if self.n >= 20 and self.pit.probability < 0.05:
            said.append(f"Truths do not fall evenly over the stated distributions (p = {self.pit.probability:.2g}).")
        return " ".join(said)

    def as_json(self) -> dict[str, Any]:
        """Return it as data."""
        told: dict[str, Any] = {
            "name": self.name,
            "n": self.n,
            "losses": {name: estimate.as_json() for name, estimate in self.losses.items()},
            "band": {
                "claimed": self.coverage.claimed,
                "outside": self.coverage.outside.as_json(),
                "probability": self.coverage.probability,
            },
            "pit": {
                "edges": self.pit.edges.tolist(),
                "counts": self.pit.counts.tolist(),
                "probability": self.pit.probability,
            },
            "words": self.words,
        }
        if self.density_words:
            told["density_scores"] = self.density_words
        if self.forms:
            told["fitted_forms"] = {"best": self.forms, "misfit": self.misfit}
        return told


@dataclass
class ScoredQuantities:
    """The scores of forecasts of quantities."""

    diagnoses: list[QuantityDiagnosis]
    bad: list[BadRow] = field(default_factory=list)
    unresolved: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """The losses and scores that anyone has."""
        return list(dict.fromkeys(name for one in self.diagnoses for name in one.losses))

    def remarks(self) -> list[str]:
        """Return what was left out, and what must be known beside the numbers."""
        waiting = f"{self.unresolved} forecasts are about quantities that are not known, or planned to be known later."
        return [*skipped(self.bad), *([waiting] if self.unresolved else []), *self.notes]

    def as_json(self) -> dict[str, Any]:
        """Return everything as data."""
        return {
            "forecasters": [diagnosis.as_json() for diagnosis in self.diagnoses],
            "skipped": {"bad_rows": len(self.bad), "unresolved": self.unresolved},
            "notes": self.notes,
        }


def score_quantities(
    read: Quantities, *, skip_bad: bool = False, densities: Densities = NORMALISED
) -> ScoredQuantities:
    """Diagnose every forecaster of quantities; bad rows are refused with their names unless they may be skipped."""
    if read.bad and not skip_bad:
        raise refuse(read.bad)
    if not read.forecasts:
        raise BadFile("There is nothing to score: no forecast is about a quantity whose value is known.")
    scored = ScoredQuantities([], read.bad, read.unresolved)
    told: dict[str, list[QuantityForecast]] = {}
    for forecast in read.forecasts:
        told.setdefault(forecast.forecaster, []).append(forecast)
    scored.diagnoses = [diagnose_quantities(told[name], densities=densities) for name in sorted(told)]
    if not read.scaled:
        scored.notes.append(
            "Losses are means in the quantities' own units; where units differ, give each question a scale in the "
            "file of outcomes."
        )
    for one in scored.diagnoses:
        if (found := one.losses.get("logarithmic_score")) is not None and np.isinf(found.value):
            scored.notes.append(
                f"{one.name} gave density 0 to a value that came, so the logarithmic score is minus infinity. Read the "
                "quadratic score; for values within the bins --floor 0.01 bounds the logarithm."
            )
    return scored


def diagnose_quantities(
    forecasts: Sequence[QuantityForecast], *, densities: Densities = NORMALISED
) -> QuantityDiagnosis:
    """Return all that can be said of one forecaster of quantities.

    Revisions of one question stand together. Losses are averages over revisions by their shares; whether bands hold,
    and where truths fell, is told of the first forecast on each question.
    """
    opening = [forecast.opening() for forecast in forecasts if np.any(forecast.first)]
    claims = np.unique(_joined([forecast.claimed for forecast in opening]).round(9))
    if len(claims) > 1:
        shown = ", ".join(f"{100 * claim:g} %" for claim in claims)
        raise BadData(f"{forecasts[0].forecaster} states bands of {shown}; score those of one width at a time.")
    rows = [forecast.losses(densities=densities) for forecast in forecasts]
    names = [name for name in rows[0] if all(name in row for row in rows)]
    declared = {name: declared_loss(name) for name in names}
    # Single forecasts come after the one that they revise.
    place = np.cumsum([np.all(forecast.first) for forecast in forecasts]) - 1
    about = [
        place[i] if isinstance(forecast.question, str) else forecast.question for i, forecast in enumerate(forecasts)
    ]
    index = np.unique(_joined(about), return_inverse=True)[1]
    losses = {}
    for name, one in declared.items():
        shares = _joined([row[name] * forecast.share for row, forecast in zip(rows, forecasts, strict=True)])
        losses[name] = question_mean(np.bincount(index, weights=shares).astype(float), scale=Scale(one.low, one.high))
    lows, highs = (_joined(ends) for ends in zip(*(forecast.band() for forecast in opening), strict=True))
    truths = _joined([forecast.outcome for forecast in opening])
    coverage = band_coverage(low=lows, high=highs, claimed=float(claims[0]), outcome=truths)
    transforms = _joined([forecast.transform() for forecast in opening])
    pit = pit_histogram(transforms, cells=[forecast.cells()[1] for forecast in opening])
    forms, misfit = _forms(opening)
    who = forecasts[0].forecaster
    return QuantityDiagnosis(who, len(truths), losses, coverage, pit, forms, misfit, densities)


def _joined(parts: Iterable[ArrayLike]) -> NDArray[Any]:
    return np.concatenate([np.atleast_1d(part) for part in parts])


def declared_loss(name: str) -> Score:
    """Declare what a forecast of a quantity earns: losses are better when small and never negative."""
    return Score(name, better="less", low=0) if name.endswith("loss") else Score(name, better="more")


def _forms(forecasts: Sequence[QuantityForecast]) -> tuple[dict[str, int], float]:
    """Fit functional forms to probabilities of bins, and count which fits best."""
    best: list[FittedForm] = []
    told = [one for one in forecasts if one.form == "bins" and one.whole and one.values.shape[-1] > 3]
    rows = (row for one in told for row in zip(np.atleast_2d(one.values), np.atleast_2d(one.levels), strict=True))
    for values, levels in islice(rows, FITTED):
        forms: tuple[Form, ...] = ("normal", "logistic", "lognormal") if values[1] > 0 else ("normal", "logistic")
        fits = [fit_form(masses=np.diff(levels), edges=values, form=form) for form in forms]
        best.append(min(fits, key=lambda fit: fit.misfit))
    counts = {form: sum(fit.form == form for fit in best) for form in ("normal", "logistic", "lognormal")}
    misfit = float(np.mean([fit.misfit for fit in best])) if best else float("nan")
    return {form: count for form, count in counts.items() if count}, misfit
