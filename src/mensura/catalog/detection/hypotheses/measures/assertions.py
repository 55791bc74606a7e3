"""One pair taken apart: which assertion of the reference was met by which of the hypothesis, and how well."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.compiling import Nested, canonical
from mensura.catalog.detection.hypotheses.specification import Attribute, CaseType, Specification
from mensura.catalog.detection.hypotheses.things import Things, Values
from mensura.scores.matching import CreditTable

Credited = dict[tuple[int, int], tuple[float, float, float]]


@dataclass(frozen=True, slots=True)
class Assertion:
    """An attribute's value in the reference (None where only the hypothesis has one) and its partner's."""

    attribute: str
    weight: float
    reference: Any
    hypothesis: Any
    recall: float
    precision: float


@dataclass(slots=True)
class Context:
    """All that is needed to read a value: the specification, the objects of both sides, and nested pairings."""

    specification: Specification
    reference: Things
    hypotheses: Things
    nested: Nested
    _local: dict[str, Credited] = field(default_factory=dict)

    def credit(self, attribute: Attribute, mine: list[Any], other: list[Any]) -> Credited:
        """Return F, recall and precision of two values, by their places; pairs that earn nothing are absent."""
        if attribute.scalar:
            return _entries(attribute.credit.between(mine, other))
        domain = self.specification.types[attribute.domain]
        if domain.compare != "content":
            first = [canonical(uid, domain, self.specification, self.reference) for uid in mine]
            second = [canonical(uid, domain, self.specification, self.hypotheses) for uid in other]
            return {(i, j): (1.0, 1.0, 1.0) for i, a in enumerate(first) for j, b in enumerate(second) if a == b}
        both = [(i, j, a, b) for i, a in enumerate(mine) for j, b in enumerate(other)]
        if domain.case and (attribute.pairing or self.specification.pairing) == "global":
            partners = self.nested.partners[domain.name]
            pairs = [(i, j, partners.reference.get(a, -1), partners.hypothesis.get(b, -2)) for i, j, a, b in both]
            return {
                (i, j): (1.0, float(partners.recall[first]), float(partners.precision[first]))
                for i, j, first, second in pairs
                if first == second
            }
        table = self.nested.tables[domain.name]
        if domain.name not in self._local:
            self._local[domain.name] = _entries(table)
        known = self._local[domain.name]
        places = [(i, j, (table.reference[a], table.hypothesis[b])) for i, j, a, b in both]
        return {(i, j): known[place] for i, j, place in places if place in known}


def take_apart(kind: CaseType, *, reference: Values, hypothesis: Values, context: Context) -> list[Assertion]:
    """List the assertions of two cases, paired; the sums of weight times credit are the contributions Rc and Pc."""
    assertions = []
    for attribute in kind.attributes.values():
        if attribute.weight == 0:
            continue
        mine, other = reference.get(attribute.name, []), hypothesis.get(attribute.name, [])
        credit = context.credit(attribute, mine, other) if mine and other else {}
        partner = _best(credit, (len(mine), len(other)))
        for row, value in enumerate(mine):
            column = partner.get(row)
            met = None if column is None else other[column]
            _, recall, precision = credit.get((row, -1 if column is None else column), (0.0, 0.0, 0.0))
            assertions.append(Assertion(attribute.name, attribute.weight, value, met, recall, precision))
        for column, value in enumerate(other):
            if column not in partner.values():
                assertions.append(Assertion(attribute.name, attribute.weight, None, value, 0.0, 0.0))
    return assertions


def _best(credit: Credited, shape: tuple[int, int]) -> dict[int, int]:
    from scipy.optimize import linear_sum_assignment

    f = np.zeros(shape)
    for place, (value, _, _) in credit.items():
        f[place] = value
    rows, columns = linear_sum_assignment(f, maximize=True)
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if f[i, j] > 0}


def _entries(table: CreditTable) -> Credited:
    columns = (each.tolist() for each in (table.row, table.column, table.f, table.recall, table.precision))
    return {(row, column): scores for row, column, *scores in zip(*columns, strict=True)}  # type: ignore[misc]
