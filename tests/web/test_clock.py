"""Time on pages: it passes while the page shows the ask, deadlines lapse by polls, and polls log nothing else."""

import pytest

TIMED = """
from mensura.dialogue import Ask, Number, Timing, test

@test("timed-v1", timing=Timing(people="{people}", tick_seconds=0.1))
def timed(rng, *, clock):
    "Two questions of half a second each."
    for i in range(2):
        answer = yield Ask(f"It is {{clock.now}}.", Number(), key="same", until=clock.now + 5)
        yield Ask(f"You said {{answer}} at {{clock.now}}.")
"""


@pytest.fixture
def timed(tmp_path):
    def make(people):
        path = tmp_path / f"{people}.py"
        path.write_text(TIMED.format(people=people))
        return f"{path}:timed"

    return make


def kinds(store, session):
    return [event.kind for event in store.events.of(session)]


def test_polls_before_the_deadline_log_nothing(enter, links, store, timed, hand_clock):
    link = links(timed("shown"))[0]
    person = enter(link.path)
    for shown in ("0", "0.1", "0.3", ""):
        assert person.tick(shown=shown).status_code == 204
    assert kinds(store, link.session) == ["ask"]


def test_a_question_with_a_deadline_says_how_much_time_is_left(enter, links, timed, hand_clock):
    assert '<span role="timer" data-rest>0:00</span>' in enter(links(timed("shown"))[0].path).text


def test_an_ask_lapses_when_the_page_has_shown_it_for_so_long(enter, links, store, timed, hand_clock):
    link = links(timed("shown"))[0]
    person = enter(link.path)
    hand_clock.wait(0.6)
    assert person.tick(shown="0.2").status_code == 204
    page = person.tick(shown="0.55")
    assert page.status_code == 200
    assert "You said None at 5." in page.text
    assert kinds(store, link.session) == ["ask", "lapse", "tell", "ask"]


def test_a_page_cannot_say_that_more_time_has_passed_than_has(enter, links, store, timed, hand_clock):
    person = enter(links(timed("shown"))[0].path)
    assert person.tick(shown="1000").status_code == 204


def test_after_a_long_silence_only_what_was_shown_has_lapsed(enter, links, store, timed, hand_clock):
    link = links(timed("shown"))[0]
    person = enter(link.path)
    hand_clock.wait(1.2)
    page = person.tick(shown="1.2")
    assert "It is 5." in page.text
    assert kinds(store, link.session).count("lapse") == 1


def test_an_answer_after_the_deadline_is_refused_kindly(enter, links, store, timed, hand_clock):
    link = links(timed("shown"))[0]
    person = enter(link.path)
    hand_clock.wait(0.6)
    page = person.answer("3", shown="0.6")
    assert page.status_code == 409
    assert "That question is closed" in page.text
    assert "It is 5." in page.text


def test_an_answer_is_given_at_the_tick_at_which_the_page_showed_it(enter, links, store, timed, hand_clock):
    link = links(timed("shown"))[0]
    person = enter(link.path)
    hand_clock.wait(0.45)
    person.answer("3", shown="0.31")
    assert [event.tick for event in store.events.of(link.session) if event.kind == "answer"] == [3]
    assert person.state["clock"] == 3


def test_the_wall_clock_runs_by_itself(enter, links, store, timed, hand_clock):
    link = links(timed("wall"))[0]
    person = enter(link.path)
    assert 0 < person.state["seconds_left"] <= 0.5
    hand_clock.wait(1.15)
    assert person.look().status_code == 200
    assert person.kind == "over"
    assert kinds(store, link.session).count("lapse") == 2
