"""Observing: what observers may say and decide, and what is kept of it."""

import pytest

from mensura.errors import BadParameter
from mensura.running.study.observing import ObserverNotes
from mensura.running.study.procedure import Procedure
from tests.running.study.office import PROCEDURE, apply


def test_observers_say_only_what_is_allowed_and_everything_is_kept(study, store):
    number = apply(study, store).invited.number
    ledger, procedure = ObserverNotes(store), Procedure.read(PROCEDURE)
    ledger.answer(number, "That information is available to you.", procedure=procedure, who="Erin")
    with pytest.raises(BadParameter, match="Observers may say only"):
        ledger.answer(number, "Look into the manual.", procedure=procedure, who="Erin")
    with pytest.raises(BadParameter, match="only for what the procedure names: sleeping"):
        ledger.exclude(number, "bad score", procedure=procedure, who="Erin")
    ledger.exclude(number, "sleeping", procedure=procedure, who="Erin")
    assert [(one.kind, one.words) for one in ledger.of(number)] == [
        ("answered", "That information is available to you."),
        ("excluded", "sleeping"),
    ]
    session = store.invitations.get(number).steps[3].session
    assert store.exclusions.excluded(session.split("/")[0])[session].planned


def test_late_exclusions_are_judged_and_marked(study, store):
    number = apply(study, store).invited.number
    ledger = ObserverNotes(store)
    with pytest.raises(BadParameter, match="Nobody has flagged"):
        ledger.judge(number, out=True, reason="no", who="Eve")
    ledger.flag(number, "long idle", who="Erin")
    assert [one.number for one in ledger.pending("office")] == [number]
    ledger.judge(number, out=True, reason="asleep for an hour", who="Eve")
    assert ledger.pending("office") == []
    (decision,) = store.exclusions.ledger()
    assert (decision.planned, decision.reason) == (False, "judged: asleep for an hour")


def test_whoever_was_left_out_and_is_judged_to_count_is_taken_in_again(study, store):
    number = apply(study, store).invited.number
    ledger = ObserverNotes(store)
    session = store.invitations.get(number).steps[3].session
    ledger.exclude(number, "sleeping", procedure=Procedure.read(PROCEDURE), who="Erin")
    ledger.flag(number, "long idle: was reading", who="Erin")
    ledger.judge(number, out=False, reason="the log shows reading", who="Eve")
    assert store.exclusions.excluded(store.sessions.find(session).run) == {}
    assert [(one.excluded, one.planned) for one in store.exclusions.ledger()] == [(True, True), (False, False)]
