"""The best mapping of two descriptions: one to one, with all arguments of what is mapped, of the greatest weight."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mensura.catalog.analogy.predicates.description import Description
from mensura.catalog.analogy.predicates.hypothesis import MatchHypothesis, Rules, hypotheses
from mensura.errors import BadData


@dataclass(frozen=True)
class PredicateMapping:
    """Which hypotheses there are, which of them make up the best mapping, and its weight, the sum of their beliefs."""

    beliefs: Mapping[MatchHypothesis, float]
    chosen: tuple[MatchHypothesis, ...]
    weight: float


def map_descriptions(base: Description, target: Description, *, rules: Rules) -> PredicateMapping:
    """Find the mapping of the greatest weight by an integer programme; it is the optimum and no approximation."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    beliefs = hypotheses(base, target, rules=rules)
    # What stands without a hypothesis for one of its arguments can be part of no mapping.
    held = list(beliefs)
    place = {one: at for at, one in enumerate(held)}
    rows: list[tuple[dict[int, float], float]] = []
    for side in ("base", "target"):
        same: dict[object, list[int]] = {}
        for one in held:
            same.setdefault(getattr(one, side), []).append(place[one])
        rows += [(dict.fromkeys(places, 1.0), 1.0) for places in same.values() if len(places) > 1]
    for one in held:
        for argument in one.arguments if len(one.base.arguments) == len(one.target.arguments) else ():
            needed = {place[argument]: -1.0} if argument in place else {}
            rows.append(({place[one]: 1.0, **needed}, 0.0))
    if not held:
        return PredicateMapping(beliefs, (), 0.0)
    matrix = csr_array(
        (
            [value for row, _ in rows for value in row.values()],
            (
                [at for at, (row, _) in enumerate(rows) for _ in row],
                [column for row, _ in rows for column in row],
            ),
        ),
        shape=(len(rows), len(held)),
    )
    worth = np.array([beliefs[one] for one in held])
    limits = LinearConstraint(matrix, -np.inf, [most for _, most in rows])
    solved = milp(-worth, integrality=np.ones(len(held)), bounds=Bounds(0, 1), constraints=limits)
    if solved.x is None:
        raise BadData(f"The mapping could not be solved: {solved.message}")
    chosen = tuple(one for one, taken in zip(held, solved.x, strict=True) if taken > 0.5)
    return PredicateMapping(beliefs, chosen, float(sum(beliefs[one] for one in chosen)))
