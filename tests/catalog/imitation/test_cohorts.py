"""Verdicts by the cohort that people came in, from enrolment to the report of the study."""

import pytest

from mensura.catalog.imitation.showing.gathered import Gathered
from mensura.catalog.imitation.showing.judgement import cohorts
from mensura.dialogue import Scores
from mensura.dialogue.record import POOLED
from mensura.exhibit import Group
from mensura.report.study import study_report
from mensura.running.live import LiveSessions
from mensura.running.scoring.storing import score_finished
from mensura.running.study import Cast, Stopping, Study, analyse, conduct
from mensura.running.study.cohorts import cohorts_of
from mensura.running.study.procedure import Procedure
from mensura.running.study.recruiting import Applicant, enrol
from mensura.store import open_store
from tests.catalog.imitation.games import judge

PLACES = {
    "cohorts": {"size": 2, "per_condition": 4, "slots": ["2027-03-01 09:00", "2027-03-02 09:00"]},
    "criteria": [{"key": "adult", "text": "Are you 18 or older?"}],
}
TITLE = "By cohort"


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "mensura.db") as opened:
        yield opened


def study_of(who, **more):
    cast = Cast("game", {"judge": who, "human": "parrot", "machine": "eliza"})
    conditions = {"short": {"messages": 1, "delays": False}}
    return Study(
        "who-is-who", ("imitation",), (cast,), conditions=conditions, stopping=Stopping(most=4), seed=1, **more
    )


def shown_in(study, store):
    """Return the exhibit that the report of a study shows of its cohorts; it shows its games in any case."""
    report = study_report(analyse(study, store=store), store=store)
    found = {exhibit.title: exhibit for section in report.sections for exhibit in section.exhibits}
    assert "Judgement" in found
    return found.get(TITLE)


def play(live):
    """Let the judge say A, and everyone else yes."""
    session = live.session
    session.start()
    answers = judge()
    while session.status == "open":
        role, ask = next(iter(session.open.items()))
        session.answer(answers(ask) if role == "judge" else "Yes.", role=role, tick=session.clock.now + 1)


def test_a_study_shows_the_verdicts_of_each_cohort_with_their_intervals(store):
    study = study_of("human", procedure=PLACES)
    conduct(study, store=store)
    live, came = LiveSessions(store), {}
    for number, cohort in enumerate((1, 2, 1, 2)):
        applicant = Applicant("Ann", f"p{number}@example.org", {"adult": True})
        made = enrol(study, Procedure.read(PLACES), cohorts_of(study), applicant, cohort=cohort, store=store)
        (session,) = store.invitations.get(made.invited.number).sessions
        came[session] = cohort
        live.act(session, play)
        score_finished(store, session)
    (run,) = store.runs.all()
    truths = {record.session: known["verdict"] for record, known in store.records.with_truths(run.id)}
    right = [sum(truths[session] == "A" for session in came if came[session] == cohort) for cohort in (1, 2)]
    assert len(set(right)) > 1
    shown = shown_in(study, store)
    assert shown.columns == ("system", "cohort", "games", "hung", "right")
    assert [(row[1], row[2], row[4].value, row[4].n) for row in shown.rows] == [
        ("1", 2, right[0] / 2, 2),
        ("2", 2, right[1] / 2, 2),
    ]
    # Exact by hand: a bound p of one in two has 1 − (1 − p)² or p² = 0.025, as have both of two and none.
    root = 0.025**0.5
    bounds = {0: (0, 1 - root), 1: (1 - 0.975**0.5, 0.975**0.5), 2: (root, 1)}
    for row, count in zip(shown.rows, right, strict=True):
        assert (row[4].low, row[4].high) == pytest.approx(bounds[count])


def test_programs_come_in_no_cohort(store):
    study = study_of("keyword")
    conduct(study, store=store)
    assert shown_in(study, store) is None


def grouped(*met):
    def scores(place):
        game = {"session": f"0.0.{place}", "void": "", "decision": "A", "truth": "AB"[place % 2], "system": "eliza"}
        return Scores({}, {POOLED: {"games": [{**game, "pretends": True, "verdicts": []}]}})

    return Gathered.of(Group("eliza", "", {}, [scores(place) for place in range(len(met))], cohorts=met))


def test_cohorts_stand_in_the_order_of_their_numbers_and_alone_there_is_nothing_to_compare():
    assert cohorts([grouped((1,), (1,))]) == cohorts([grouped((), ())]) == []
    (shown,) = cohorts([grouped((10,), (2,), (1, 2), ())])
    assert [(row[1], row[2]) for row in shown.rows] == [("1, 2", 1), ("2", 1), ("10", 1)]
