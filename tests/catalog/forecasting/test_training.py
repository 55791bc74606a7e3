"""A person trains in a real browser, by keyboard alone, and the record is scored."""

import re
from queue import Queue
from threading import Thread

import pytest

from tests.proofs import proofs

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium):
    with chromium.new_context() as context:
        opened = context.new_page()
        yield opened


def press(page, key, times=1):
    for _ in range(times):
        page.keyboard.press(key)


def answer_all(page, address, act):
    """Answer until there is nothing more to answer; gives what was shown after each answer."""
    page.goto(address)
    shown = []
    while True:
        page.wait_for_selector("main")
        if page.locator(".stakes").count() == 0:
            return [*shown, page.inner_text("main")]
        page.wait_for_selector(".stakes-board:not([hidden])")
        shown.append(page.inner_text("main"))
        number = page.get_attribute("[data-ask]", "data-ask")
        act(page)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "n => { const a = document.querySelector('[data-ask]'); return !a || a.dataset.ask !== n }", arg=number
        )


def go_on(page):
    """Press what is there to be pressed after the last question; what came must stand before one looks again."""
    while page.locator("main form button").count():
        said = page.inner_text("main")
        page.locator("main form button").first.click()
        page.wait_for_function("said => document.querySelector('main')?.innerText !== said", arg=said)


@pytest.mark.parametrize("alternatives", [*proofs(2), 3, *proofs(4)])
def test_a_person_takes_the_test_by_keyboard_and_sees_scores_move(page, tmp_path, alternatives):
    local = pytest.importorskip("mensura.web.local")
    from mensura.store import open_store

    links, results = Queue(), Queue()

    def lean(page):
        """Lean towards the first alternative, and see the points follow."""
        before = page.locator(".stakes-pay").all_inner_texts()
        (page.locator("circle.point") if alternatives == 3 else page.locator(".stakes input[type=range]").first).focus()
        press(page, {2: "ArrowLeft", 3: "ArrowUp", 4: "ArrowRight"}[alternatives], 15)
        if alternatives == 4:
            # Each of four sliders is its own: 40, 20, 20, 20.
            for other in range(1, 4):
                page.locator(".stakes input[type=range]").nth(other).focus()
                press(page, "ArrowLeft", 5)
        after = page.locator(".stakes-pay").all_inner_texts()
        assert before == [""] * alternatives
        assert after[0].startswith("+")
        assert all(text.startswith("−") for text in after[1:])
        page.locator(".stakes-table input").first.focus()

    with open_store(str(tmp_path / "mensura.db")) as store:

        def wait():
            parameters = {"count": 12, "fixed": True, "alternatives": alternatives}
            results.put(
                local.take_in_browser("forecasting", store=store, seed=3, parameters=parameters, show=links.put)
            )

        # A daemon, so that a failure here does not wait for a person who will never answer.
        Thread(target=wait, daemon=True).start()
        shown = answer_all(page, links.get(timeout=120), lean)
        go_on(page)
        result = results.get(timeout=60)
    assert len(shown) == 13
    assert "points" in shown[0]
    assert re.search(r"The answer is \w", shown[1])
    assert "How realistic you are so far" not in shown[5]
    assert "How realistic you are so far" in shown[11]
    assert result.scores["logarithmic_score"].n == 12


def lean(page):
    """Lean towards the first of two alternatives; nothing is given before that is done."""
    page.locator(".stakes input[type=range]").first.focus()
    press(page, "ArrowLeft", 20)
    page.locator(".stakes-table input").first.focus()


def sit(page, store, local, **given):
    """Take one session in the browser by keyboard, leaning towards the first alternative; gives all that was shown."""
    links, results = Queue(), Queue()

    def wait():
        results.put(local.take_in_browser("forecasting", store=store, show=links.put, **given))

    Thread(target=wait, daemon=True).start()
    shown = answer_all(page, links.get(timeout=120), lean)
    go_on(page)
    return shown, results.get(timeout=60)


def test_bias_and_realism_run_on_from_one_sitting_to_the_next(page, tmp_path):
    local = pytest.importorskip("mensura.web.local")
    from mensura.store import open_store

    parameters = {"questions": "almanac", "count": 7, "fixed": True}
    with open_store(str(tmp_path / "mensura.db")) as store:
        _, first = sit(page, store, local, seed=1, parameters=parameters)
        shown, second = sit(page, store, local, seed=2, parameters=parameters, after="last")
        third, _ = sit(page, store, local, seed=3, parameters=parameters, after="last")
    assert "This is your session 2" in shown[0]
    assert "Your sessions" in shown[0]
    assert "in your session 2" in shown[1]
    # Seven answers were given before, so that the third of this sitting is the tenth of all.
    assert "How realistic you are so far" not in shown[2]
    assert "in all 2 sessions (10 answers)" in shown[3]
    assert "All 2 sessions" in shown[-1]
    assert "This is your session 3" in third[0]
    assert "in all 3 sessions (21 answers)" in third[-1] or "All 3 sessions" in third[-1]
    # Each session is scored by its own answers.
    assert first.scores["logarithmic_score"].n == second.scores["logarithmic_score"].n == 7


def test_a_link_for_several_sessions_leads_on_with_the_record_of_the_earlier_ones(page, tmp_path):
    local = pytest.importorskip("mensura.web.local")
    from mensura.store import open_store
    from mensura.web.lab.people.invitation import InvitationPlan, invite
    from mensura.web.settings import WebSettings

    plan = InvitationPlan("forecasting", parameters={"questions": "almanac", "count": 6, "fixed": True}, sessions=2)
    with open_store(str(tmp_path / "mensura.db")) as store:
        batch = invite(plan, store=store, created_by="test")
        with local.served(WebSettings(store=store.url)) as home:
            page.goto(home + batch.links[0].path)
            page.locator("input[name=agree]").check()
            page.locator("main form button").first.click()
            texts = []
            for _ in range(2):
                page.wait_for_selector(".stakes")
                texts += answer_all(page, page.url, lean)
                page.locator("main form button").first.click()
                page.wait_for_timeout(300)
    assert not any("This is your session 2" in text for text in texts[:7])
    assert "This is your session 2" in texts[7]
    assert "All 2 sessions" in texts[-1]
