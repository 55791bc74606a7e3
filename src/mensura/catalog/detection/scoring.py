"""Scores of a session: the last hypotheses against the truth, the alerts before, and what evidence alone would earn."""

from collections.abc import Mapping
from math import nan
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.measures.alerts import score_alerts
from mensura.catalog.detection.hypotheses.measures.evidence import split_by_evidence
from mensura.catalog.detection.hypotheses.measures.metrics import known
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.result import Scoring, TypeScore
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.things import Things, parse_things
from mensura.catalog.detection.space import specification
from mensura.catalog.detection.world.truth import ATTACK, GROUP, MODE, PERSON
from mensura.dialogue import Items, Record, Score, Scores
from mensura.scores.matching.arrays import Floats

FINAL = "hypotheses"
_SHORT = {ATTACK: "attack", GROUP: "group", PERSON: "person"}
SCORES = (
    Score("attack_f_score", better="more", low=0, high=1, label="attack F"),
    Score("attack_recall", better="more", low=0, high=1),
    # Precision and AUC are about what was said only: silence counts in the others, not here.
    *(
        Score(f"{short}_{name}", better="more", low=0, high=1, unanswered=None if name == "precision" else "worst")
        for short in _SHORT.values()
        for name in ("precision", "recall_of_all", "mean_f")
    ),
    # Silence scores 0; the more is said that is false, the further below.
    *(
        Score(f"{short}_nacc", better="more", high=1, label=f"{short} NACC", unanswered=0.0)
        for short in _SHORT.values()
    ),
    Score("attack_auc", better="more", low=0, high=1, label="attack AUC", unanswered=None),
    Score("alert_f", better="more", low=0, high=1, label="alert F"),
    Score("gain_over_evidence", better="more", low=-1, high=1),
)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a session.

    `attack_f_score` and `attack_recall` have one value per attack in the truth, 0 where it was missed. For attacks,
    groups and persons: `*_precision`, `*_recall_of_all`, `*_mean_f` (null pairs count as 0, so silence scores 0) and
    `*_nacc`. `attack_auc` is NaN unless every attack has a confidence. `alert_f` discounts alerts by their timeliness.
    `gain_over_evidence` is the mean F of attacks above that of the cases that stand in evidence already. A subject
    that leaves the last question unanswered has said nothing; if we lost the answer nothing is known.
    """
    truth = truths.get(FINAL)
    last = next((answer for answer in reversed(record.answers) if answer.key == FINAL), None)
    if truth is None or last is None or record.outcome_of(last) == "lost":
        return Scores(dict.fromkeys(("attack_mean_f", "attack_nacc", "alert_f", "gain_over_evidence"), nan))
    answer = record.given().get(FINAL, ())
    reference = _things(truth["reference"])
    options = ScoringOptions(resamples=0)
    found = score_hypotheses(specification(), reference=reference, hypotheses=_things(answer), options=options)
    evidence = score_hypotheses(
        specification(), reference=reference, hypotheses=_things(truth["in_evidence"]), options=options
    )
    alerts = score_alerts(specification(), reference=reference, alerts=_alerts(record, truth), options=options)[ATTACK]
    attacks = found.types[ATTACK]
    values: dict[str, Items | float] = {
        "attack_f_score": Items(_per_reference(attacks, attacks.pairs.f), attacks.reference_uids),
        "attack_recall": Items(_per_reference(attacks, attacks.pairs.recall), attacks.reference_uids),
    }
    for name, short in _SHORT.items():
        each = found.types[name]
        values |= {
            f"{short}_precision": each.counts.precision,
            f"{short}_recall_of_all": each.counts.recall,
            f"{short}_mean_f": each.mean_pair_f,
            f"{short}_nacc": each.cost.nacc,
        }
    values |= {
        "attack_auc": nan if attacks.curve is None else attacks.curve.area,
        "alert_f": alerts.timely.f,
        "gain_over_evidence": attacks.mean_pair_f - evidence.types[ATTACK].mean_pair_f,
    }
    return Scores(values, _details(found, evidence, alerts.as_json()))


def _details(found: Scoring, evidence: Scoring, alerts: dict[str, Any]) -> dict[str, Any]:
    attacks = found.types[ATTACK]
    parts = split_by_evidence(found, evidence=evidence)[ATTACK]
    return {
        "attacks": attacks.references,
        "hypothesised": attacks.hypotheses,
        "paired": len(attacks.pairs),
        "greedy_gap": known(attacks.pairing.greedy_gap),
        "unique": attacks.pairing.unique,
        "evidence_mean_f": known(evidence.types[ATTACK].mean_pair_f),
        "by_evidence": {state: part.as_json() for state, part in parts.items()},
        "alerts": alerts,
    }


def _per_reference(found: TypeScore, values: Floats) -> Floats:
    scores = np.zeros(len(found.reference_uids))
    scores[found.pairs.reference] = values
    return scores


def _things(records: Any) -> Things:
    return parse_things(enumerate(records, 1), specification=specification(), source="answer")


def _alerts(record: Record, truth: Mapping[str, Any]) -> Things:
    """Gather the attacks alerted along the way; of alerts with one identifier the first counts.

    Persons with several names count as first given; a later class that claims one of their names is left out.
    """
    days: Mapping[str, int] = truth["days"]
    attacks: dict[str, dict[str, Any]] = {}
    persons: dict[str, dict[str, Any]] = {}
    claimed: set[str] = set()
    for answer in record.answers:
        if answer.key not in days or answer.status != "answered":
            continue
        for each in answer.value:
            if each["type"] == ATTACK:
                bare = {key: value for key, value in each.items() if key != "performedBy"}
                attacks.setdefault(each["uid"], bare | {"submitted": days[answer.key]})
            elif each["type"] == PERSON and claimed.isdisjoint(_names(each)):
                claimed.update(_names(each))
                persons.setdefault(each["uid"], each)
    modes = [each for each in truth["reference"] if each["type"] == MODE]
    return _things([*modes, *persons.values(), *attacks.values()])


def _names(person: Mapping[str, Any]) -> list[str]:
    given = person.get("hasMember", [])
    return [str(each) for each in (given if isinstance(given, list) else [given])] or [str(person["uid"])]
