"""People take the small tests in a real browser: by mouse and by keyboard, on a desk and on a phone."""

import math
import re
import wave
from pathlib import Path
from types import SimpleNamespace

import pytest

from mensura.running.study import Cast, Stopping, Study, conduct
from mensura.running.study.invite import invite

pytestmark = pytest.mark.browser
READY = "main[data-ready]"
# Waits until the player has said so.
HEARD = """(event) => new Promise((done) => {
    const player = document.querySelector("audio");
    if (event === "canplaythrough" && player.readyState === 4) done();
    player.addEventListener(event, done);
})"""
# What each request for a file cost the line.
SENT = """(end) => performance.getEntriesByType("resource").filter((one) => one.name.endsWith(end))
    .map((one) => one.transferSize)"""
PAGED = Path(__file__).parents[1] / "paged.py"
LISTENING = f"{Path(__file__).parents[1] / 'listening.py'}:listening"


def wait_for(page, kind):
    page.wait_for_selector(f'main[data-ready][data-kind="{kind}"]')


def answers(store, session, role="subject"):
    return [event.value for event in store.events.of(session) if event.kind == "answer" and event.role == role]


def fits(page):
    """Say whether nothing sticks out to the right."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_question_is_passed_by_keyboard(people, invited, store, size):
    link = invited(f"{PAGED}:passed")[0]
    page = people(link, size=size)
    page.wait_for_selector(READY)
    assert fits(page)
    page.get_by_role("button", name="Answer").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText").startswith("Pass")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-ready]:has([data-key="sure"])')
    assert page.evaluate("document.activeElement.matches('[data-focus]')")
    assert [event.kind for event in store.events.of(link.session) if event.kind == "abstain"] == ["abstain"]


def test_the_coin_test_by_mouse(people, invited, store, size):
    link = invited("coin", flips=2)[0]
    page = people(link, size=size)
    for part in (0.25, 0.75):
        page.wait_for_selector(READY)
        slider = page.locator("input[type=range]")
        box = slider.bounding_box()
        page.mouse.click(box["x"] + 13 + part * (box["width"] - 26), box["y"] + box["height"] / 2)
        assert fits(page)
        asked = page.locator("[data-ask]").get_attribute("data-ask")
        page.get_by_role("button", name="Answer").click()
        page.wait_for_selector(f'main[data-ready]:not(:has([data-ask="{asked}"]))')
    wait_for(page, "over")
    page.get_by_role("button", name="Continue").click()
    wait_for(page, "thanks")
    assert "quadratic score" in page.inner_text("main")
    assert answers(store, link.session) == pytest.approx([0.25, 0.75], abs=0.02)


def test_the_coin_test_by_keyboard_without_leaving_the_field(people, invited, store):
    link = invited("coin", flips=3)[0]
    page = people(link)
    page.wait_for_selector(READY)
    page.locator("input[name=answer]").focus()
    for number, words in enumerate(("30%", "50", "90,5 %")):
        page.wait_for_selector(f'main[data-ready] [data-key="coin{number}"]')
        page.keyboard.type(words)
        page.keyboard.press("Enter")
    wait_for(page, "over")
    assert answers(store, link.session) == [0.3, 0.5, 0.905]


def test_a_slider_that_was_not_touched_is_no_answer(people, invited, store):
    link = invited("coin", flips=1)[0]
    page = people(link)
    page.wait_for_selector(READY)
    page.get_by_role("button", name="Answer").click()
    assert page.evaluate("document.querySelector('input[name=answer]').validity.valueMissing")
    assert answers(store, link.session) == []


def test_the_corridor_by_arrow_keys_and_by_buttons(people, invited, store, size):
    link = invited("corridor", length=5, slip=0)[0]
    page = people(link, size=size)
    page.wait_for_selector(READY)
    goal = page.evaluate("[...document.querySelectorAll('.cells td')].findIndex((cell) => cell.title === 'goal')")
    way = "right" if goal else "left"
    assert fits(page)
    page.keyboard.press("ArrowRight" if way == "right" else "ArrowLeft")
    page.wait_for_selector('main[data-ready] [data-ask="3"]')
    page.get_by_role("button", name=way).click()
    wait_for(page, "over")
    assert "You are at the goal" in page.inner_text("main")
    assert answers(store, link.session) == ([1, 1] if way == "right" else [0, 0])


def test_two_people_play_the_dilemma(people, invited, store):
    first, second = invited("dilemma", rounds=2)
    ada = people(first)
    wait_for(ada, "lobby")
    bohdan = people(second)
    for turn in (1, 2):
        for page in (ada, bohdan):
            page.wait_for_selector(f"main[data-ready][data-kind=ask] h1:has-text('Round {turn}')", state="attached")
        ada.keyboard.press("1")
        ada.keyboard.press("Enter")
        wait_for(ada, "waiting")
        bohdan.get_by_text("defect", exact=True).last.click()
        bohdan.get_by_role("button", name="Answer").click()
    for page in (ada, bohdan):
        wait_for(page, "over")
        assert "The game is over" in page.inner_text("main")
    assert answers(store, first.session, "first") == ["cooperate"] * 2
    assert answers(store, first.session, "second") == ["defect"] * 2


def test_a_person_plays_the_dilemma_with_a_program(people, invited, store, size):
    link = invited("dilemma", {"first": "human", "second": "tit-for-tat"}, rounds=2)[0]
    page = people(link, size=size)
    for turn in (1, 2):
        page.wait_for_selector(f"main[data-ready][data-kind=ask] h1:has-text('Round {turn}')", state="attached")
        page.locator("label.card", has_text="defect").click()
        page.get_by_role("button", name="Answer").click()
    wait_for(page, "over")
    assert answers(store, link.session, "second") == ["cooperate", "defect"]


def test_the_inbox_by_mouse_and_keyboard_over_lapses_and_a_break(people, invited, store, size):
    link = invited("inbox", phases=2, messages=1, phase_ticks=3, patience=2)[0]
    page = people(link, size=size)
    page.wait_for_selector(".mail")
    assert fits(page)
    name = re.search(r"m\d", page.inner_text(".mail .meta"))[0]
    page.locator("label.card", has_text=name).click()
    page.get_by_role("radio", name="keep").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="File").click()
    wait_for(page, "break")
    page.get_by_role("button", name="Go on").click()
    wait_for(page, "over")
    kinds = [event.kind for event in store.events.of(link.session)]
    assert answers(store, link.session)[0]["arguments"] == {"message": name, "folder": "keep"}
    assert kinds.count("lapse") >= 3
    assert store.sessions.find(link.session).status == "finished"


def test_time_stands_still_while_the_page_is_hidden(people, invited, store):
    link = invited("inbox", phases=1, messages=1, phase_ticks=2, patience=1)[0]
    page = people(link)
    page.wait_for_selector(READY)
    page.evaluate(
        "Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    page.wait_for_timeout(600)
    before = store.events.last_number(link.session)
    page.wait_for_timeout(2500)
    assert store.events.last_number(link.session) == before
    page.evaluate("delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))")
    wait_for(page, "over")


def test_instructions_are_one_click_away_and_nothing_typed_is_lost(people, invited, gallery, faults_of, size):
    page = people(invited(gallery, only="text")[0], size=size)
    page.wait_for_selector(READY)
    page.fill("textarea", "half a sentence")
    page.get_by_role("link", name="Instructions").click()
    dialog = page.get_by_role("dialog", name="Instructions")
    assert "Welcome to the gallery" in dialog.inner_text()
    assert faults_of(page) == []
    assert fits(page)
    page.keyboard.press("Escape")
    assert dialog.count() == 0
    assert page.input_value("textarea") == "half a sentence"


def test_recordings_are_fetched_before_they_are_played_and_faults_are_told(people, invited, faults_of, tmp_path):
    for name, frequency in (("a.wav", 440), ("b.wav", 880)):
        with wave.open(str(tmp_path / name), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(1)
            file.setframerate(8000)
            file.writeframes(bytes(128 + round(40 * math.sin(t * frequency * math.tau / 8000)) for t in range(8000)))
    page = people(invited(LISTENING, folder=str(tmp_path))[0])
    page.wait_for_selector(READY)
    page.evaluate(HEARD, "canplaythrough")
    assert faults_of(page) == []
    assert fits(page)
    page.fill("input[name=answer]", "3")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-ready] [data-key="second"]')
    page.evaluate(HEARD, "canplaythrough")
    sizes = page.evaluate(SENT, page.locator("audio").get_attribute("src"))
    assert sizes[0] > 0
    assert set(sizes[1:]) == {0}
    page.focus("audio")
    page.keyboard.press("Space")
    page.evaluate(HEARD, "timeupdate")
    page.fill("input[name=answer]", "3")
    page.keyboard.press("Enter")
    page.locator(".unplayed", has_text="This could not be loaded.").wait_for()
    assert page.evaluate("document.querySelector('track').track.kind") == "captions"
    assert faults_of(page) == []


def test_ratings_stand_in_a_table_and_an_artefact_beside_its_rubric(people, invited, store, faults_of, size):
    link = invited(f"{PAGED}:paged")[0]
    page = people(link, size=size)
    page.wait_for_selector(READY)
    assert faults_of(page) == []
    assert fits(page)
    for place, point in ((0, "6"), (1, "2"), (2, "7"), (3, "partly"), (4, "fully")):
        page.locator(f'input[name="answer.{place}"][value="{point}"]').check()
    page.get_by_role("button", name="Answer").click()
    wait_for(page, "over")
    assert answers(store, link.session) == [{"q1": 6, "q2": 2, "q3": 7, "q4": "partly", "q5": "fully", "q6": ""}]
    page = people(invited(f"{PAGED}:beside")[0], size=size)
    page.wait_for_selector(READY)
    assert faults_of(page) == []
    assert fits(page)
    artefact, form = page.locator(".artefact").bounding_box(), page.locator("form").bounding_box()
    above = artefact["y"] + artefact["height"] <= form["y"]
    assert above == (size["width"] < 500)


def test_an_earlier_answer_is_changed_and_the_draft_of_the_question_on_the_table_stays(
    people, invited, store, faults_of
):
    link = invited(f"{PAGED}:reviewed")[0]
    page = people(link)
    page.wait_for_selector(READY)
    page.fill("input[name=answer]", "60")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-ready] [data-key="why"]')
    page.fill("textarea", "half a reason")
    page.get_by_role("link", name="Back to the question before").click()
    wait_for(page, "back")
    assert faults_of(page) == []
    page.fill("input[name=answer]", "70")
    page.get_by_role("button", name="Change my answer").click()
    wait_for(page, "ask")
    assert page.input_value("textarea") == "half a reason"
    page.get_by_role("button", name="Answer").click()
    wait_for(page, "break")
    assert faults_of(page) == []
    page.get_by_role("button", name="Go on").click()
    wait_for(page, "over")
    assert store.records.find(link.session).given() == {"rain": 0.7, "why": "half a reason"}


def test_a_card_on_the_screen_is_as_wide_as_the_number_says(people, invited, store, faults_of, size):
    link = invited("display-size")[0]
    page = people(link, size=size)
    page.wait_for_selector(READY)
    page.fill("input[name=answer]", "250")
    assert page.locator("[data-card]").bounding_box()["width"] == 250
    assert faults_of(page) == []
    assert fits(page)
    page.locator("input[type=range]").press("ArrowRight")
    assert page.locator("[data-card]").bounding_box()["width"] == 251
    page.get_by_role("button", name="Answer").click()
    wait_for(page, "over")
    assert answers(store, link.session) == [251]


def test_the_next_part_of_a_course_opens_by_itself_when_its_pause_is_over(people, store):
    phases = ({"name": "now", "parameters": {"flips": 1}}, {"name": "later", "parameters": {"flips": 1}, "pause": 4})
    study = Study("pausing", ("coin",), (Cast("people", {"": "human"}),), phases=phases, stopping=Stopping(most=1))
    conduct(study, store=store)
    (place,) = invite(study, 1, store=store)
    page = people(SimpleNamespace(path=f"/p/{place.token}"))
    wait_for(page, "consent")
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Take part").click()
    for part in ("Part 1 of 2", "Part 2 of 2"):
        wait_for(page, "ask")
        assert part in page.inner_text("body")
        page.get_by_role("spinbutton").or_(page.locator("input[name=answer]")).first.fill("60 %")
        page.get_by_role("button", name="Answer").click()
        wait_for(page, "over")
        page.get_by_role("button", name="Continue").click()
        if part == "Part 1 of 2":
            wait_for(page, "pause")
            assert "The next part opens in 0 h 1 min" in page.inner_text("main")
            assert fits(page)
    wait_for(page, "thanks")
    sessions = store.invitations.get(place.number).sessions
    assert [answers(store, session) for session in sessions] == [[0.6], [0.6]]
    first, second = (store.events.times(session) for session in sessions)
    assert second[0] - first[1] >= 4
