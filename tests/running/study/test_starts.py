"""Whether it mattered when people began: read from what is stored of them."""

from datetime import datetime

import numpy as np
import pytest
from sqlalchemy import text

from mensura.dialogue import Scores
from mensura.errors import BadData
from mensura.report.study import study_report
from mensura.running.live import LiveSessions
from mensura.running.study import Cast, Hypothesis, Stopping, Study, analyse, conduct, invite
from mensura.running.study.observing import ObserverNotes
from mensura.running.study.start_bias import start_bias
from mensura.running.study.starts import starts_of

MORNING, EVENING, NEXT_DAY = (datetime(2027, 3, day, hour).timestamp() for day, hour in ((1, 9), (1, 18), (2, 9)))


def plan(cast):
    conditions = {"few": {"flips": 1}, "many": {"flips": 2}}
    return Study("starts", ("coin",), (cast,), conditions=conditions, stopping=Stopping(most=12), seed=1)


@pytest.fixture
def study(store):
    made = plan(Cast("people", {"": "human"}))
    conduct(made, store=store)
    return made


def came(study, store, *, at, scored):
    """Let someone take part at a time and have a score."""
    number = invite(study, 1, store=store)[0].number
    session = next(step.session for step in store.invitations.get(number).steps if step.session)
    live = LiveSessions(store)
    while store.sessions.find(session).status == "open":
        live.act(session, lambda one: one.session.answer(0.5))
    with store.database.writing() as connection:
        row = "(SELECT number FROM sessions WHERE id = :id)"
        changed = text(f"UPDATE events SET time = :at WHERE session = {row}")
        connection.execute(changed, {"at": at, "id": session})
    run = store.runs.find(store.sessions.find(session).run)
    store.results.add(
        session,
        Scores({"quadratic_score": scored}),
        scoring="made-up",
        instance_hash=run.instance_hash,
        environment_hash=run.environment_hash,
    )
    return session


def test_people_who_do_worse_in_the_evening_are_found(study, store):
    for k in range(8):
        came(study, store, at=MORNING, scored=1 + 0.01 * k)
        came(study, store, at=EVENING, scored=2 - 0.01 * k)
    (found,) = starts_of(study, score="quadratic_score", store=store)
    assert (found.by, found.n) == ("time of day", 16)
    assert "matters" in found.sentence


def test_days_are_compared_as_hours_are_and_whoever_is_left_out_does_not_count(study, store):
    for k in range(4):
        came(study, store, at=MORNING, scored=1 + 0.1 * (k % 2))
        came(study, store, at=NEXT_DAY, scored=1.1 - 0.1 * (k % 2))
    odd = came(study, store, at=NEXT_DAY, scored=100.0)
    store.exclusions.decide(odd, reason="asleep", who="Eve")
    (found,) = starts_of(study, score="quadratic_score", store=store)
    assert (found.by, found.n) == ("weekday", 8)
    assert "shows no effect" in found.sentence


def test_the_report_of_people_says_whether_start_times_mattered_and_who_is_not_judged_yet(store):
    conditions = {"few": {"flips": 1}, "many": {"flips": 2}}
    hypothesis = Hypothesis("more is better", "quadratic_score", ("many", "few"))
    people = Cast("people", {"": "human"})
    made = Study("starts", ("coin",), (people,), conditions=conditions, hypotheses=(hypothesis,), seed=1)
    conduct(made, store=store)
    for k in range(4):
        came(made, store, at=MORNING, scored=1 + 0.1 * (k % 2))
        came(made, store, at=EVENING, scored=1.1 - 0.1 * (k % 2))
    number = store.invitations.all()[0].number
    ObserverNotes(store).flag(number, "long idle", who="Erin")
    notes = study_report(analyse(made, store=store), store=store).sections[0].points["Notes"]
    assert any(note.startswith("Start times, quadratic_score: The time of day at which people began") for note in notes)
    assert f"Flagged by an observer, not judged yet, and counted here: {number}." in notes
    ObserverNotes(store).judge(number, out=False, reason="was reading", who="Eve")
    assert not any("Flagged" in note for note in analyse(made, store=store).notes)


def test_what_cannot_be_compared_is_said(study, store):
    with pytest.raises(BadData, match="has a score called 'quadratic_score' yet"):
        starts_of(study, score="quadratic_score", store=store)
    came(study, store, at=MORNING, scored=1.0)
    with pytest.raises(BadData, match="at the same time of day and on the same day"):
        starts_of(study, score="quadratic_score", store=store)


def test_programs_have_no_start(store):
    made = plan(Cast("programs", {"": "chance"}))
    conduct(made, store=store)
    with pytest.raises(BadData, match="Nobody in starts is a person"):
        starts_of(made, score="quadratic_score", store=store)


def test_the_bias_of_start_times_agrees_with_statsmodels():
    import pandas
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    rng = np.random.default_rng(1)
    frame = pandas.DataFrame({"kind": rng.choice(list("abc"), 60), "start": rng.choice(["am", "pm", "eve"], 60)})
    frame["score"] = rng.normal(size=60) + (frame["kind"] == "a")
    found = start_bias(frame["score"], frame["kind"], frame["start"])
    table = anova_lm(ols("score ~ C(kind) + C(start)", frame).fit(), typ=2)
    assert found.f == pytest.approx(table.loc["C(start)", "F"])
    assert found.p == pytest.approx(table.loc["C(start)", "PR(>F)"])


def test_conditions_that_met_at_one_time_each_cannot_be_judged():
    with pytest.raises(BadData, match="cannot be told apart"):
        start_bias([1, 2, 3, 4], list("aabb"), ["am", "am", "pm", "pm"])
