"""Live sessions: answers are stored before anything is shown, and two processes never double one."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mensura.dialogue import Address, Seed
from mensura.errors import Invalid, Late
from mensura.running.live import LiveSessions
from mensura.running.plan import Plan, read_cast
from mensura.running.run import RunOptions, begin_run
from mensura.store import SessionHead, open_store

REVIEWED = f"{Path(__file__).parents[1] / 'web' / 'paged.py'}:reviewed"


@pytest.fixture
def session_of(store):
    def make(test, **parameters):
        plan = Plan(test, read_cast("chance", roles=("subject",)), _fill(test, parameters))
        head = begin_run(plan, store=store, seed=Seed.choose(1), options=RunOptions())
        name = f"{head.id}/0.0.0"
        store.sessions.add(SessionHead(name, head.id, Address(), {"subject": "a person"}, created=time.time()))
        return name

    return make


def _fill(test, parameters):
    from mensura.catalog.find import find_test

    return find_test(test).fill(parameters)


def answer(value, **more):
    return lambda live: live.session.answer(value, **more)


def asked(live):
    return live.session.open["subject"].key


def test_an_answer_is_stored_before_the_next_ask_is_shown(store, session_of):
    name = session_of("coin")
    live = LiveSessions(store)
    assert live.act(name, asked) == "coin0"
    live.act(name, answer(0.5))
    assert [event.kind for event in store.events.of(name)] == ["ask", "answer", "ask"]
    assert live.act(name, asked) == "coin1"


def test_an_invalid_answer_is_logged_and_refused(store, session_of):
    name = session_of("coin")
    live = LiveSessions(store)
    with pytest.raises(Invalid, match="between 0 and 1"):
        live.act(name, answer(7))
    assert "invalid" in [event.kind for event in store.events.of(name)]
    assert live.act(name, asked) == "coin0"


def test_two_processes_catch_up_with_one_another(store, session_of):
    name = session_of("coin")
    first, second = LiveSessions(store), LiveSessions(store)
    first.act(name, asked)
    for i in range(10):
        (first if i % 2 else second).act(name, answer(i / 10))
    assert first.act(name, asked) == second.act(name, asked) == "coin10"


def test_four_tabs_that_answer_at_once_are_stored_once(store, session_of):
    name = session_of("coin", flips=40)
    others = [open_store(store.url) for _ in range(4)]
    tabs = [LiveSessions(other) for other in others]
    late = []

    def click(tab, number):
        try:
            tab.act(name, answer(0.5, number=number))
        except Late:
            late.append(number)

    for _ in range(30):
        number = tabs[0].act(name, lambda live: live.session.asked["subject"])
        threads = [threading.Thread(target=click, args=(tab, number)) for tab in tabs]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    answers = [event.key for event in store.events.of(name) if event.kind == "answer"]
    assert answers == [f"coin{i}" for i in range(30)]
    assert len(late) == 90
    for other in others:
        other.close()


def test_those_who_wait_for_an_act_that_was_not_stored_see_nothing_of_it(store, session_of, monkeypatch):
    name = session_of(REVIEWED)
    here, there, waiting = LiveSessions(store), LiveSessions(store), threading.Semaphore(0)
    here.act(name, asked)
    find = here._find
    monkeypatch.setattr(here, "_find", lambda name: (find(name), waiting.release())[0])
    acting, overtaken = threading.Event(), threading.Event()

    def answer_late(live):
        acting.set()
        assert overtaken.wait(120)
        live.session.answer(0.9, number=1)

    def given(live):
        return [value for _, value in live.session.answered["subject"].values()]

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(here.act, name, answer_late)
        assert acting.wait(120)
        second = pool.submit(here.act, name, given)
        assert all(waiting.acquire(timeout=120) for _ in range(2))
        there.act(name, answer(0.2, number=1))
        overtaken.set()
        assert second.result(timeout=120) == [0.2]
        with pytest.raises(Late):
            first.result(timeout=120)


def test_a_retry_with_the_same_nonce_is_known(store, session_of):
    name = session_of("coin")
    live = LiveSessions(store)
    live.act(name, answer(0.5, nonce="abc"))
    assert live.answered_before(name, "abc")
    assert not live.answered_before(name, "def")


def test_only_so_many_sessions_stay_at_hand_and_the_rest_come_back(store, session_of):
    names = [session_of("coin") for _ in range(4)]
    live = LiveSessions(store, most=2)
    for name in names:
        live.act(name, answer(0.25))
    assert [live.act(name, asked) for name in names] == ["coin1"] * 4


def test_the_shown_clock_believes_no_more_than_has_passed(store, session_of):
    name = session_of("inbox")
    live = LiveSessions(store)
    live.act(name, asked)
    tick = live.act(name, lambda one: one.tick(shown_seconds=1e9, now=one.since()[1] + 3 * _tick_seconds(one)))
    assert tick == 3
    assert live.act(name, lambda one: one.tick(shown_seconds=0.0, now=one.since()[1] + 1000)) == 0
    assert live.act(name, lambda one: one.tick(shown_seconds=-5.0, now=one.since()[1] + 1000)) == 0


def _tick_seconds(live):
    return live.session.instance.test.timing.tick_seconds


def test_a_store_that_fails_shows_nothing_that_is_not_stored(store, session_of, monkeypatch):
    name = session_of("coin")
    live = LiveSessions(store)
    live.act(name, asked)
    monkeypatch.setattr(store.events, "append", lambda *a, **k: (_ for _ in ()).throw(OSError("disk full")))
    with pytest.raises(OSError, match="disk full"):
        live.act(name, answer(0.5))
    monkeypatch.undo()
    assert live.act(name, asked) == "coin0"
