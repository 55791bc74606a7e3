"""Live sessions of people: clocks over pauses and saves, erased sessions, slips of the hand, broken tests."""

import time

import pytest

from mensura.dialogue import Address, Ask, Break, Choice, Number, Round, Save, Seed, Timing, test
from mensura.errors import BrokenTest, Invalid, Late
from mensura.running.live import LiveSessions
from mensura.running.plan import Plan, read_cast
from mensura.running.run import RunOptions, begin_run
from mensura.store import SessionHead
from mensura.store.people.invitations import Step


@test("rests-v1", timing=Timing(people="wall", tick_seconds=0.1))
def rests(rng, *, clock, saved=None):
    """Ask, rest, save, and ask again on the wall clock."""
    if saved is None:
        yield Ask("First?", Number())
        yield Break("Rest.")
        yield Save({"half": True})
    yield Ask("Second?", Number())


@test("queue-v1", timing=Timing(people="shown", tick_seconds=1.0))
def queue(rng, *, clock):
    """Three questions, each open for five ticks."""
    for i in range(3):
        yield Ask(f"Question {i}", Number(), key=f"q{i}", until=5 * (i + 1))


@test("pair-v1", roles=("a", "b"), timing=Timing(people="shown", tick_seconds=1.0))
def pair(rng, *, clock):
    """Ask two people at once."""
    yield Round([Ask("A?", Number(), role="a"), Ask("B?", Number(), role="b")])


@test("turns-v1", roles=("a", "b"))
def turns(rng):
    """Tell both something, then ask one after the other."""
    yield Ask("For A.", role="a")
    yield Ask("For B.", role="b")
    yield Ask("A?", Choice(("x",)), role="a")
    yield Ask("B?", Choice(("x",)), role="b")


@test("faulty-v1")
def faulty(rng):
    """Break after the first answer."""
    yield Ask("One?", Number())
    raise ZeroDivisionError("oh")


@pytest.fixture
def begin(store, monkeypatch):
    known = {one.id: one for one in (rests, queue, pair, turns, faulty)}
    monkeypatch.setattr("mensura.running.live.definition_of", lambda head: known[head.test])

    def make(definition):
        plan = Plan(definition, read_cast("chance", roles=definition.cast_roles({})), {})
        head = begin_run(plan, store=store, seed=Seed.choose(1), options=RunOptions())
        name = f"{head.id}/0.0.0"
        # Invited long ago: no clock may count from then.
        store.sessions.add(SessionHead(name, head.id, Address(), {}, created=time.time() - 1e6))
        return name

    return make


def look(live):
    return dict(live.session.open)


def test_the_wall_clock_counts_from_the_first_ask_and_leaves_out_rests_also_before_a_save(store, begin, hand_clock):
    name = begin(rests)
    first = LiveSessions(store)
    first.act(name, look)
    assert first.act(name, lambda one: one.tick(now=one.started + 1.05)) == 10
    first.act(name, lambda one: one.session.answer(1))
    hand_clock.wait(0.1)
    # An observer stops the clock during the break: both together are one rest.
    first.act(name, lambda one: one.session.pause(by="anna"))
    hand_clock.wait(0.1)
    first.act(name, lambda one: one.session.unpause(by="anna"))
    hand_clock.wait(0.1)
    first.act(name, lambda one: one.session.unpause())
    assert first.act(name, lambda one: one.rested) > 0.29
    for sessions in (first, LiveSessions(store)):
        now, rested, started = sessions.act(name, lambda one: (one.started + 2.0, one.rested, one.started))
        assert rested > 0.29
        assert started == store.events.of(name)[0].time
        assert sessions.act(name, lambda one, now=now: one.tick(now=now)) == int((2.0 - rested) / 0.1)


def test_what_was_not_shown_yet_does_not_lapse(store, begin):
    name = begin(queue)
    sessions = LiveSessions(store)
    sessions.act(name, look)

    def late(one):
        tick = one.tick(shown_seconds=1000, now=one.since()[1] + 1000)
        one.session.answer(3, number=1, tick=tick)

    with pytest.raises(Late):
        sessions.act(name, late)
    assert [event.kind for event in store.events.of(name)] == ["ask", "lapse", "ask"]
    assert sessions.act(name, look)["subject"].key == "q1"


def test_an_invalid_answer_costs_no_time_twice(store, begin):
    name = begin(queue)
    sessions = LiveSessions(store)
    sessions.act(name, look)

    def give(value, seconds):
        def act(one):
            tick = one.tick(shown_seconds=seconds, now=one.since()[1] + seconds)
            one.session.answer(value, tick=tick)

        return act

    with pytest.raises(Invalid):
        sessions.act(name, give("x", 2))
    sessions.act(name, give(1, 3))
    assert [event.tick for event in store.events.of(name) if event.kind == "answer"] == [3]


def test_one_person_s_answer_does_not_move_the_other_s_clock_on_twice(store, begin):
    name = begin(pair)
    sessions = LiveSessions(store)
    sessions.act(name, look)
    for role, seconds in (("a", 4), ("b", 6)):
        sessions.act(
            name,
            lambda one, role=role, seconds=seconds: one.session.answer(
                1, role=role, tick=one.tick(role=role, shown_seconds=seconds, now=one.since(role)[1] + 60)
            ),
        )
    assert [event.tick for event in store.events.of(name) if event.kind == "answer"] == [4, 6]


def test_a_person_sees_what_they_were_told_although_another_answered_first(store, begin):
    name = begin(turns)
    sessions = LiveSessions(store)
    sessions.act(name, lambda one: one.session.answer("x", role="a"))
    told = sessions.act(name, lambda one: dict(one.session.told))
    assert [ask.prompt for ask in told["b"]] == ["For B."]
    assert "a" not in told


def test_many_slips_of_the_hand_end_nothing_also_after_a_replay(store, begin):
    name = begin(queue)
    for _ in range(2):
        sessions = LiveSessions(store)
        for _ in range(4):
            with pytest.raises(Invalid):
                sessions.act(name, lambda one: one.session.answer("x", patiently=True))
    assert sessions.act(name, lambda one: one.session.status) == "open"
    assert sum(event.kind == "invalid" for event in store.events.of(name)) == 8


def test_nothing_is_added_to_a_session_that_was_erased_meanwhile(store, begin):
    name = begin(queue)
    here, elsewhere = LiveSessions(store), LiveSessions(store)
    here.act(name, look)
    invitations = store.invitations
    _, invitation = invitations.add([Step("session", session=name)])
    elsewhere.act(name, look)
    invitations.withdraw(invitation.number)
    for sessions in (here, elsewhere, LiveSessions(store)):
        with pytest.raises(Late, match="withdrawn"):
            sessions.act(name, lambda one: one.session.answer(1))
    assert store.events.of(name) == []
    assert store.sessions.find(name).status == "withdrawn"


def test_a_test_that_breaks_is_stored_as_broken_with_the_answer_before(store, begin):
    name = begin(faulty)
    sessions = LiveSessions(store)
    with pytest.raises(BrokenTest, match="ZeroDivisionError"):
        sessions.act(name, lambda one: one.session.answer(1))
    assert store.sessions.find(name).status == "broken"
    assert store.records.find(name).answers[0].value == 1
