"""The envelope: a study that sweeps parameters shows where detectors break."""

import pytest

from mensura.catalog.detection.exhibits import detection_envelope, detection_exhibits
from mensura.catalog.detection.scoring import score
from mensura.dialogue import Scores
from mensura.exhibit import Group
from mensura.running.run import run
from mensura.running.study import conduct, exhibits_of
from mensura.running.study.plan import Cast, Stopping, Study
from mensura.store import open_store


def group(name, values, **parameters):
    return Group(name, "", {"days": 240, **parameters}, [Scores({"attack_mean_f": value}) for value in values])


def test_the_score_is_shown_along_the_swept_parameter_with_a_panel_for_every_other():
    groups = [
        group(f"{detector} in some cell", [0.1 * seen, 0.3 * seen, 0.2], observability=seen, corruption=wrong)
        for detector in ("links", "rules")
        for seen in (0.5, 1.0, 1.5)
        for wrong in (1.0, 5.0)
    ]
    (shown,) = detection_envelope(groups)
    assert shown.title == "Envelope: mean F of attacks by observability"
    assert shown.rows[0][:3] == ("links, corruption 1", "0.5", "0.13")
    assert len(shown.rows) == 12
    assert shown.rows[0][-1] == "3"
    drawn = shown.figures[0].svg
    assert "corruption 5" in drawn
    assert "observability" in drawn


def test_nothing_is_shown_where_nothing_is_swept():
    assert detection_envelope([group("links", [0.1, 0.2]), group("rules", [0.1, 0.3])]) == []


@pytest.mark.slow
def test_a_study_over_a_parameter_gives_the_envelope_as_a_picture(tmp_path):
    study = Study(
        name="small",
        question="Does seeing more help?",
        tests=("detection",),
        casts=(Cast("echo", {"": "echo"}), Cast("links", {"": "links"})),
        conditions={"": {"batch_days": 1000, "individuals": 150}},
        factors={"observability": (0.3, 1.2)},
        stopping=Stopping(most=5),
        seed=1,
    )
    with open_store(f"sqlite:///{tmp_path}/study.db") as store:
        conduct(study, store=store)
        shown = exhibits_of(study, store=store)[0]
    means = {row[:2]: float(row[2]) for row in shown.rows}
    assert means["links", "1.2"] > means["links", "0.3"]
    assert "<svg" in shown.figures[0].svg


def test_a_run_shows_what_was_added_to_evidence_and_how_timely_the_alerts_were(tmp_path):
    with open_store(f"sqlite:///{tmp_path}/run.db") as store:
        settings = {"individuals": 120, "days": 120, "batch_days": 60}
        head = run("detection-v2", "echo", sessions=2, seed=1, store=store, parameters=settings).head
        group = Group("echo", "", settings, [score(*each) for each in store.records.with_truths(head.id)])
    evidence, alerts = detection_exhibits([group])
    assert evidence.title == "What was added to evidence"
    assert evidence.rows[0][0] == "echo"
    assert alerts.title == "Alerts"
    assert alerts.lines[0][1] == str(sum(scores.details["attacks"] for scores in group.scores))
