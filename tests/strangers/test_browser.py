"""A person answers on the page of a foreign space, in a real browser."""

import pytest

from mensura.store import open_store
from mensura.web.local import served
from mensura.web.participant.invitation import invite
from mensura.web.settings import WebSettings
from tests.waiting import until


@pytest.mark.browser
def test_what_is_typed_is_shown_by_its_script_and_stored(compass, chromium, tmp_path):
    place = str(tmp_path / "mensura.db")
    with open_store(place) as store, served(WebSettings(store=place)) as home:
        head, links = invite("compass", "human", store=store, seed=1, parameters={"places": 2})
        page = chromium.new_page(viewport={"width": 390, "height": 780})
        page.goto(home + links[0].path)
        (session,) = store.sessions.of(head.id)
        for number, (typed, wind) in enumerate((("90", "east"), ("225.5", "south-west")), 1):
            # Its script comes by itself, after the page.
            page.wait_for_selector("main[data-ready]")
            page.locator(".bearing input").fill(typed)
            assert page.locator(".bearing output").inner_text() == wind
            page.get_by_role("button", name="Answer").click()
            # On a busy machine it is a while from the click to what is stored, and to the next page.
            until(lambda number=number: answered(store, session) == number)
            page.wait_for_function("wind => document.querySelector('.bearing output')?.innerText !== wind", arg=wind)
        page.close()
        until(lambda: store.sessions.find(session.id).status == "finished")
        record = store.records.find(session.id)
    assert [answer.value for answer in record.answers] == [90, 225.5]


def answered(store, session):
    return sum(event.kind == "answer" for event in store.events.of(session.id))
