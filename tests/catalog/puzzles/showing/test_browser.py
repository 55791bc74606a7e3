"""Puzzles in a real browser, at a desk and on a phone: nothing sticks out, axe finds nothing, keys answer."""

from pathlib import Path

import pytest

from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.proofs import proofs
from tests.web import axe

pytestmark = pytest.mark.browser
SHEET = f"{Path(__file__).with_name('sheet.py')}:sheet"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    place = str(tmp_path_factory.mktemp("laboratory") / "mensura.db")
    with served(WebSettings(store=place)) as address, open_store(place) as store:
        yield address, store


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("matrix", "drawn"),
        *proofs(("geometric-analogy", "drawn"), ("odd-one-out", "drawn"), ("classification", "drawn")),
        *proofs(("matrix", "features"), ("matrix", "described"), ("classification", "pixels")),
    ],
)
def test_a_puzzle_fits_and_is_answered_by_a_key(chromium, home, kind, form):
    address, store = home
    frame = Frame(before=(), after=[Step("thanks")], details={})
    link = invite(SHEET, "human", store=store, seed=1, parameters={"kind": kind, "form": form}, frame=frame)[1][0]
    page = chromium.new_page(viewport={"width": 390, "height": 780})
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(address + link.path)
    page.wait_for_selector("main[data-ready]")
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert axe.faults_of(page) == []
    assert [text for text in said if "Content Security Policy" in text] == []
    page.keyboard.press("2")
    assert page.locator("input[type=radio]").nth(1).is_checked()
    page.close()
