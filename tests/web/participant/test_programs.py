"""Programs beside people on the clock on the wall: they wait for a time, and a deadline needs nobody's page."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.web.participant.test_lobby import kinds, until


@pytest.fixture
def game(enter, links, store, hand_clock):
    """A game of imitation in which a judge has asked, and program and person have answered."""
    cast = {"judge": "human", "human": "human", "machine": "eliza"}
    both = links("imitation", cast, form="machine-human", belief="end", seconds=300)
    judge, human = (enter(link.path) for link in both)
    judge.look()
    judge.answer(**{"answer.0": "both", "answer.1": "Hello?"})
    until(lambda: human.look() and human.kind == "ask")
    until(lambda: ("machine", "answer") in {(event.role, event.kind) for event in store.events.of(both[0].session)})
    hand_clock.wait(3)
    human.answer("Hello to you, whoever you are and wherever you may be just now.")
    return both[0].session, judge


def test_who_lets_time_pass_answers_once_when_it_has_passed(game, store, hand_clock):
    session, judge = game
    until(lambda: any(event.role == "host" for event in store.events.of(session)))
    hand_clock.wait(290)
    until(lambda: judge.look() and judge.kind == "ask")
    asked, answered = (event for event in store.events.of(session) if event.role == "host")
    assert asked.key.split("/")[1] == str(answered.tick)
    assert answered.value == answered.tick - asked.tick > 3
    machine, human = (event for event in store.events.of(session) if event.key == "message/1" and event.kind == "answer"
                      and event.role != "judge")  # fmt: skip
    assert (machine.role, machine.tick, human.tick) == ("machine", 0, 3)


def test_a_deadline_lapses_though_nobody_looks(game, store, hand_clock):
    session, _ = game
    until(lambda: any(event.role == "host" for event in store.events.of(session)))
    hand_clock.wait(299)
    until(lambda: any(event.role == "judge" and event.number > 5 for event in store.events.of(session)))
    hand_clock.wait(30)
    until(lambda: kinds(store, session, "lapse"))
    assert kinds(store, session, "lapse") == [("lapse", "judge", None)]


def test_a_page_that_waits_for_news_gets_them_when_there_are_some(game, store, hand_clock):
    session, judge = game
    until(lambda: any(event.role == "host" for event in store.events.of(session)))
    judge.look()
    assert "data-held" in judge.text
    with ThreadPoolExecutor() as pool:
        news = pool.submit(judge.tick, held="yes")
        until(lambda: news.running())
        hand_clock.wait(1)
        assert not news.done()
        # By then the answers are released; the page is not asked to look again.
        hand_clock.wait(290)
        page = news.result(timeout=120)
    assert page.status_code == 200
    assert page.text.count("Witness A</b>") == 1
