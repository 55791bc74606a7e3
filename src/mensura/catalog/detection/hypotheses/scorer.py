"""Scores hypotheses against a reference: leaf types first, up the graph of types, each pair compared once."""

from collections.abc import Sequence
from dataclasses import replace
from math import nan

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.hypotheses.compiling import Nested, compile_cases
from mensura.catalog.detection.hypotheses.lineup import Lineup
from mensura.catalog.detection.hypotheses.measures.curves import precision_recall, roc_area
from mensura.catalog.detection.hypotheses.measures.intervals import (
    intervals,
    repaired_intervals,
    shared_partners,
    units_of,
)
from mensura.catalog.detection.hypotheses.measures.metrics import (
    assessed_cost,
    mean_pair_f,
    object_oriented,
    traditional,
)
from mensura.catalog.detection.hypotheses.measures.probabilistic import score_alternatives
from mensura.catalog.detection.hypotheses.measures.tracking import track
from mensura.catalog.detection.hypotheses.naming import compare_by_uid, resolve, unalias
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.pause import collector_paused
from mensura.catalog.detection.hypotheses.result import Scoring, TypeScore
from mensura.catalog.detection.hypotheses.specification import CaseType, Specification
from mensura.catalog.detection.hypotheses.things import Thing, Things
from mensura.scores.matching import Pairing, ScoredPairs

Flags = NDArray[np.bool_]


def score_hypotheses(
    specification: Specification, *, reference: Things, hypotheses: Things, options: ScoringOptions | None = None
) -> Scoring:
    """Score hypotheses, as read by `read_things`, against the reference by a specification; identifiers are resolved.

    References
    ----------
    .. [1] Schrag and Takikawa (2006), Scoring hypotheses from threat detection technologies, AAAI Fall Symposium on
       Capturing and Using Patterns for Evidence Detection.
    """
    options = options or ScoringOptions()
    options.check(specification)
    with collector_paused():
        return _score(_with(specification, options), reference, hypotheses, options)


def _score(specification: Specification, reference: Things, hypotheses: Things, options: ScoringOptions) -> Scoring:
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
        lineup = _lineup(kind, specification, reference, hypotheses, nested)
        crisp = specification.reading == "crisp"
        known = lineup.all_pairs(options, needed_for="local pairing") if name in local else None
        if known is not None:
            nested.tables[name] = lineup.table(known, crisp=crisp)
        if not kind.case:
            continue
        pairing = lineup.pair(options, force=specification.force, known=known)
        below = (types[each.domain].pairing.unique for each in kind.attributes.values() if each.domain in types)
        pairing = replace(pairing, unique=pairing.unique and all(below))
        nested.partners[name] = lineup.partners(pairing.pairs, crisp=crisp)
        types[name] = _score_type(lineup, pairing, options)
    return Scoring(specification, types, reference, hypotheses, nested)


def _with(specification: Specification, options: ScoringOptions) -> Specification:
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


def _lineup(
    kind: CaseType, specification: Specification, reference: Things, hypotheses: Things, nested: Nested
) -> Lineup:
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
    return Lineup.of(kind, compiled, reference=sides[0], hypotheses=sides[1])


def _score_type(lineup: Lineup, pairing: Pairing, options: ScoringOptions) -> TypeScore:
    kind, costs = lineup.kind, lineup.likeness.costs
    counted = (_counted(kind, lineup.reference), _counted(kind, lineup.hypotheses))
    references, hypotheses = int(counted[0].sum()), int(counted[1].sum())
    many = options.many
    one_to_one = _only(pairing.pairs, counted)
    pairs = _only(lineup.many_pairs(pairing, how=options.pairs), counted) if many else one_to_one
    units = units_of(pairing, counted=counted)
    confidence = [thing.confidence for thing, counts in zip(lineup.hypotheses, counted[1], strict=True) if counts]
    renumbered = replace(one_to_one, hypothesis=(np.cumsum(counted[1]) - 1)[one_to_one.hypothesis])
    curves = [
        precision_recall(renumbered, confidence=confidence, references=references, **how)
        for how in ({"area": options.area}, {"area": options.area, "count": True})
    ]
    if options.repair:
        estimates = repaired_intervals(units, pairing=pairing, resamples=options.resamples)
    else:
        estimates = intervals(units, resamples=options.resamples)
    counts = object_oriented(pairs, references=references, hypotheses=hypotheses)
    hits = traditional(pairs, references=references, hypotheses=hypotheses)
    if many:
        estimates |= shared_partners(counts, hits, n=len(units))
    return TypeScore(
        lineup=lineup,
        references=references,
        hypotheses=hypotheses,
        pairs=pairs.only(np.lexsort((pairs.hypothesis, pairs.reference))),
        counts=counts,
        traditional=hits,
        mean_pair_f=nan if many else mean_pair_f(pairs, references=references, hypotheses=hypotheses),
        cost=assessed_cost(one_to_one, false_negative=costs[0] * counted[0], false_positive=costs[1] * counted[1]),
        curve=curves[0],
        traditional_curve=curves[1],
        roc_area=nan if curves[0] is None else roc_area(curves[0]),
        pairing=pairing,
        units=units,
        tracking=track(pairing),
        probabilistic=score_alternatives(lineup, pairing, threshold=options.threshold_of(kind)),
        estimates=estimates,
        notes=_notes(lineup, pairing, references, hypotheses, confidence, many),
    )


def _counted(kind: CaseType, things: Sequence[Thing]) -> Flags:
    named_only = kind.open and kind.compare == "content" and kind.members is None
    return np.array([not (named_only and thing.implied) for thing in things], np.bool_)


def _only(pairs: ScoredPairs, counted: tuple[Flags, Flags]) -> ScoredPairs:
    return pairs.only(counted[0][pairs.reference] & counted[1][pairs.hypothesis])


def _notes(
    lineup: Lineup, pairing: Pairing, references: int, hypotheses: int, confidence: list[float | None], many: bool
) -> list[str]:
    kind, notes = lineup.kind, []
    if hypotheses == 0 and references == 0:
        notes.append(f"Neither references nor hypotheses of {kind.name}: nothing can be said.")
    elif hypotheses == 0:
        notes.append(f"No hypotheses of {kind.name}: recall is 0 and precision unknown.")
    elif references == 0:
        notes.append(f"No references of {kind.name}: recall and NAC are unknown.")
    missing = sum(value is None for value in confidence)
    if hypotheses and missing:
        notes.append(f"{missing} of {hypotheses} hypotheses have no confidence, so there is no curve.")
    if many and kind.case:
        notes.append(
            "Several cases may share a partner, so precision, recall and F have no interval and two detectors are not "
            "compared. Cost and curve are those of the one-to-one pairing."
        )
    if pairing.shortlist.survey is None:
        notes.append("Too many cases share values to count all pairs: summaries of them are unknown.")
    apart = int(np.sum(pairing.pairs.f[: pairing.forced] < 0.5))
    if apart:
        notes.append(
            f"{apart} of {pairing.forced} pairs made by force, because both sides have the same identifier, agree on "
            "less than half. If identifiers are only numbers of lines, score with --free-uids."
        )
    priced = sum(thing.costs is not None for thing in lineup.hypotheses)
    if priced:
        notes.append(f"{priced} hypotheses state costs, which count only in the answer key and the specification.")
    basis = pairing.likeness.sides.reference.basis
    if np.any(basis == 0):
        empty = int(np.sum(basis == 0))
        notes.append(f"{empty} references say nothing that has a weight, and can only be missed.")
    return notes
