"""Going back: an earlier answer is shown as it was typed, changed once, and kept beside what came before."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pytest
from starlette.testclient import TestClient

from mensura.running.live import LiveSessions
from mensura.web.app import create_app

PAGED = Path(__file__).parents[1] / "paged.py"


@pytest.fixture
def person(visit):
    person = visit(f"{PAGED}:reviewed")
    assert "/back?to=" not in person.text
    person.answer("60 %")
    return person


def go_back(person):
    address = re.findall(r'href="([^"]+/back\?to=\d+)"', person.text)[-1]
    person.page = person.client.get(address)


def test_an_answer_is_changed_read_once_more_and_handed_in(person, store):
    go_back(person)
    assert person.kind == "back"
    assert 'value="60 %"' in person.text
    assert "Question 1 of 2" in person.text
    assert person.post("revise", answer="0.7").status_code == 422
    assert "Do you mean 0.7 % or 70 %?" in person.text
    hidden = person.hidden
    person.post("revise", answer="70")
    assert person.kind == "ask"
    assert person.post("revise", hidden=hidden, answer="80").status_code == 200
    go_back(person)
    assert 'value="70"' in person.text
    person.look()
    person.answer("because")
    assert person.kind == "break"
    assert "70 %" in person.text
    assert "because" in person.text
    go_back(person)
    assert "because" in person.text
    person.look()
    person.post("go-on")
    assert person.kind == "over"
    (session,) = [one.id for run in store.runs.all() for one in store.sessions.of(run.id)]
    record = store.records.find(session)
    assert record.given() == {"rain": 0.7, "why": "because"}
    (before,) = record.answers[0].notes["revisions"]
    assert (before["value"], before["typed"]) == (0.6, {"answer": "60 %"})
    assert [event.kind for event in store.events.of(session)].count("revise") == 1


def test_what_is_over_not_answered_or_of_another_test_cannot_be_changed(person, visit):
    for address in (f"{person.path}/back?to=99", f"{person.path}/back?to=x", f"{person.path}/back"):
        assert person.client.get(address).url.path == person.path
    go_back(person)
    hidden = person.hidden
    person.look()
    person.answer("x")
    person.post("go-on")
    assert person.post("revise", hidden=hidden, answer="10").status_code == 409
    assert "cannot be changed any more" in person.text
    coin = visit("coin")
    coin.answer("50")
    assert "/back?to=" not in coin.text


@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("values", [["70"] * 4, ["70", "71", "72", "73"]])
def test_one_form_that_is_sent_four_times_at_once_changes_an_answer_once(
    person, store, settings, monkeypatch, processes, values
):
    go_back(person)
    hidden = person.hidden
    apps = [create_app(settings) for _ in range(processes)]
    together, answered_before = Barrier(4), LiveSessions.answered_before

    def all_before_any(self, *asked):
        """Let those who look whether the form was taken before all do so before any is."""
        found = answered_before(self, *asked)
        with suppress(BrokenBarrierError):
            together.wait(0.5)
        return found

    monkeypatch.setattr(LiveSessions, "answered_before", all_before_any)

    def send(number):
        client = TestClient(apps[number % processes], cookies=dict(person.client.cookies))
        form = {**hidden, "answer": values[number]}
        return client.post(f"{person.path}/revise", data=form, follow_redirects=False).status_code

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(send, range(4))) == [303] * 4
    (session,) = [one.id for run in store.runs.all() for one in store.sessions.of(run.id)]
    changed = [event for event in store.events.of(session) if event.kind == "revise"]
    assert len(changed) == 1
    assert store.records.find(session).given()["rain"] == changed[0].value
    for app in apps:
        app.state.laboratory.close()


def test_a_page_that_was_left_to_go_back_is_where_it_was(person):
    asked = re.search(r'data-ask="(\d+)"', person.text)[1]
    go_back(person)
    person.look()
    assert f'data-ask="{asked}"' in person.text
