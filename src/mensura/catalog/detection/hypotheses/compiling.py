"""Turns cases of one type into arrays: every value a token, a number, or a row of a table of credits."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.specification import Attribute, CaseType, Specification
from mensura.catalog.detection.hypotheses.things import Things, Values
from mensura.scores.matching.arrays import Credits, Floats, Integers, Postings, Side, Sides
from mensura.scores.matching.credit import CURVES, CreditTable

_Rows = tuple[Sequence[tuple[str, Values]], Sequence[tuple[str, Values]]]


@dataclass(frozen=True, slots=True)
class Partners:
    """Result of pairing a nested type: for each pair, its partners and what reading it off gives.

    `reference` and `hypothesis` map identifiers to the number of their pair.
    """

    reference: Mapping[str, int]
    hypothesis: Mapping[str, int]
    recall: Floats
    precision: Floats


@dataclass(slots=True)
class Nested:
    """What is known of types scored before: their pairings, and tables of credit for those paired locally."""

    partners: dict[str, Partners] = field(default_factory=dict)
    tables: dict[str, CreditTable] = field(default_factory=dict)


def compile_cases(
    kind: CaseType,
    *,
    specification: Specification,
    reference: Sequence[tuple[str, Values]],
    hypotheses: Sequence[tuple[str, Values]],
    described: tuple[Things, Things],
    nested: Nested,
) -> Sides:
    """Make arrays of both sides of one type.

    Parameters
    ----------
    reference, hypotheses : sequence of (identifier, values)
        The cases; several rows may share an identifier where a hypothesis has alternatives.
    described : tuple of Things
        All objects of either side, to look up what identifiers mean.
    nested : Nested
        Results for types that occur as values.
    """
    compiler = _Compiler(kind, specification, (reference, hypotheses), described, nested)
    for attribute in kind.attributes.values():
        if attribute.weight > 0 and kind.compare == "content":
            compiler.add(attribute)
    if kind.compare != "content":
        compiler.add_identity()
    return compiler.finish()


def canonical(uid: str, kind: CaseType, specification: Specification, things: Things) -> Any:
    """What an object is compared by when it matches all or nothing: its identifier, or its sets of values.

    An object of a strict type that is not described is its identifier.
    """
    if kind.compare != "strict":
        return uid
    thing = things.of(kind.name).get(uid)
    if thing is None or not thing.values:
        return uid
    content = []
    for name, values in sorted(thing.values.items()):
        attribute = kind.attributes[name]
        if attribute.scalar:
            content.append((name, frozenset(values)))
        else:
            domain = specification.types[attribute.domain]
            content.append((name, frozenset(canonical(value, domain, specification, things) for value in values)))
    return tuple(content)


class _Compiler:
    """Arrays of one type while they are being made."""

    def __init__(
        self,
        kind: CaseType,
        specification: Specification,
        rows: _Rows,
        described: tuple[Things, Things],
        nested: Nested,
    ) -> None:
        self.kind, self.specification, self.rows = kind, specification, rows
        self.described, self.nested = described, nested
        self.basis = [np.zeros(len(side)) for side in rows]
        self.code: dict[Any, int] = {}
        self.recall: list[float] = []
        self.precision: list[float] = []
        self.tokens: list[list[list[int]]] = [[[] for _ in side] for side in rows]
        self.numbers: list[list[Floats]] = [[], []]
        self.number_rules: list[tuple[float, float, int]] = []
        self.tables: list[tuple[float, CreditTable, list[list[list[int]]]]] = []

    def add(self, attribute: Attribute) -> None:
        name = attribute.name
        for side in (0, 1):
            counts = (len(values.get(name, ())) for _, values in self.rows[side])
            self.basis[side] += attribute.weight * np.fromiter(counts, np.float64, len(self.rows[side]))
        if attribute.scalar:
            if attribute.credit.kind == "exact":
                self._tokens(attribute, lambda side, value: (value, 1.0, 1.0))
            elif attribute.credit.kind == "curve" and not attribute.many:
                self._number(attribute)
            else:
                values = (self._unique(attribute, side) for side in (0, 1))
                self._table(attribute, attribute.credit.between(*values, what=name))
            return
        domain = self.specification.types[attribute.domain]
        if domain.compare != "content":
            self._tokens(
                attribute,
                lambda side, uid: (canonical(uid, domain, self.specification, self.described[side]), 1.0, 1.0),
            )
        elif domain.name in self.nested.partners and (attribute.pairing or self.specification.pairing) == "global":
            self._tokens(attribute, _partner_lookup(self.nested.partners[attribute.domain]))
        else:
            self._table(attribute, self.nested.tables[attribute.domain])

    def add_identity(self) -> None:
        """Compare whole cases all or nothing."""
        for side in (0, 1):
            self.basis[side] += 1.0
            for row, (uid, _) in enumerate(self.rows[side]):
                key = canonical(uid, self.kind, self.specification, self.described[side])
                self.tokens[side][row].append(self._code(("", key), 1.0, 1.0))

    def finish(self) -> Sides:
        reference, hypothesis = (self._side(side) for side in (0, 1))
        starts: list[int] = [0]
        entries: list[tuple[Any, ...]] = []
        for offset, (_, table, _) in zip(self._table_offsets(1), self.tables, strict=False):
            order = np.lexsort((table.column, table.row))
            counts = np.bincount(table.row, minlength=len(table.reference))
            starts.extend((starts[-1] + np.cumsum(counts)).tolist())
            scores = (each[order] for each in (table.f, table.recall, table.precision))
            entries.append((table.column[order] + offset, *scores))
        columns, *scored = ([table[place] for table in entries] for place in range(4))
        f, recall, precision = (_joined(each, np.float64) for each in scored)
        credits = Credits(
            recall=np.array(self.recall, np.float64),
            precision=np.array(self.precision, np.float64),
            number_weight=np.array([rule[0] for rule in self.number_rules], np.float64),
            nominal=np.array([rule[1] for rule in self.number_rules], np.float64),
            curve=np.array([rule[2] for rule in self.number_rules], np.int64),
            table_weight=np.array([weight for weight, _, _ in self.tables], np.float64),
            table_start=np.array(starts, np.int64),
            table_column=_joined(columns, np.int64),
            table_f=f,
            table_recall=recall,
            table_precision=precision,
        )
        return Sides(reference, hypothesis, self._index(hypothesis), credits)

    def _code(self, key: Any, recall: float, precision: float) -> int:
        code = self.code.setdefault(key, len(self.code))
        if code == len(self.recall):
            self.recall.append(recall)
            self.precision.append(precision)
        return code

    def _tokens(self, attribute: Attribute, look: Callable[[int, Any], tuple[Any, float, float] | None]) -> None:
        for side in (0, 1):
            memory: dict[Any, int] = {}
            for row, (_, values) in zip(self.tokens[side], self.rows[side], strict=True):
                for value in values.get(attribute.name, ()):
                    code = memory.get(value)
                    if code is None:
                        key, *credit = look(side, value) or (None, 0.0, 0.0)
                        worth = (attribute.weight * each for each in credit)
                        code = memory[value] = -1 if key is None else self._code((attribute.name, key), *worth)
                    if code >= 0:
                        row.append(code)

    def _number(self, attribute: Attribute) -> None:
        for side in (0, 1):
            self.numbers[side].append(_column(self.rows[side], attribute.name))
        credit = attribute.credit
        self.number_rules.append((attribute.weight, credit.nominal, list(CURVES).index(credit.name)))

    def _table(self, attribute: Attribute, table: CreditTable) -> None:
        codes = [
            [[known[value] for value in values.get(attribute.name, ())] for _, values in self.rows[side]]
            for side, known in ((0, table.reference), (1, table.hypothesis))
        ]
        self.tables.append((attribute.weight, table, codes))

    def _unique(self, attribute: Attribute, side: int) -> list[Any]:
        return list(dict.fromkeys(value for _, values in self.rows[side] for value in values.get(attribute.name, ())))

    def _table_offsets(self, side: int) -> list[int]:
        sizes = [len((table.reference, table.hypothesis)[side]) for _, table, _ in self.tables]
        return [0, *np.cumsum(sizes).tolist()]

    def _side(self, side: int) -> Side:
        size = len(self.rows[side])
        lists = [sorted(set(codes)) for codes in self.tokens[side]]
        start, codes = _flat(lists)
        offsets = self._table_offsets(side)
        table_start = np.zeros((len(self.tables), size + 1), np.int64)
        flat: list[Integers] = []
        total = 0
        for number, (_, _, both) in enumerate(self.tables):
            inner, values = _flat(both[side])
            table_start[number] = inner + total
            total += len(values)
            flat.append(values + offsets[number])
        numbers = np.array(self.numbers[side], np.float64).reshape(len(self.numbers[side]), size)
        low, high, same = self._conditions(side)
        return Side(self.basis[side], start, codes, numbers, table_start, _joined(flat, np.int64), low, high, same)

    def _conditions(self, side: int) -> tuple[Floats, Floats, Integers]:
        size = len(self.rows[side])
        low, high, same = [], [], []
        for condition in self.kind.conditions:
            if condition.kind == "function":
                continue
            names = condition.attributes
            if condition.kind == "same":
                codes = [
                    self._code(("same", names[0], values[names[0]][0]), 0.0, 0.0) if names[0] in values else -1
                    for _, values in self.rows[side]
                ]
                same.append(np.array(codes, np.int64))
                continue
            margin = condition.distance / 2 if condition.kind == "within" else condition.distance
            begin, end = _column(self.rows[side], names[0]), _column(self.rows[side], names[-1])
            low.append(np.where(np.isnan(begin), -np.inf, begin - margin))
            high.append(np.where(np.isnan(end), np.inf, end + (margin if condition.kind == "within" else 0.0)))
        low_high = (np.array(each, np.float64).reshape(len(each), size) for each in (low, high))
        return *low_high, np.array(same, np.int64).reshape(len(same), size)  # type: ignore[return-value]

    def _index(self, hypothesis: Side) -> Postings:
        holders = np.repeat(np.arange(len(self.rows[1])), np.diff(hypothesis.start))
        start, cases = _inverted(holders, hypothesis.codes, len(self.code))
        order = np.argsort(hypothesis.numbers, axis=1, kind="stable")
        ordered = np.take_along_axis(hypothesis.numbers, order, axis=1)
        known = np.sum(~np.isnan(ordered), axis=1).astype(np.int64)
        rows = np.concatenate(
            [np.repeat(np.arange(len(self.rows[1])), np.diff(each)) for each in hypothesis.table_start]
            or [np.empty(0, np.int64)]
        )
        tables = _inverted(rows, hypothesis.table_codes, self._table_offsets(1)[-1])
        return Postings(start, cases, order.astype(np.int64), ordered, known, *tables)


def _partner_lookup(partners: Partners) -> Callable[[int, Any], tuple[Any, float, float] | None]:
    def look(side: int, uid: Any) -> tuple[Any, float, float] | None:
        pair = (partners.reference, partners.hypothesis)[side].get(uid)
        return None if pair is None else (pair, float(partners.recall[pair]), float(partners.precision[pair]))

    return look


def _column(rows: Sequence[tuple[str, Values]], name: str) -> Floats:
    return np.array([values[name][0] if name in values else np.nan for _, values in rows], np.float64)


def _flat(lists: list[list[int]]) -> tuple[Integers, Integers]:
    start = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(each) for each in lists], out=start[1:])
    return start, np.fromiter((code for each in lists for code in each), np.int64, int(start[-1]))


def _joined(parts: list[Any], kind: type) -> Any:
    return np.concatenate(parts).astype(kind) if parts else np.empty(0, kind)


def _inverted(cases: Integers, codes: Integers, size: int) -> tuple[Integers, Integers]:
    order = np.argsort(codes, kind="stable")
    counts = np.bincount(codes, minlength=size)
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64), cases[order].astype(np.int64)
