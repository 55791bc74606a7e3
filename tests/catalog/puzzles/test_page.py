"""A person takes puzzles in a real browser, on a phone: every kind is drawn, fits, and can be answered."""

import pytest

from mensura.catalog.puzzles.kinds.find import kinds_at_hand
from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.web import axe

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PHONE = {"width": 390, "height": 780}
FIGURES = ["geometric-analogy", "matrix", "odd-one-out", "classification", "mental-rotation", "grid"]


def test_a_person_takes_every_kind_on_a_phone_and_reads_a_profile(chromium, tmp_path):
    norm = tmp_path / "students.csv"
    norm.write_text("kind,right,asked\n" + "".join(f"{kind},60,100\n" for kind in kinds_at_hand()))
    place = str(tmp_path / "mensura.db")
    with served(WebSettings(store=place)) as address, open_store(place) as store:
        asked = {"count": len(kinds_at_hand()), "practice": 1, "norm": str(norm)}
        frame = Frame(after=[Step("thanks")], details={"show_scores": True})
        [link] = invite("puzzles", "human", store=store, seed=1, parameters=asked, frame=frame)[1]
        page = chromium.new_context(viewport=PHONE, base_url=address).new_page()
        page.goto(address + link.path)
        page.wait_for_selector("main[data-ready]")
        answered = 0
        while page.locator("main[data-kind=thanks]").count() == 0:
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
            page.wait_for_function("document.getAnimations().length === 0")
            assert axe.faults_of(page) == []
            ask, card = page.locator("[data-ask]"), page.locator("label.card")
            before = ask.first.get_attribute("data-ask") if ask.count() else ""
            if card.count():
                card.first.click()
                page.get_by_role("button", name="Answer").click()
                answered += 1
                page.wait_for_selector(f'main[data-ready]:not(:has([data-ask="{before}"]))')
            else:
                page.get_by_role("button", name="Continue").click()
                page.wait_for_selector('main[data-ready][data-kind="thanks"]')
        words = page.inner_text("main")
    assert answered == len(kinds_at_hand()) + 1
    assert "students: 60%" in words
    assert "generality" in words


def test_described_figures_are_read_out_and_answered_by_keyboard_alone(chromium, tmp_path):
    place = str(tmp_path / "mensura.db")
    asked = {"kinds": ",".join(FIGURES), "count": len(FIGURES), "presentation": "form=described"}
    with served(WebSettings(store=place)) as address, open_store(place) as store:
        head, [link] = invite("puzzles", "human", store=store, seed=1, parameters=asked, frame=Frame())
        page = chromium.new_context(viewport=PHONE, base_url=address).new_page()
        page.goto(address + link.path)
        for _ in FIGURES:
            page.wait_for_selector("main[data-ready]")
            before = page.locator("[data-ask]").first.get_attribute("data-ask")
            told = page.request.get(f"{link.path}.json").json()["prompt"]
            assert told["presentation"]["form"] == "described"
            assert page.locator("svg.pz-drawn").count() == 0, "nothing is left to the eye"
            for cell in page.locator(".pz-options .pz-cell").all():
                label, words = cell.inner_text().split(maxsplit=1)
                assert label in list("ABCDEFGH"), "an option is named before it is described"
                assert words in [one["words"] for one in told["options"]]
            page.get_by_role("radio").first.focus()
            page.keyboard.press("Space")
            page.keyboard.press("ArrowDown")
            page.keyboard.press("Tab")
            page.keyboard.press("Enter")
            page.wait_for_selector(f'main[data-ready]:not(:has([data-ask="{before}"]))')
        assert store.sessions.count(head.id) == {"finished": 1}
