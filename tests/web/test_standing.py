"""Worlds that live on: acts are meant for the world as it is now, each is taken once, playback shows it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from mensura.web.lab.sessions.living import bring_back
from mensura.web.lab.sessions.playback import moment_at

LIVING = f"{Path(__file__).with_name('living.py')}:living"


def board(text):
    """Read what a page shows."""
    return json.loads(re.search(r'class="own-data">(.*?)</script>', text)[1])["words"]


def test_the_page_brings_all_controls_itself(visit):
    person = visit(LIVING)
    assert person.text.count("<form") == 1
    assert 'name="standing" value="yes"' in person.text
    assert "<textarea" not in person.text
    assert "data-alone" in person.text


def test_an_act_counts_although_a_companion_was_faster(enter, links):
    first, second = (enter(link.path) for link in links(LIVING, people=2))
    first.look()
    shown = first.hidden
    second.answer("quick")
    first.post("answer", hidden=shown, answer="slow")
    assert first.page.status_code == 200
    assert board(first.text) == ["second: quick", "first: slow"]


def test_an_act_counts_although_the_ask_lapsed_meanwhile(visit, hand_clock):
    person = visit(LIVING, lapse=1)
    shown = person.hidden
    hand_clock.wait(0.3)
    person.post("answer", hidden=shown, answer="late")
    assert board(person.text) == ["first: late"]


def test_the_same_act_from_an_old_page_is_not_taken_twice(visit):
    person = visit(LIVING)
    shown = person.hidden
    person.post("answer", hidden=shown, answer="once")
    person.post("answer", hidden={**shown, "nonce": "of another tab"}, answer="once")
    assert person.page.status_code == 409
    assert "not taken" in person.text
    assert board(person.text) == ["first: once"]


def test_pages_of_plain_asks_never_answer_the_next_one(enter, links):
    first, second = (enter(link.path) for link in links(LIVING, people=2))
    first.look()
    plain = {name: value for name, value in first.hidden.items() if name != "standing"}
    second.answer("quick")
    first.post("answer", hidden=plain, answer="slow")
    assert first.page.status_code == 409


def test_a_program_that_answers_at_once_makes_nobody_wait(enter, links):
    person = enter(links(LIVING, sorter=True)[0].path)
    person.answer("word")
    assert person.kind == "ask"
    assert board(person.text) == ["first: word"]


def test_a_slow_program_is_waited_for_by_polling(enter, links):
    cast = {"first": "human", "sorter": "slow"}
    person = enter(links(LIVING, cast, sorter=True)[0].path)
    person.answer("word")
    assert person.kind == "waiting"


@pytest.mark.parametrize(("at", "words"), [(1, []), (2, []), (3, ["first: one"]), (99, ["first: one", "first: two"])])
def test_playback_shows_what_the_page_showed(visit, store, at, words):
    person = visit(LIVING)
    for word in ("one", "two"):
        person.answer(word)
    session = store.sessions.of(store.runs.all()[0].id)[0].id
    moment = bring_back(store, session, moment_at(store, session, at, truths=None))
    assert moment.screens[0].line.prompt["words"] == words


def test_playback_without_the_seed_shows_what_was_logged(visit, store, monkeypatch):
    visit(LIVING)
    run = store.runs.all()[0]
    session = store.sessions.of(run.id)[0].id
    moment = moment_at(store, session, 1, truths=None)
    assert moment.screens[0].line.prompt == {"kind": "board", "count": 0}
    monkeypatch.setattr(store.runs, "find", lambda run_id: replace(run, seed=None))
    shown = bring_back(store, session, moment)
    assert shown.screens[0].line.prompt == {"kind": "board", "count": 0}


def test_large_parts_come_packed_and_whole_pages_never(visit, monkeypatch):
    monkeypatch.setattr("mensura.web.page.PACK_FROM", 500)
    person = visit(LIVING)
    part = person.client.get(person.path, headers={"Accept-Encoding": "gzip", "X-Mensura-Part": "main"})
    assert part.headers["content-encoding"] == "gzip"
    assert 'class="board"' in part.text
    assert "content-encoding" not in person.page.headers
    plain = person.client.get(person.path, headers={"Accept-Encoding": "identity", "X-Mensura-Part": "main"})
    assert "content-encoding" not in plain.headers
