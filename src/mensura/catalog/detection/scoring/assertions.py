"""One pair taken apart: which assertion of the reference was met by which of the hypothesis, and how well."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mensura.catalog.detection.scoring.compiling import Nested, canonical
from mensura.catalog.detection.scoring.specification import Attribute, CaseType, Specification
from mensura.catalog.detection.scoring.things import Things, Values


@dataclass(frozen=True, slots=True)
class Assertion:
    """An attribute's value in the reference (None where only the hypothesis has one) and its partner's."""

    attribute: str
    weight: float
    reference: Any
    hypothesis: Any
    recall: float
    precision: float


@dataclass(frozen=True, slots=True)
class Context:
    """All that is needed to read a value: the specification, the objects of both sides, and nested pairings."""

    specification: Specification
    reference: Things
    hypotheses: Things
    nested: Nested


def take_apart(kind: CaseType, *, reference: Values, hypothesis: Values, context: Context) -> list[Assertion]:
    """List the assertions of two cases, paired; the sums of weight times credit are the contributions Rc and Pc."""
    assertions = []
    for attribute in kind.attributes.values():
        if attribute.weight == 0:
            continue
        mine, other = reference.get(attribute.name, []), hypothesis.get(attribute.name, [])
        credit = _credit(attribute, context)
        scores = [[credit(first, second) for second in other] for first in mine]
        partner = _best(scores) if mine and other else {}
        for row, value in enumerate(mine):
            column = partner.get(row)
            recall, precision = (0.0, 0.0) if column is None else scores[row][column][1:]
            met = None if column is None else other[column]
            assertions.append(Assertion(attribute.name, attribute.weight, value, met, recall, precision))
        for column, value in enumerate(other):
            if column not in partner.values():
                assertions.append(Assertion(attribute.name, attribute.weight, None, value, 0.0, 0.0))
    return assertions


def _best(scores: list[list[tuple[float, float, float]]]) -> dict[int, int]:
    from scipy.optimize import linear_sum_assignment

    f = np.array([[each[0] for each in row] for row in scores])
    rows, columns = linear_sum_assignment(f, maximize=True)
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if f[i, j] > 0}


def _credit(attribute: Attribute, context: Context) -> Callable[[Any, Any], tuple[float, float, float]]:
    if attribute.scalar:
        function = attribute.credit.function()

        def scalar(first: Any, second: Any) -> tuple[float, float, float]:
            value = function(first, second)
            return value, value, value

        return scalar
    domain = context.specification.types[attribute.domain]
    if domain.compare != "content":

        def same(first: Any, second: Any) -> tuple[float, float, float]:
            mine = canonical(first, domain, context.specification, context.reference)
            value = float(mine == canonical(second, domain, context.specification, context.hypotheses))
            return value, value, value

        return same
    how = attribute.pairing or context.specification.pairing
    if domain.case and how == "global":
        partners = context.nested.partners[attribute.domain]

        def paired(first: Any, second: Any) -> tuple[float, float, float]:
            pair = partners.reference.get(first)
            if pair is None or partners.hypothesis.get(second) != pair:
                return 0.0, 0.0, 0.0
            return 1.0, float(partners.recall[pair]), float(partners.precision[pair])

        return paired
    table = context.nested.tables[attribute.domain]
    entries = {
        (row, column): (f, recall, precision)
        for row, column, f, recall, precision in zip(
            *(each.tolist() for each in (table.row, table.column, table.f, table.recall, table.precision)), strict=True
        )
    }
    return lambda first, second: entries.get((table.reference[first], table.hypothesis[second]), (0.0, 0.0, 0.0))
