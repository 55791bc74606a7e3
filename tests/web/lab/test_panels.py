"""Panels: a rater who logs in finds their own work, rates it, and learns nothing of conditions."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from mensura.running.panel import Artefact, Rater, assign, open_panel, progress_of
from mensura.store import Store

SECRETS = ("drilled", "plain-ones", "person-", "secret-panel")
RUBRIC = {"instructions": "Judge.", "scale": {"points": 5}, "items": [{"key": "clear", "text": "It is clear."}]}


@pytest.fixture
def panel(store: Store) -> str:
    """Give Rob and someone else four texts to rate."""
    texts = [
        Artefact.from_text(f"Text {i}", condition=("drilled", "plain-ones")[i % 2], source=f"person-{i}")
        for i in range(4)
    ]
    open_panel("secret-panel", texts, rubric=RUBRIC, store=store)
    assign("secret-panel", [Rater("Rob"), Rater("Uma")], store=store)
    return "secret-panel"


def test_a_rater_sees_only_their_own_work_and_no_condition(visitor: Any, panel: str) -> None:
    rob = visitor("rater")
    for path in ("/lab/panels", "/lab/panels.json"):
        text = rob.get(path).text
        assert not [word for word in (*SECRETS, "Uma") if word in text]
    view = rob.get("/lab/panels.json").json()
    assert view["panels"] is None
    assert [(one["rated"], one["status"]) for one in view["work"]] == [(0, "open")]


def test_a_rater_goes_from_the_page_to_their_work_and_rates(visitor: Any, panel: str, store: Store, lab: Any) -> None:
    rob = visitor("rater")
    work = rob.get("/lab/panels.json").json()["work"][0]
    first = rob.submit("/lab/panels/work", {"session": work["session"]})
    second = rob.submit("/lab/panels/work", {"session": work["session"]})
    browser = TestClient(lab)
    assert browser.get(f"{first.headers['location']}.json").json()["kind"] == "expired"
    path, pages = second.headers["location"], ""
    for _ in range(30):
        state = browser.get(f"{path}.json").json()
        if state["kind"] == "thanks":
            break
        page = browser.get(path).text
        pages += page
        form = re.search(r'<form[^>]*action="([^"]*)".*?</form>', page, re.S)
        assert form
        fields = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0]))
        if state["kind"] == "ask":
            names = set(re.findall(r'type="radio"[^>]*name="([^"]*)"|name="([^"]*)"[^>]*type="radio"', form[0]))
            fields |= {name: "3" for pair in names for name in pair if name} or {"answer": "3"}
        assert browser.post(form[1], data=fields).status_code == 200
    mine = next(one for one in progress_of(panel, store=store).raters if one.rater == "Rob")
    assert mine.rated == mine.artefacts
    assert not [word for word in SECRETS if word in pages]
    assert rob.get("/lab/panels.json").json()["work"][0]["rated"] == mine.artefacts


def test_nobody_is_led_to_the_work_of_another(visitor: Any, panel: str, store: Store) -> None:
    other = next(one for one in progress_of(panel, store=store).raters if one.rater == "Uma")
    for role in ("rater", "experimenter"):
        assert visitor(role).submit("/lab/panels/work", {"session": other.session}).status_code == 404


def test_an_experimenter_sees_how_far_raters_are_and_makes_their_links_once(erin: Any, panel: str) -> None:
    view = erin.get("/lab/panels.json").json()["panels"][0]
    assert [one["rater"] for one in view["raters"]] == ["Rob", "Uma"]
    assert not [word for word in SECRETS[:3] if word in erin.get("/lab/panels").text]
    page = erin.submit("/lab/panels/links", {"panel": panel}).text
    assert len(re.findall(r"/p/[\w-]{20,}", page)) == 2
    assert "has a link already" in erin.submit("/lab/panels/links", {"panel": panel}).text
    assert erin.submit("/lab/panels/links", {"panel": "nothing"}).status_code == 404
