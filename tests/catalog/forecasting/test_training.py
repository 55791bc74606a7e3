"""A person trains in a real browser, by keyboard alone, and the record is scored."""

import re
import shutil
from queue import Queue
from threading import Thread

import pytest

pytestmark = pytest.mark.browser


@pytest.fixture
def page():
    tools = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    with tools.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        opened = browser.new_page()
        opened.set_default_timeout(20_000)
        yield opened
        browser.close()


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


@pytest.mark.parametrize("alternatives", [2, 3, 4])
def test_a_person_takes_the_test_by_keyboard_and_sees_scores_move(page, tmp_path, alternatives):
    local = pytest.importorskip("mensura.web.local")
    from mensura.store import open_store

    links, results = Queue(), Queue()

    def lean(page):
        """Lean towards the first alternative, and see the points follow."""
        before = page.locator(".stakes-pay").all_inner_texts()
        (page.locator("circle.point") if alternatives == 3 else page.locator(".stakes input[type=range]").first).focus()
        press(page, {2: "ArrowLeft", 3: "ArrowUp", 4: "ArrowRight"}[alternatives], 10)
        after = page.locator(".stakes-pay").all_inner_texts()
        assert before == ["+0"] * alternatives
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
        shown = answer_all(page, links.get(timeout=30), lean)
        while page.locator("main form button").count():
            page.locator("main form button").first.click()
            page.wait_for_timeout(200)
        result = results.get(timeout=60)
    assert len(shown) == 13
    assert "points" in shown[0]
    assert re.search(r"The answer is \w", shown[1])
    assert "How realistic you are so far" not in shown[5]
    assert "How realistic you are so far" in shown[11]
    assert result.scores["logarithmic_score"].n == 12
