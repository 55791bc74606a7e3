"""What a scoring found, ready to print."""

from dataclasses import dataclass, field
from typing import Any

from mensura.catalog.detection.hypotheses.compiling import Nested
from mensura.catalog.detection.hypotheses.lineup import Lineup
from mensura.catalog.detection.hypotheses.measures.curves import Curve
from mensura.catalog.detection.hypotheses.measures.intervals import Units
from mensura.catalog.detection.hypotheses.measures.metrics import AssessedCost, Counts, known, known_fields
from mensura.catalog.detection.hypotheses.measures.probabilistic import Probabilistic
from mensura.catalog.detection.hypotheses.measures.tracking import Tracking
from mensura.catalog.detection.hypotheses.specification import Specification
from mensura.catalog.detection.hypotheses.things import Things
from mensura.scores.matching import Pairing, ScoredPairs
from mensura.stats import Estimate


@dataclass(frozen=True, slots=True)
class TypeScore:
    """Scores of one case type.

    `precision`, `recall` and `f` are those of the data set; `traditional` counts each pair as one. `auc` is the area
    under the precision-recall curve, NaN where there is no curve; `notes` say why something is unknown.
    """

    lineup: Lineup
    references: int
    hypotheses: int
    pairs: ScoredPairs
    counts: Counts
    traditional: Counts
    mean_pair_f: float
    cost: AssessedCost
    curve: Curve | None
    traditional_curve: Curve | None
    roc_area: float
    pairing: Pairing
    units: Units
    tracking: Tracking
    probabilistic: Probabilistic
    estimates: dict[str, Estimate]
    notes: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Name of the type."""
        return self.lineup.kind.name

    @property
    def reference_uids(self) -> list[str]:
        """Identifiers of the references in order."""
        return [thing.uid for thing in self.lineup.reference]

    @property
    def hypothesis_uids(self) -> list[str]:
        """Identifiers of the hypotheses in order."""
        return [thing.uid for thing in self.lineup.hypotheses]

    def named_pairs(self, most: int | None = None) -> list[dict[str, Any]]:
        """List the pairs by identifier with their precision, recall and F; at most so many."""
        keys = ("reference", "hypothesis", "precision", "recall", "f")
        columns = zip(*(getattr(self.pairs, key)[:most].tolist() for key in keys), strict=True)
        mine, theirs = self.lineup.reference, self.lineup.hypotheses
        return [dict(zip(keys, (mine[i].uid, theirs[j].uid, *scores), strict=True)) for i, j, *scores in columns]

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON; unknown numbers are null."""
        return {
            "references": self.references,
            "hypotheses": self.hypotheses,
            "pairs": self.named_pairs(),
            **known_fields(self.counts),
            "mean_pair_f": known(self.mean_pair_f),
            "traditional": known_fields(self.traditional)
            | {"auc": None if self.traditional_curve is None else self.traditional_curve.area},
            "auc": None if self.curve is None else self.curve.area,
            "roc_auc": known(self.roc_area),
            "curve": None if self.curve is None else self.curve.as_json(),
            "assessed_cost": known(self.cost.assessed),
            "nac": known(self.cost.nac),
            "nacc": known(self.cost.nacc),
            "greedy_gap": known(self.pairing.greedy_gap),
            "unique": self.pairing.unique,
            "forced": self.pairing.forced,
            "tracking": known_fields(self.tracking),
            "probabilistic": self.probabilistic.as_json(),
            "intervals": {name: estimate.as_json() for name, estimate in self.estimates.items()},
            "notes": self.notes,
        }


@dataclass(frozen=True, slots=True)
class Scoring:
    """Scores of all case types, leaves first, and the objects as they were compared."""

    specification: Specification
    types: dict[str, TypeScore]
    reference: Things
    hypotheses: Things
    nested: Nested

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON."""
        return {
            "specification": self.specification.name,
            "types": {name: score.as_json() for name, score in reversed(self.types.items())},
        }
