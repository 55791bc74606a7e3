"""The best mapping of two descriptions: one to one, with all arguments of what is mapped, of the greatest weight."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mensura.catalog.analogy.mapping.programme import Row, most_worth
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
    beliefs = hypotheses(base, target, rules=rules)
    # What stands without a hypothesis for one of its arguments can be part of no mapping.
    held = list(beliefs)
    place = {one: at for at, one in enumerate(held)}
    rows: list[Row] = []
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
    worth = np.array([beliefs[one] for one in held])
    taken, _ = most_worth(worth, rows)
    if taken is None:
        raise BadData("The mapping could not be solved.")
    chosen = tuple(one for one, kept in zip(held, taken, strict=True) if kept)
    return PredicateMapping(beliefs, chosen, float(sum(beliefs[one] for one in chosen)))
