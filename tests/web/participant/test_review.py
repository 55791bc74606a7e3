"""Going back: an earlier answer is shown as it was typed, changed once, and kept beside what came before."""

import re
from pathlib import Path

import pytest

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


def test_a_page_that_was_left_to_go_back_is_where_it_was(person):
    asked = re.search(r'data-ask="(\d+)"', person.text)[1]
    go_back(person)
    person.look()
    assert f'data-ask="{asked}"' in person.text
