"""Do two models differ? Paired over the same resamples of people and trials."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from mensura.catalog.sensemaking.assessment.resampling import interval
from mensura.catalog.sensemaking.assessment.result import Assessment
from mensura.errors import BadParameter
from mensura.stats.estimate import Estimate

OVER = "people and trials"


@dataclass(frozen=True)
class ModelDifference:
    """CPA of the first model minus that of the second, over the same people and trials."""

    first: str
    second: str
    difference: Estimate

    @property
    def sentence(self) -> str:
        """Return whether they differ."""
        low, high = self.difference.low, self.difference.high
        if np.isnan(low):
            return f"Whether {self.first} and {self.second} differ in CPA is unknown: nothing was resampled."
        signed = self.difference.signed[0]
        if low <= 0 <= high:
            return (
                f"{self.first} and {self.second} do not differ in CPA beyond chance: "
                f"{signed} points, 95 % interval {self.difference.ends}."
            )
        better, worse = (self.first, self.second) if self.difference.value > 0 else (self.second, self.first)
        return (
            f"{better} comes nearer to people than {worse}: "
            f"{signed.lstrip('+-')} points of CPA, 95 % interval {self.difference.ends} "
            f"for {self.first} minus {self.second}."
        )

    def as_json(self) -> dict[str, Any]:
        """Return the difference as JSON."""
        names = {"first": self.first, "second": self.second}
        return names | asdict(self.difference) | {"sentence": self.sentence}


def compare_models(first: Assessment, second: Assessment) -> ModelDifference:
    """Compare two models assessed with the same resamples."""
    value = float(first.scores.cpa) - float(second.scores.cpa)
    count = len(first.benchmark.people)
    one, other = (each.resamples.get(OVER) for each in (first, second))
    if one is None or other is None:
        return ModelDifference(
            first.model, second.model, Estimate(value, float("nan"), float("nan"), count, "not resampled", OVER)
        )
    if one.cpa.shape != other.cpa.shape:
        raise BadParameter("The two models were not resampled together; assess them with the same resamples.")
    low, high = interval(value, one.cpa - other.cpa, low=-100.0)
    method = "paired bootstrap over people and trials, bias-corrected normal"
    return ModelDifference(first.model, second.model, Estimate(value, low, high, count, method, OVER))
