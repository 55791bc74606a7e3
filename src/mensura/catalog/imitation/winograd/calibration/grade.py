"""What a grade owes to who calibrated: the same answers graded on the items that different people let in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.imitation.winograd.calibration.answers import PersonAnswer
from mensura.catalog.imitation.winograd.calibration.items import SchemaKey, matrix_of
from mensura.catalog.imitation.winograd.calibration.rules import InclusionRules
from mensura.stats import Estimate, Scale, unit_estimate
from mensura.stats.intervals.sample import Floats

DRAWS = 500


@dataclass(frozen=True, slots=True)
class Grade:
    """A taker's grade on the items that some calibrators let in, and how it moves with other people like them."""

    taker: str
    calibrators: str
    persons: int
    items: int
    """How many items they let in."""
    grade: Estimate
    """Schemas are the unit."""
    moves: tuple[float, float]
    """From where to where the grade goes in 95 of 100 draws of calibrators from these, with replacement."""

    def as_json(self) -> dict[str, Any]:
        """Return it for a machine."""
        moves = [None if np.isnan(one) else one for one in self.moves]
        return {
            "taker": self.taker,
            "calibrators": self.calibrators,
            "persons": self.persons,
            "items": self.items,
            "grade": self.grade.as_json(),
            "moves": moves,
        }


def grades(
    takers: Sequence[PersonAnswer],
    calibrators: Sequence[PersonAnswer],
    keys: Mapping[str, SchemaKey],
    *,
    rules: InclusionRules,
    rng: np.random.Generator,
) -> tuple[Grade, ...]:
    """Return each taker's grade on all items, on those that all calibrators let in, and on those of each group of them.

    A taker's unanswered item is wrong. Confidence and differences between groups are not drawn anew: of the rules the
    draws use agreement and the number of answers.
    """
    right = matrix_of(takers, keys)
    graded = np.nan_to_num(right.right)
    groups = sorted({one.group for one in calibrators if one.group})
    sets = {"all calibrators": list(calibrators)} | {
        name: [one for one in calibrators if one.group == name] for name in groups if len(groups) > 1
    }
    schema = np.array([name.rsplit("/", 1)[0] for name in keys])
    found = []
    for place, taker in enumerate(right.persons):
        whole = np.ones(len(keys), dtype=bool)
        found.append(
            Grade(taker, "nobody: all items", 0, len(keys), _grade(graded[place], whole, schema), (np.nan, np.nan))
        )
    for name, said in sets.items():
        given = matrix_of(said, keys).right
        kept = _included(given, rules)
        draws = [_included(given[rng.integers(len(given), size=len(given))], rules) for _ in range(DRAWS)]
        for place, taker in enumerate(right.persons):
            moved = [float(graded[place][one].mean()) for one in draws if one.any()]
            low, high = np.quantile(moved, [0.025, 0.975]) if moved else (np.nan, np.nan)
            grade = _grade(graded[place], kept, schema)
            found.append(Grade(taker, name, len(given), int(kept.sum()), grade, (float(low), float(high))))
    return tuple(found)


def _included(right: Floats, rules: InclusionRules) -> Any:
    many = (~np.isnan(right)).sum(axis=0)
    share = np.divide(np.nansum(right, axis=0), many, out=np.zeros(right.shape[1]), where=many > 0)
    return (many >= rules.least_answers) & (share >= rules.agreement)


def _grade(right: Floats, kept: Any, schema: Any) -> Estimate:
    names = sorted(set(schema[kept].tolist()))
    shares = [float(right[kept & (schema == name)].mean()) for name in names]
    return unit_estimate(shares, unit="schema", scale=Scale(0, 1))
