"""Nothing typed is ever lost: not by acts, mail that comes, reloads or a break in the line."""

from urllib.parse import urljoin

import pytest

pytestmark = pytest.mark.browser


def test_a_reload_brings_back_what_was_open_and_half_written(sit):
    desk = sit()
    page = desk.page
    page.locator(".letter", has_text="under water").click()
    page.wait_for_selector(".message textarea")
    page.fill(".message textarea", "Half a sen")
    desk.tab("Briefing")
    page.fill("textarea", "The hall is")
    page.reload()
    assert page.input_value("textarea") == "The hall is"
    desk.tab("Mail")
    assert page.input_value(".message textarea") == "Half a sen"
    assert "A pipe has burst" in page.inner_text(".message .body")
    assert desk.calls("read") == [{"message": "m-1"}]


def test_mail_that_comes_leaves_the_hands_on_the_keys_alone(sit):
    desk = sit()
    page = desk.page
    desk.tab("Briefing")
    page.focus("textarea")
    typed = ""
    while "Keys" not in desk.said:
        page.keyboard.type("word ")
        typed += "word "
        page.wait_for_timeout(40)
        assert len(typed) < 4000
    page.keyboard.type("end")
    assert page.input_value("textarea") == typed + "end"
    page.keyboard.press("Control+Home")
    assert page.evaluate("document.activeElement.selectionStart") == 0
    assert page.inner_text(".desk-tab .count") == "3"


def test_work_goes_on_after_the_line_was_down(sit):
    desk = sit()
    page = desk.page
    desk.tab("Notes")
    page.context.set_offline(True)
    page.fill("textarea", "call the porter")
    page.locator("button", has_text="Keep it").click()
    page.wait_for_selector(".status:has-text('No connection')")
    assert page.input_value("textarea") == "call the porter"
    page.context.set_offline(False)
    page.wait_for_selector(".notes li")
    assert [note.text for note in desk.office().notes] == ["call the porter"]


def test_what_is_too_long_is_said_and_kept(sit):
    desk = sit()
    page = desk.page
    desk.tab("Briefing")
    page.fill("textarea", "far too long " * 1000)
    desk.click("button:text-is('Send')")
    page.wait_for_selector(".desk-said.bad")
    assert len(page.input_value("textarea")) == 13_000
    page.fill("textarea", "short")
    desk.click("button:text-is('Send')")
    assert desk.office().briefing == "short"


def test_the_task_can_be_read_again(sit):
    desk = sit()
    page = desk.page
    task = page.inner_text(".tolds")
    desk.tab("Notes")
    page.fill("textarea", "begin")
    desk.click("button:text('Keep it')")
    assert page.locator(".tolds").count() == 0
    desk.tab("Manual")
    page.locator(".pick", has_text="Your task").click()
    assert page.inner_text(".page .prose") == task
    pages = page.locator(".pick").all_inner_texts()
    assert pages[:3] == ["Your task", "Planner's manual", "Original schedule"]
    assert [name.startswith("Tools: ") for name in pages[3:]] == sorted(
        [name.startswith("Tools: ") for name in pages[3:]], reverse=True
    )
    assert page.title() == "The office"


def test_another_browser_goes_on_where_the_first_was_closed(sit, browser):
    desk = sit()
    desk.page.locator(".letter", has_text="under water").click()
    desk.page.wait_for_selector(".message .body")
    desk.tab("Notes")
    desk.page.fill("textarea", "ask Ines")
    desk.click("button:text('Keep it')")
    desk.page.context.close()
    other = browser.new_context()
    page = other.new_page()
    page.goto(desk.path)
    page.locator(".desk-tab", has_text="Notes").click()
    assert "ask Ines" in page.inner_text(".notes")
    page.locator(".desk-tab", has_text="Mail").click()
    page.locator(".letter:not(.unread)").click()
    page.wait_for_selector(".message .body")
    page.locator(".desk-tab", has_text="Manual").click()
    page.locator(".pick", has_text="Your task").click()
    assert "You stand in for Peter Blum" in page.inner_text(".page .prose")
    other.close()


def test_a_window_opened_after_the_last_was_closed_has_what_was_half_written(sit):
    desk = sit()
    context = desk.page.context
    desk.tab("Briefing")
    desk.page.fill("textarea", "The hall is")
    desk.page.wait_for_timeout(300)
    desk.page.close()
    page = context.new_page()
    page.goto(desk.path)
    page.wait_for_selector(".briefing")
    assert page.input_value("textarea") == "The hall is"
    assert page.evaluate("Object.keys(localStorage).length") == 1
    # A day later others may sit here. A desk that is open would keep its draft anew.
    page.goto(urljoin(desk.path, "/static/icon.svg"))
    page.evaluate(
        """() => {
            const [name] = Object.keys(localStorage);
            const old = { ...JSON.parse(localStorage[name]), kept: Date.now() - 90_000_000 };
            localStorage.setItem(name, JSON.stringify(old));
        }"""
    )
    later = context.new_page()
    later.goto(desk.path)
    later.wait_for_selector(".desk-tab")
    later.locator(".desk-tab", has_text="Briefing").click()
    assert later.input_value("textarea") == ""
