"""What a scoring found, ready to print."""

from dataclasses import dataclass, field
from math import isnan
from typing import Any

from mensura.catalog.detection.scoring.comparison import Pairs
from mensura.catalog.detection.scoring.compiling import Nested
from mensura.catalog.detection.scoring.curves import Curve
from mensura.catalog.detection.scoring.intervals import Units
from mensura.catalog.detection.scoring.metrics import Cost, Counts
from mensura.catalog.detection.scoring.pairing import Pairing
from mensura.catalog.detection.scoring.probabilistic import Probabilistic
from mensura.catalog.detection.scoring.specification import Specification
from mensura.catalog.detection.scoring.things import Things
from mensura.catalog.detection.scoring.tracking import Tracking
from mensura.stats import Estimate


@dataclass(frozen=True, slots=True)
class TypeScore:
    """Scores of one case type.

    `precision`, `recall` and `f` are those of the data set; `traditional` counts each pair as one. `auc` is the area
    under the precision-recall curve, NaN where there is no curve; `notes` say why something is unknown.
    """

    name: str
    references: int
    hypotheses: int
    pairs: Pairs
    reference_uids: list[str]
    hypothesis_uids: list[str]
    counts: Counts
    traditional: Counts
    mean_pair_f: float
    cost: Cost
    curve: Curve | None
    traditional_curve: Curve | None
    roc_area: float
    pairing: Pairing
    units: Units
    tracking: Tracking
    probabilistic: Probabilistic
    estimates: dict[str, Estimate]
    notes: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Give everything as JSON; unknown numbers are null."""
        columns = zip(
            self.pairs.reference.tolist(),
            self.pairs.hypothesis.tolist(),
            self.pairs.precision.tolist(),
            self.pairs.recall.tolist(),
            self.pairs.f.tolist(),
            strict=True,
        )
        return {
            "references": self.references,
            "hypotheses": self.hypotheses,
            "pairs": [
                {
                    "reference": self.reference_uids[i],
                    "hypothesis": self.hypothesis_uids[j],
                    "precision": precision,
                    "recall": recall,
                    "f": f,
                }
                for i, j, precision, recall, f in columns
            ],
            "precision": known(self.counts.precision),
            "recall": known(self.counts.recall),
            "f": known(self.counts.f),
            "mean_pair_f": known(self.mean_pair_f),
            "traditional": {
                "precision": known(self.traditional.precision),
                "recall": known(self.traditional.recall),
                "f": known(self.traditional.f),
                "auc": None if self.traditional_curve is None else self.traditional_curve.area,
            },
            "auc": None if self.curve is None else self.curve.area,
            "roc_auc": known(self.roc_area),
            "curve": None if self.curve is None else self.curve.as_json(),
            "assessed_cost": known(self.cost.assessed),
            "nac": known(self.cost.nac),
            "nacc": known(self.cost.nacc),
            "greedy_gap": known(self.pairing.greedy_gap),
            "unique": self.pairing.unique,
            "forced": self.pairing.forced,
            "tracking": self.tracking.as_json(),
            "probabilistic": self.probabilistic.as_json(),
            "intervals": {name: estimate.as_json() for name, estimate in self.estimates.items()},
            "notes": self.notes,
        }


@dataclass(frozen=True, slots=True)
class Score:
    """Scores of all case types, leaves first, and the objects as they were compared."""

    specification: Specification
    types: dict[str, TypeScore]
    reference: Things
    hypotheses: Things
    nested: Nested

    def as_json(self) -> dict[str, Any]:
        """Give everything as JSON."""
        return {
            "specification": self.specification.name,
            "types": {name: score.as_json() for name, score in reversed(self.types.items())},
        }


def known(value: float) -> float | None:
    """Give a number, or None where it is unknown."""
    return None if isnan(value) else float(value)
