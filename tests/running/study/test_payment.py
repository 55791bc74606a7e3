"""Payment: half hours begun and milestones reached, also of those who leave early or withdraw."""

from mensura.dialogue import Event, Scores
from mensura.running.study.observing import ObserverNotes
from mensura.running.study.payment import payment, payments
from mensura.running.study.procedure import Pay, Procedure
from mensura.running.study.recruiting import seats_of
from tests.running.study.office import PROCEDURE, apply


def test_half_hours_begun_are_paid_and_unknown_milestones_are_not_zero():
    terms = Pay(10, {"schedule": 12, "briefing": 4})
    assert payment(seconds=1801, milestones=None, pay=terms).as_json() == {
        "subject": "",
        "half_hours": 2,
        "base": 20,
        "bonus": 0,
        "waiting": 0,
        "total": 20,
        "withdrew": False,
        "milestones": {"schedule": None, "briefing": None},
    }
    assert payment(seconds=0, milestones={"schedule": True}, pay=terms).total == 12


def test_those_who_never_came_are_not_paid(study, store):
    apply(study, store)
    assert payments("office", Procedure.read(PROCEDURE).pay, store=store) == []


def test_whoever_withdraws_is_paid_for_the_time_and_gives_the_seat_back(study, store, hand_clock):
    given = apply(study, store)
    book = store.invitations
    book.mark(given.invited.number, what="entered")
    hand_clock.wait(1900)
    session = next(step.session for step in book.get(given.invited.number).steps if step.session)
    store.events.append(
        session, [Event(1, "ask", "subject", "coin0", 0, "probability", time=hand_clock.now)], truths={}
    )
    hand_clock.wait(7 * 86_400)
    ObserverNotes(store).flag(given.invited.number, "on the phone", who="Erin")
    book.withdraw(given.invited.number)
    (due,) = payments("office", Procedure.read(PROCEDURE).pay, store=store)
    assert (due.subject, due.half_hours, due.total, due.withdrew) == (given.subject, 2, 20, True)
    assert due.milestones == {"schedule": None, "briefing": None}
    assert seats_of("office", 1, store=store) == {}
    assert ObserverNotes(store).pending("office") == []
    assert apply(study, store).subject != given.subject


def test_scores_of_a_quiz_leave_milestones_unknown(study, store):
    number = apply(study, store).invited.number
    book = store.invitations
    book.mark(number, what="entered")
    session = next(step.session for step in book.get(number).steps if step.session)
    hashes = {"instance_hash": "a", "environment_hash": "b"}
    store.results.add(session, Scores({"accuracy": 1.0}), scoring="quiz", **hashes)
    (due,) = payments("office", Procedure.read(PROCEDURE).pay, store=store)
    assert due.milestones == {"schedule": None, "briefing": None}
    reached = {"milestones": {"schedule": True, "briefing": False}}
    store.results.add(session, Scores({"final": 1.0}, reached), scoring="office", **hashes)
    (due,) = payments("office", Procedure.read(PROCEDURE).pay, store=store)
    assert due.milestones == reached["milestones"]
    assert due.bonus == 12
