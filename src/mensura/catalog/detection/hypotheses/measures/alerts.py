"""Alerts: hypotheses submitted before the event, worth more the earlier they come."""

from dataclasses import dataclass, replace
from math import nan
from typing import Any

import numpy as np

from mensura.catalog.detection.hypotheses.lineup import Lineup
from mensura.catalog.detection.hypotheses.measures.metrics import Counts, known_fields
from mensura.catalog.detection.hypotheses.options import ScoringOptions
from mensura.catalog.detection.hypotheses.scorer import score_hypotheses
from mensura.catalog.detection.hypotheses.specification import Specification, Timeliness
from mensura.catalog.detection.hypotheses.things import Things
from mensura.errors import BadFile, BadParameter
from mensura.scores.matching import Candidates, optimal
from mensura.scores.matching.arrays import Floats


@dataclass(frozen=True, slots=True)
class AlertScore:
    """How good and how early the alerts of one type were.

    `timely` are precision, recall and F as `score_alerts` defines them; `lead` holds days before the event, one per
    event that an alert caught in time. A false alarm is an alert that is true of no event, whenever it was raised.
    """

    alerts: int
    references: int
    timely: Counts
    lead: Floats
    false_alarms: int

    def as_json(self) -> dict[str, Any]:
        """Return everything as JSON; unknown numbers are null."""
        return {
            "alerts": self.alerts,
            "references": self.references,
            **known_fields(self.timely),
            "mean_lead": float(self.lead.mean()) if len(self.lead) else None,
            "in_time": len(self.lead),
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
    r"""Score alerts by type, for the types whose specification says when the event is and what lead earns.

    Every alert is compared with every event. Caught, :math:`c`, is the greatest sum of recall times timeliness over
    one-to-one pairs; wrong, :math:`w`, the sum over alerts of one minus the best precision with any event, whenever it
    was raised. Of :math:`n` events recall is :math:`c / n`, precision :math:`c / (c + w)` and F
    :math:`2 c / (n + c + w)`. So an alert that is true of an event never lowers any of them, however late or often
    it is raised.
    """
    options = options or ScoringOptions()
    timed = {name: kind.timeliness for name, kind in specification.types.items() if kind.case and kind.timeliness}
    if not timed:
        raise BadParameter("No type of the specification says `alerts: {event: ..., full_lead: ...}`.")
    for name in timed:
        for thing in alerts.of(name).values():
            if thing.submitted is None:
                raise BadFile(f"{alerts.source}, line {thing.line}: the alert {thing.uid!r} has no `submitted` date.")
    # Only who stands beside whom is needed, so nothing is resampled.
    quick = replace(options, resamples=0)
    score = score_hypotheses(specification, reference=reference, hypotheses=alerts, options=quick)
    return {name: _score(rule, score.types[name].lineup, options) for name, rule in timed.items()}


def _score(rule: Timeliness, lineup: Lineup, options: ScoringOptions) -> AlertScore:
    pairs = lineup.all_pairs(options, needed_for="the scoring of alerts")
    events = np.array([thing.values.get(rule.event, [nan])[0] for thing in lineup.reference], np.float64)
    submitted = np.array([thing.submitted for thing in lineup.hypotheses], np.float64)
    lead = events[pairs.reference] - submitted[pairs.hypothesis]
    worth = pairs.recall * np.nan_to_num(timeliness(lead, rule=rule))
    early = pairs.only(worth > 0)
    entries = Candidates.of(lineup.likeness.shape, early.reference, early.hypothesis, worth[worth > 0])
    best = optimal(entries)
    rows = np.flatnonzero(best.partner >= 0)
    right = np.zeros(len(submitted))
    np.maximum.at(right, pairs.hypothesis, pairs.precision)
    caught, wrong, references = best.total, float(np.sum(1 - right)), len(events)
    return AlertScore(
        alerts=len(submitted),
        references=references,
        timely=Counts(
            precision=caught / (caught + wrong) if caught + wrong else nan,
            recall=caught / references if references else nan,
            f=2 * caught / (references + caught + wrong) if references else nan,
        ),
        lead=events[rows] - submitted[best.partner[rows]],
        false_alarms=int(np.sum(right == 0)),
    )
