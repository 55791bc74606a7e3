"""Everything replays from its log, and a run that was cut off goes on as it would have."""

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
