"""Everything replays from its log, and a run that was cut off goes on as it would have."""

import time

import pytest

from mensura.catalog.constraints.algorithms.abt import Abt
from mensura.catalog.constraints.algorithms.awcs import Awcs
from mensura.catalog.constraints.dialogue import constraints
from mensura.dialogue import Address, Instance, Session, replay
from mensura.dialogue.canonical import canonical
from mensura.running.driver import drive, recall
from mensura.store import MemoryJournal

TERMS = {
    "sync": {},
    "async": {"execution": "async"},
    "network": {"delay": "uniform:1,3", "loss": 0.05, "duplication": 0.1, "reordering": 0.1, "reading": "each"},
    "acknowledged": {"execution": "async", "delay": "exponential:2", "loss": 0.2, "channel": "acknowledged"},
}


class Slow(Abt):
    """Takes two tenths of a second over every waking, so that a limit of one comes in the middle."""

    def receive(self, mail):
        time.sleep(0.2)
        return super().receive(mail)


def driven(make, terms, *, events=()):
    parameters = constraints.fill({"problem": "queens:n=6", "latency": "0,100", **terms})
    instance = Instance(constraints, parameters, 7, Address())
    journal = MemoryJournal()
    cast = {role: make() for role in instance.roles}
    if events:
        session, past = recall(instance, events, cast)
        journal.events.extend(events)
    else:
        session, past = Session(instance), []
    drive(session, cast, journal=journal, past=past)
    return instance, journal


@pytest.mark.parametrize("terms", TERMS.values(), ids=TERMS)
@pytest.mark.parametrize("make", [Abt, Awcs])
def test_a_log_replays_alike(make, terms):
    instance, journal = driven(make, terms)
    session = replay(instance, journal.events)
    assert session.status == "finished"
    assert canonical(session.drain_truths()["post"]) == canonical(journal.truths["post"])


@pytest.mark.parametrize("terms", TERMS.values(), ids=TERMS)
@pytest.mark.parametrize("make", [Abt, Awcs])
def test_a_run_that_was_cut_off_goes_on_as_it_would_have(make, terms):
    _, whole = driven(make, terms)
    half = whole.events[: len(whole.events) // 2]
    _, resumed = driven(make, terms, events=half)
    assert canonical(resumed.truths["post"]) == canonical(whole.truths["post"])


@pytest.mark.parametrize("execution", ["sync", "async"])
def test_a_run_that_its_seconds_ended_replays_to_the_same_end(execution):
    began = time.monotonic()
    instance, journal = driven(Slow, {"execution": execution, "stop": "seconds=1"})
    assert 1 <= time.monotonic() - began < 10
    ended = journal.truths["post"]["runs"][0]
    assert (ended["over"], ended["why"]) == ("limit", "seconds")
    assert [event.kind for event in journal.events].count("lapse") >= 1
    session = replay(instance, journal.events)
    assert (session.status, session.clock.now) == ("finished", 1)
    assert canonical(session.drain_truths()["post"]) == canonical(journal.truths["post"])


def test_a_limit_of_seconds_that_is_not_reached_changes_nothing_but_the_deadlines():
    _, free = driven(Abt, {})
    _, limited = driven(Abt, {"stop": "cycles=10000,seconds=600"})
    assert canonical(limited.truths["post"]) == canonical(free.truths["post"])
    assert {event.tick for event in free.events} == {0}
