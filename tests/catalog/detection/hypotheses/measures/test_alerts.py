"""Alerts earn more the earlier they come."""

from itertools import permutations

import numpy as np
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
    # Each true alert says one of two things (recall 1/2); timeliness 1, 1/2 and 0. One alert is wholly wrong.
    assert found.timely.precision == pytest.approx(0.75 / (0.75 + 1))
    assert found.timely.recall == pytest.approx(0.75 / 4)
    assert found.timely.f == pytest.approx(2 * 0.75 / (4 + 0.75 + 1))
    assert found.lead.tolist() == [50, 10]
    assert found.false_alarms == 1


def test_a_further_correct_alert_never_lowers_the_score(specify):
    specification = specify(TEXT)
    truth = things([attack("1", "t", end=100)], specification)
    vague = attack("a", "t", submitted=10)
    alerts = [vague, *(attack(f"b{day}", "t", end=100, submitted=day) for day in (97, 100, 120))]
    scores = [
        score_alerts(specification, reference=truth, alerts=things(alerts[:count], specification))["Attack"].timely.f
        for count in (1, 2, 3, 4)
    ]
    assert scores == pytest.approx([2 / 3] * 4)


def test_alerts_agree_with_a_plain_count_over_all_pairings_and_never_fall_by_truth(specify):
    specification, rng = specify(TEXT), np.random.default_rng(4)

    def drawn(day=None):
        said = {"target": f"t{rng.integers(3)}", "end": int(rng.integers(20, 23))}
        return said if day is None else {key: said[key] for key in said if rng.random() < 0.7} | {"submitted": day}

    def plain(events, alerts):
        def shared(event, alert):
            return sum(event[key] == alert.get(key) for key in ("target", "end"))

        def early(event, alert):
            return shared(event, alert) / 2 * min(max((event["end"] - alert["submitted"]) / 20, 0), 1)

        long, short = (events, alerts) if len(events) > len(alerts) else (alerts, events)
        caught = max(
            sum(early(a, b) if short is alerts else early(b, a) for a, b in zip(chosen, short, strict=True))
            for chosen in permutations(long, len(short))
        )
        wrong = sum(1 - max(shared(event, alert) for event in events) / max(len(alert) - 1, 1) for alert in alerts)
        return 2 * caught / (len(events) + caught + wrong)

    def found(events, alerts):
        sides = [
            things([{"type": "Attack", "uid": f"{name}{n}", **each} for n, each in enumerate(side)], specification)
            for name, side in (("r", events), ("a", alerts))
        ]
        return score_alerts(specification, reference=sides[0], alerts=sides[1])["Attack"].timely.f

    for _ in range(30):
        events = [drawn() for _ in range(rng.integers(1, 4))]
        alerts = [drawn(day) for day in rng.integers(0, 25, size=rng.integers(1, 4)).tolist()]
        before = found(events, alerts)
        assert before == pytest.approx(plain(events, alerts))
        for day in (0, 15, 30):
            assert found(events, [*alerts, events[0] | {"submitted": day}]) >= before - 1e-12


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
