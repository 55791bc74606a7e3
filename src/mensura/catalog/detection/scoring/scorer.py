"""Scores hypotheses against a reference: leaf types first, up the graph of types, each pair compared once."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.scoring.comparison import Comparison, Pairs
from mensura.catalog.detection.scoring.compiling import Nested, Partners, compile_cases
from mensura.catalog.detection.scoring.curves import precision_recall, roc_area
from mensura.catalog.detection.scoring.intervals import intervals, repaired_intervals, units_of
from mensura.catalog.detection.scoring.metrics import assessed_cost, mean_pair_f, object_oriented, traditional
from mensura.catalog.detection.scoring.naming import compare_by_uid, resolve, unalias
from mensura.catalog.detection.scoring.options import Options
from mensura.catalog.detection.scoring.pairing import Pairing, all_pairs, many_pairs, nested_table, pair
from mensura.catalog.detection.scoring.pause import collector_paused
from mensura.catalog.detection.scoring.probabilistic import score_alternatives
from mensura.catalog.detection.scoring.result import Score, TypeScore
from mensura.catalog.detection.scoring.specification import CaseType, Specification
from mensura.catalog.detection.scoring.things import Thing, Things
from mensura.catalog.detection.scoring.tracking import track

Flags = NDArray[np.bool_]


def score_hypotheses(
    specification: Specification, *, reference: Things, hypotheses: Things, options: Options | None = None
) -> Score:
    """Score hypotheses against the reference by a specification.

    Parameters
    ----------
    specification : Specification
        What is compared and what it weighs.
    reference, hypotheses : Things
        As read by `read_things`; identifiers are resolved here.
    options : Options, optional
        Threshold, pairing and the like.

    Returns
    -------
    Score
        One `TypeScore` per case type.

    References
    ----------
    .. [1] Schrag and Takikawa (2006), Scoring hypotheses from threat detection technologies, AAAI Fall Symposium on
       Capturing and Using Patterns for Evidence Detection.
    """
    options = options or Options()
    options.check(specification)
    with collector_paused():
        return _score(_with(specification, options), reference, hypotheses, options)


def _score(specification: Specification, reference: Things, hypotheses: Things, options: Options) -> Score:
    reference = resolve(reference, specification=specification)
    hypotheses = resolve(hypotheses, specification=specification, background=reference)
    if specification.aliases == "reference":
        hypotheses = unalias(hypotheses, reference=reference, specification=specification)
        specification = compare_by_uid(specification)
    nested = Nested()
    types: dict[str, TypeScore] = {}
    local = _paired_locally(specification)
    for name, kind in specification.types.items():
        if not kind.case and (kind.compare != "content" or name not in local):
            continue
        comparison = _comparison(kind, specification, reference, hypotheses, nested)
        crisp = specification.reading == "crisp"
        known = all_pairs(comparison, kind, options=options) if name in local else None
        if known is not None:
            nested.tables[name] = nested_table(comparison, known, crisp=crisp)
        if not kind.case:
            continue
        pairing = pair(kind, comparison, options=options, force=specification.force, known=known)
        nested.partners[name] = _partners(comparison, pairing.pairs, crisp=crisp)
        types[name] = _score_type(kind, pairing, options)
    return Score(specification, types, reference, hypotheses, nested)


def _with(specification: Specification, options: Options) -> Specification:
    if options.weights:
        specification = specification.weighted(options.weights)
    return replace(
        specification,
        pairing=options.nested or specification.pairing,
        reading=options.reading or specification.reading,
        aliases=options.aliases or specification.aliases,
        force=specification.force if options.force is None else options.force,
    )


def _paired_locally(specification: Specification) -> set[str]:
    """Types whose values are paired within their context: those told to, and those that are no cases."""
    found = set()
    for kind in specification.types.values():
        for attribute in kind.attributes.values():
            if attribute.scalar:
                continue
            domain = specification.types[attribute.domain]
            how = attribute.pairing or specification.pairing
            if domain.compare == "content" and (how == "local" or not domain.case):
                found.add(domain.name)
    return found


def _comparison(
    kind: CaseType, specification: Specification, reference: Things, hypotheses: Things, nested: Nested
) -> Comparison:
    sides = (list(reference.of(kind.name).values()), list(hypotheses.of(kind.name).values()))
    rows = [[(thing.uid, values) for thing in side for _, values in thing.alternatives] for side in sides]
    compiled = compile_cases(
        kind,
        specification=specification,
        reference=rows[0],
        hypotheses=rows[1],
        described=(reference, hypotheses),
        nested=nested,
    )
    return Comparison(compiled, reference=sides[0], hypotheses=sides[1])


def _partners(comparison: Comparison, pairs: Pairs, *, crisp: bool) -> Partners:
    ones = np.ones(len(pairs))
    return Partners(
        {comparison.reference[i].uid: place for place, i in enumerate(pairs.reference.tolist())},
        {comparison.hypotheses[j].uid: place for place, j in enumerate(pairs.hypothesis.tolist())},
        ones if crisp else pairs.recall,
        ones if crisp else pairs.precision,
    )


def _score_type(kind: CaseType, pairing: Pairing, options: Options) -> TypeScore:
    comparison = pairing.comparison
    counted = (_counted(kind, comparison.reference), _counted(kind, comparison.hypotheses))
    references, hypotheses = int(counted[0].sum()), int(counted[1].sum())
    many = options.pairs.startswith("many")
    one_to_one = _only(pairing.pairs, counted)
    pairs = _only(many_pairs(kind, pairing, how=options.pairs), counted) if many else one_to_one
    costs = comparison.costs(kind)
    weighed = (costs[0] * counted[0], costs[1] * counted[1])
    units = units_of(pairing, costs=costs, counted=counted)
    confidence = [thing.confidence for thing, counts in zip(comparison.hypotheses, counted[1], strict=True) if counts]
    curves = [
        precision_recall(_renumbered(one_to_one, counted[1]), confidence=confidence, references=references, **how)
        for how in ({"area": options.area}, {"area": options.area, "count": True})
    ]
    if options.repair:
        estimates = repaired_intervals(units, pairing=pairing, costs=costs, resamples=options.resamples)
    else:
        estimates = intervals(units, resamples=options.resamples)
    return TypeScore(
        name=kind.name,
        references=references,
        hypotheses=hypotheses,
        pairs=_in_order(pairs),
        reference_uids=[thing.uid for thing in comparison.reference],
        hypothesis_uids=[thing.uid for thing in comparison.hypotheses],
        counts=object_oriented(pairs, references=references, hypotheses=hypotheses),
        traditional=traditional(pairs, references=references, hypotheses=hypotheses),
        mean_pair_f=nan if many else mean_pair_f(pairs, references=references, hypotheses=hypotheses),
        cost=assessed_cost(one_to_one, false_negative=weighed[0], false_positive=weighed[1]),
        curve=curves[0],
        traditional_curve=curves[1],
        roc_area=nan if curves[0] is None else roc_area(curves[0]),
        pairing=pairing,
        units=units,
        tracking=track(pairing),
        probabilistic=score_alternatives(pairing, threshold=options.threshold_of(kind)),
        estimates=estimates,
        notes=_notes(kind, pairing, references, hypotheses, confidence, many),
    )


def _counted(kind: CaseType, things: Sequence[Thing]) -> Flags:
    named_only = kind.open and kind.compare == "content" and kind.members is None
    return np.array([not (named_only and thing.implied) for thing in things], np.bool_)


def _only(pairs: Pairs, counted: tuple[Flags, Flags]) -> Pairs:
    return pairs.only(counted[0][pairs.reference] & counted[1][pairs.hypothesis])


def _renumbered(pairs: Pairs, counted: Flags) -> Pairs:
    return replace(pairs, hypothesis=(np.cumsum(counted) - 1)[pairs.hypothesis])


def _in_order(pairs: Pairs) -> Pairs:
    return pairs.only(np.lexsort((pairs.hypothesis, pairs.reference)))


def _notes(
    kind: CaseType,
    pairing: Pairing,
    references: int,
    hypotheses: int,
    confidence: list[float | None],
    many: bool,
) -> list[str]:
    notes = []
    if hypotheses == 0 and references == 0:
        notes.append(f"Neither references nor hypotheses of {kind.name}: nothing can be said.")
    elif hypotheses == 0:
        notes.append(f"No hypotheses of {kind.name}: recall is 0 and precision unknown.")
    elif references == 0:
        notes.append(f"No references of {kind.name}: recall and NAC are unknown.")
    missing = sum(value is None for value in confidence)
    if hypotheses and missing:
        notes.append(f"{missing} of {hypotheses} hypotheses have no `confidence`, so there is no curve.")
    if many and kind.case:
        notes.append("Several cases may share a partner; cost, curve and intervals rest on the one-to-one pairing.")
    if pairing.found.survey is None:
        notes.append("So many cases share values that not even all pairs were counted: summaries of them are unknown.")
    basis = pairing.comparison.compiled.reference.basis
    if np.any(basis == 0):
        empty = int(np.sum(basis == 0))
        notes.append(f"{empty} references say nothing that has a weight, and can only be missed.")
    return notes
