"""Alerts: hypotheses submitted before the event, worth more the earlier they come."""

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.measures.metrics import Counts, harmonic, known_fields
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification import CaseType, Specification, Timeliness
from mensura.catalog.detection.hypotheses.things import Things
from mensura.errors import BadFile, BadParameter
from mensura.scores.matching.arrays import Floats


@dataclass(frozen=True, slots=True)
class AlertScore:
    """How good and how early the alerts of one type were.

    `timely` are precision, recall and F with every pair discounted by its timeliness; `lead` holds days before the
    event, one per paired alert, negative where the alert came after it.
    """

    alerts: int
    references: int
    timely: Counts
    lead: Floats
    in_time: int
    false_alarms: int

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON; unknown numbers are null."""
        return {
            "alerts": self.alerts,
            "references": self.references,
            **known_fields(self.timely),
            "mean_lead": float(self.lead.mean()) if len(self.lead) else None,
            "in_time": self.in_time,
            "false_alarms": self.false_alarms,
        }


def timeliness(lead: Floats, *, rule: Timeliness) -> Floats:
    """Share of its credit that an alert earns by its lead.

    >>> timeliness(np.array([-1.0, 0.0, 15.0, 40.0]), rule=Timeliness("endingDate", full=30))
    array([0. , 0. , 0.5, 1. ])
    """
    if rule.curve == "step":
        return (lead >= rule.full).astype(np.float64)
    return np.clip(lead / rule.full, 0.0, 1.0)


def score_alerts(
    specification: Specification, *, reference: Things, alerts: Things, options: ScoringOptions | None = None
) -> dict[str, AlertScore]:
    """Score alerts by type, for the types whose specification says when the event is and what lead earns.

    Alerts are paired as hypotheses are, by the matrix of F in hindsight, whatever their date; then every pair's
    precision and recall are multiplied by its timeliness.
    """
    timed = {name: kind for name, kind in specification.types.items() if kind.case and kind.timeliness}
    if not timed:
        raise BadParameter("No type of the specification says `alerts: {event: ..., full_lead: ...}`.")
    for name in timed:
        for thing in alerts.of(name).values():
            if thing.submitted is None:
                raise BadFile(f"{alerts.source}, line {thing.line}: the alert {thing.uid!r} has no `submitted` date.")
    score = score_hypotheses(specification, reference=reference, hypotheses=alerts, options=options)
    return {name: _score(kind, score.types[name]) for name, kind in timed.items()}


def _score(kind: CaseType, found: Any) -> AlertScore:
    rule = kind.timeliness
    assert rule is not None
    lineup, pairs = found.lineup, found.pairing.pairs
    events = np.array([thing.values.get(rule.event, [nan])[0] for thing in lineup.reference], np.float64)
    submitted = np.array([thing.submitted for thing in lineup.hypotheses], np.float64)
    lead = events[pairs.reference] - submitted[pairs.hypothesis]
    share = np.where(np.isnan(lead), 0.0, timeliness(lead, rule=rule))
    recall = float(np.sum(pairs.recall * share)) / found.references if found.references else nan
    precision = float(np.sum(pairs.precision * share)) / found.hypotheses if found.hypotheses else nan
    return AlertScore(
        alerts=found.hypotheses,
        references=found.references,
        timely=Counts(precision, recall, harmonic(precision, recall)),
        lead=lead[~np.isnan(lead)],
        in_time=int(np.sum(lead > 0)),
        false_alarms=found.hypotheses - len(pairs),
    )
