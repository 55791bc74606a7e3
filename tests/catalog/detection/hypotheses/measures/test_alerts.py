"""Alerts earn more the earlier they come."""

import pytest

from mensura.catalog.detection.hypotheses.measures.alerts import score_alerts
from mensura.catalog.detection.hypotheses.things import parse_things
from mensura.errors import BadFile, BadParameter

TEXT = """
types:
  Attack:
    case: true
    alerts: {event: end, full_lead: 20}
    attributes: {target: {domain: string}, end: {domain: date}}
"""


def things(records, specification):
    return parse_things(enumerate(records, 1), specification=specification, source="A.jsonl")


def attack(uid, target, **more):
    return {"type": "Attack", "uid": uid, "target": target, **more}


def test_credit_grows_with_lead_up_to_the_full_lead_and_is_none_after_the_event(specify):
    specification = specify(TEXT)
    truth = things([attack(str(n), f"t{n}", end=100) for n in range(4)], specification)
    alerts = things(
        [
            attack("a", "t0", submitted=50),
            attack("b", "t1", submitted=90),
            attack("c", "t2", submitted=101),
            attack("d", "elsewhere", submitted=1),
        ],
        specification,
    )
    found = score_alerts(specification, reference=truth, alerts=alerts)["Attack"]
    # Each pair: precision 1 (only the target is said), recall 1/2; timeliness 1, 1/2 and 0.
    assert found.timely.precision == pytest.approx((1 + 0.5 + 0) / 4)
    assert found.timely.recall == pytest.approx((0.5 + 0.25 + 0) / 4)
    assert found.lead.tolist() == [50, 10, -1]
    assert (found.in_time, found.false_alarms) == (2, 1)


def test_step_curve_asks_for_the_full_lead(specify):
    specification = specify(TEXT.replace("full_lead: 20", "full_lead: 20, curve: step"))
    truth = things([attack("1", "t", end=100)], specification)
    for submitted, recall in ((80, 1 / 2), (81, 0)):
        alerts = things([attack("a", "t", submitted=submitted)], specification)
        found = score_alerts(specification, reference=truth, alerts=alerts)["Attack"]
        assert found.timely.recall == pytest.approx(recall)


def test_an_alert_without_a_date_is_refused(specify):
    specification = specify(TEXT)
    alerts = things([attack("a", "t")], specification)
    with pytest.raises(BadFile, match=r"A\.jsonl, line 1: the alert 'a' has no `submitted` date"):
        score_alerts(specification, reference=alerts, alerts=alerts)


def test_a_specification_that_rewards_no_alerts_is_told_how(specify):
    specification = specify(TEXT.replace("    alerts: {event: end, full_lead: 20}\n", ""))
    nothing = things([], specification)
    with pytest.raises(BadParameter, match="alerts"):
        score_alerts(specification, reference=nothing, alerts=nothing)
