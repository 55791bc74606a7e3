"""Match hypotheses between two descriptions, by the published rules for analogy and for mere appearance.

Falkenhainer, Forbus & Gentner (1989), The structure-mapping engine, appendix A.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal

from mensura.catalog.analogy.predicates.description import Description, Predicate

Rules = Literal["an", "ma"]


@dataclass(frozen=True)
class MatchHypothesis:
    """One item of the base may correspond to one of the target."""

    base: Predicate
    target: Predicate

    @property
    def arguments(self) -> tuple["MatchHypothesis", ...]:
        """What must correspond if this does."""
        return tuple(MatchHypothesis(*pair) for pair in zip(self.base.arguments, self.target.arguments, strict=True))


def hypotheses(base: Description, target: Description, *, rules: Rules) -> dict[MatchHypothesis, float]:
    """Return every hypothesis with the belief in it, from 0 to 1."""
    kinds = _Kinds(base, target)
    found = _analogous(base, target, kinds) if rules == "an" else _alike(base, target, kinds)
    beliefs: dict[MatchHypothesis, tuple[float, float]] = {}
    # Parents stand above their arguments, so that their belief is known when it is handed down.
    for one in sorted(found, key=lambda pair: -max(pair.base.order, pair.target.order)):
        evidence = _analogy_evidence(one, kinds) if rules == "an" else _appearance_evidence(one, kinds)
        for parent in found:
            if _parent(parent, one) and (rules == "an" or max(parent.base.order, parent.target.order) == 1):
                evidence.append(((0.8 if rules == "an" else 0.9) * beliefs[parent][0], 0.0))
        beliefs[one] = _combined(evidence)
    return {one: belief for one, (belief, _) in beliefs.items()}


class _Kinds:
    def __init__(self, base: Description, target: Description) -> None:
        self.attributes = base.attributes | target.attributes
        self.functions = base.functions | target.functions

    def attribute(self, one: Predicate) -> bool:
        return one.functor in self.attributes and not one.is_entity

    def function(self, one: Predicate) -> bool:
        return one.functor in self.functions and not one.is_entity

    def may_match(self, one: Predicate, other: Predicate) -> bool:
        """Return whether arguments can match: both entities, both functions, or predicates of one name."""
        if one.is_entity or other.is_entity:
            return one.is_entity and other.is_entity
        return one.functor == other.functor or (self.function(one) and self.function(other))


def _parent(parent: MatchHypothesis, child: MatchHypothesis) -> bool:
    if len(parent.base.arguments) != len(parent.target.arguments):
        return False
    return any(one == child for one in parent.arguments)


def _analogous(base: Description, target: Description, kinds: _Kinds) -> dict[MatchHypothesis, None]:
    """Pair predicates of one name but attributes; then arguments: entities, functions, or equal attributes."""
    found = {
        MatchHypothesis(one, other): None
        for one, other in product(base.expressions, target.expressions)
        if one.functor == other.functor and len(one.arguments) == len(other.arguments) and not kinds.attribute(one)
    }
    waiting = list(found)
    while waiting:
        for pair in waiting.pop().arguments:
            one, other = pair.base, pair.target
            entities = one.is_entity and other.is_entity
            functions = kinds.function(one) and kinds.function(other)
            attributes = kinds.attribute(one) and one.functor == other.functor and not other.is_entity
            if pair not in found and (entities or functions or attributes):
                found[pair] = None
                if len(one.arguments) == len(other.arguments):
                    waiting.append(pair)
    return found


def _alike(base: Description, target: Description, kinds: _Kinds) -> dict[MatchHypothesis, None]:
    """Pair attributes and first-order relations of one name, and then their entities."""
    found = {
        MatchHypothesis(one, other): None
        for one, other in product(base.expressions, target.expressions)
        if one.functor == other.functor
        and one.order <= 1
        and other.order <= 1
        and len(one.arguments) == len(other.arguments)
    }
    for pair in list(found):
        found |= {one: None for one in pair.arguments if one.base.is_entity and one.target.is_entity}
    return found


def _analogy_evidence(pair: MatchHypothesis, kinds: _Kinds) -> list[tuple[float, float]]:
    one, other = pair.base, pair.target
    if one.is_entity or other.is_entity:
        return []
    found = []
    function = kinds.function(one) and kinds.function(other)
    if one.functor == other.functor:
        found.append((0.2 if function else 0.5, 0.0))
        can = all(kinds.may_match(*arguments) for arguments in zip(one.arguments, other.arguments, strict=True))
        found.append((0.4, 0.0) if can else (0.0, 0.8))
        if not function:
            apart = abs(one.order - other.order)
            found += [(0.3, 0.0)] if apart == 0 else [(0.2, 0.05)] if apart == 1 else []
    return found


def _appearance_evidence(pair: MatchHypothesis, kinds: _Kinds) -> list[tuple[float, float]]:
    one, other = pair.base, pair.target
    if one.is_entity or one.functor != other.functor:
        return []
    return [(0.5 if kinds.attribute(one) else 0.4, 0.0)]


def _combined(evidence: Iterable[tuple[float, float]]) -> tuple[float, float]:
    """Combine evidence for and against by Dempster's rule."""
    held, against = 0.0, 0.0
    for other_held, other_against in evidence:
        open_, other_open = 1 - held - against, 1 - other_held - other_against
        agree = 1 - held * other_against - against * other_held
        held, against = (
            (held * other_held + held * other_open + open_ * other_held) / agree,
            (against * other_against + against * other_open + open_ * other_against) / agree,
        )
    return held, against
