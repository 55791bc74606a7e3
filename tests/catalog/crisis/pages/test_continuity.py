"""Nothing typed is ever lost: not by acts, mail that comes, reloads or a break in the line."""

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
