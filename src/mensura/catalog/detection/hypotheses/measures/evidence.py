"""What a detector adds to the evidence it was given: scores split by what the evidence already said rightly."""

from dataclasses import dataclass
from math import nan
from typing import Any

from mensura.catalog.detection.hypotheses.compiling import canonical
from mensura.catalog.detection.hypotheses.measures.assertions import Assertion, Context, take_apart
from mensura.catalog.detection.hypotheses.measures.metrics import known
from mensura.catalog.detection.hypotheses.result import Scoring
from mensura.catalog.detection.hypotheses.specification import CaseType
from mensura.catalog.detection.hypotheses.things import Thing

STATES = ("correct", "corrupted", "omitted")
_WHOLE = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Part:
    """Weight of the reference's assertions in one state of the evidence, and how much of it hypotheses recall."""

    weight: float
    recalled: float

    @property
    def recall(self) -> float:
        """Share recalled; NaN where the reference has no such assertions."""
        return self.recalled / self.weight if self.weight else nan

    def as_json(self) -> dict[str, Any]:
        """Return weight and recall."""
        return {"weight": self.weight, "recall": known(self.recall)}


def split_by_evidence(hypotheses: Scoring, *, evidence: Scoring) -> dict[str, dict[str, Part]]:
    """Split recall by reference content that is correct in evidence, corrupted there, or omitted.

    Evidence is scored as if it were hypotheses; its pairing says which of its cases speaks of which reference. An
    assertion of the reference is correct if evidence meets it fully, corrupted if evidence has another value in its
    place or meets it in part, and omitted otherwise. Of several unmet values of one attribute, as many count as
    corrupted as evidence has other values, shared equally.
    """
    return {name: _split(name, hypotheses, evidence) for name in hypotheses.types if name in evidence.types}


def _split(name: str, hypotheses: Scoring, evidence: Scoring) -> dict[str, Part]:
    kind = hypotheses.specification.types[name]
    said, shown = _partners(name, hypotheses), _partners(name, evidence)
    contexts = [
        Context(each.specification, each.reference, each.hypotheses, each.nested) for each in (hypotheses, evidence)
    ]
    weight, recalled = dict.fromkeys(STATES, 0.0), dict.fromkeys(STATES, 0.0)
    for uid, thing in hypotheses.reference.of(name).items():
        ours = _assertions(kind, thing, said.get(uid), contexts[0])
        theirs = _assertions(kind, thing, shown.get(uid), contexts[1])
        shares = _states(theirs)
        for mine in ours:
            if mine.reference is None:
                continue
            for state, share in shares[mine.attribute, mine.reference].items():
                weight[state] += mine.weight * share
                recalled[state] += mine.weight * share * mine.recall
    return {state: Part(weight[state], recalled[state]) for state in STATES}


def _partners(name: str, score: Scoring) -> dict[str, Thing]:
    """Partner of every reference by identifier."""
    found = score.types[name]
    things = score.hypotheses.of(name)
    pairs = zip(found.pairing.pairs.reference.tolist(), found.pairing.pairs.hypothesis.tolist(), strict=True)
    return {found.reference_uids[i]: things[found.hypothesis_uids[j]] for i, j in pairs}


def _assertions(kind: CaseType, reference: Thing, partner: Thing | None, context: Context) -> list[Assertion]:
    if kind.compare != "content":
        # An object compared as a whole makes one assertion: that it is this one.
        met = 0.0 if partner is None else float(_same(kind, reference, partner, context))
        return [Assertion("", 1.0, reference.uid, None if partner is None else partner.uid, met, met)]
    hypothesis = {} if partner is None else partner.values
    return take_apart(kind, reference=reference.values, hypothesis=hypothesis, context=context)


def _same(kind: CaseType, reference: Thing, partner: Thing, context: Context) -> bool:
    mine = canonical(reference.uid, kind, context.specification, context.reference)
    return bool(mine == canonical(partner.uid, kind, context.specification, context.hypotheses))


def _states(evidence: list[Assertion]) -> dict[tuple[str, Any], dict[str, float]]:
    shares = {}
    for each in evidence:
        if each.reference is None:
            continue
        if each.recall >= _WHOLE:
            shares[each.attribute, each.reference] = {"correct": 1.0}
        elif each.recall > 0:
            shares[each.attribute, each.reference] = {"corrupted": 1.0}
        else:
            same = [other for other in evidence if other.attribute == each.attribute]
            unmet = sum(other.reference is not None and other.recall == 0 for other in same)
            spare = sum(other.reference is None for other in same)
            share = min(unmet, spare) / unmet
            shares[each.attribute, each.reference] = {"corrupted": share, "omitted": 1 - share}
    return shares
