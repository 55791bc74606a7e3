"""How a scoring is done, beyond what the specification fixes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mensura.catalog.detection.hypotheses.specification import CaseType, Specification
from mensura.errors import BadParameter, unknown

PairChoice = Literal["optimal", "greedy", "many-to-one", "many-to-many"]


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """Choices of one scoring; None takes the specification's default.

    Parameters
    ----------
    threshold : float or mapping
        Least F of a candidate pair, for all types or by type; types not named take the specification's.
    pairs : {"optimal", "greedy", "many-to-one", "many-to-many"}
        How pairs are chosen for the scores of a data set. Nested cases are always read off a one-to-one pairing.
    by : {"f", "recall", "cost"}
        What the pairing makes as great as possible; ``cost`` is the assessed cost saved.
    nested, reading, aliases, force
        As in `Specification`: global or local pairing of nested cases, smooth or crisp reading, aliases as classes
        or resolved by the reference, and whether equal identifiers are paired by force.
    weights : mapping
        Weights replaced, written ``Type.attribute``; zero for what a detector does not address.
    area : {"step", "trapezoid"}
        How the precision-recall curve is joined.
    resamples : int
        Bootstrap samples for the intervals; 0 for none.
    repair : bool
        Whether every bootstrap sample is paired anew.
    """

    threshold: float | Mapping[str, float] | None = None
    pairs: PairChoice = "optimal"
    by: Literal["f", "recall", "cost"] = "f"
    nested: Literal["global", "local"] | None = None
    reading: Literal["smooth", "crisp"] | None = None
    aliases: Literal["classes", "reference"] | None = None
    force: bool | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    area: Literal["step", "trapezoid"] = "step"
    resamples: int = 1000
    repair: bool = False

    @property
    def many(self) -> bool:
        """Return whether cases may share a partner."""
        return self.pairs in ("many-to-one", "many-to-many")

    def threshold_of(self, kind: CaseType) -> float:
        """Least F of a candidate pair of this type."""
        given = self.threshold.get(kind.name) if isinstance(self.threshold, Mapping) else self.threshold
        return (kind.threshold or 0.0) if given is None else given

    def check(self, specification: Specification) -> None:
        """Refuse values that cannot be meant."""
        given = self.threshold if isinstance(self.threshold, Mapping) else {"": self.threshold or 0.0}
        for name, value in given.items():
            if name and name not in specification.types:
                see = f"This specification has {', '.join(specification.types)}."
                raise unknown("type", name, known=specification.types, see=see)
            if not 0 <= value <= 1:
                raise BadParameter(f"A threshold of F lies between 0 and 1; got {value}.")
        if self.resamples < 0:
            raise BadParameter(f"The number of bootstrap samples is 0 or more; got {self.resamples}.")
