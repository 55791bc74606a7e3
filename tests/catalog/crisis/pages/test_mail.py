"""Mail in the browser: reading, answering, searching, and letters that mean harm."""

import pytest

pytestmark = pytest.mark.browser


def test_a_person_reads_answers_searches_and_writes(sit):
    desk = sit()
    page = desk.page
    page.locator(".letter", has_text="under water").click()
    page.wait_for_selector(".message .body")
    assert "A pipe has burst" in page.inner_text(".message .body")
    page.fill(".message textarea", "I am on it.")
    desk.click("button:text('Send reply')")
    assert "went to Ruth Amadi" in desk.said
    assert page.input_value(".message textarea") == ""
    assert "I am on it." in page.inner_text(".answered")

    page.fill("input[type=search]", "microphone")
    desk.click(".search button")
    page.wait_for_selector(".found")
    assert page.locator(".letter").count() == 1
    page.locator(".letter").click()
    page.wait_for_selector(".receipt")
    page.locator(".receipt button", has_text="Change").click()
    assert "Order o-1" in page.inner_text(".panel")
    desk.tab("Mail")
    page.locator(".receipt button", has_text="Cancel").click()
    assert page.evaluate("document.activeElement.textContent") == "Cancel the order"

    desk.tab("Mail")
    page.locator("button", has_text="New message").click()
    page.fill("[data-place='new:to']", "nobody at all")
    page.fill("[data-place='new:text']", "Hello?")
    desk.click("button:text-is('Send')")
    assert "no" in desk.said.lower()
    assert page.input_value("[data-place='new:text']") == "Hello?"
    page.fill("[data-place='new:to']", "valdez@orchard.example")
    desk.click("button:text-is('Send')")
    page.locator(".folder", has_text="Sent").click()
    assert page.locator(".letter").count() == 2
    office = desk.office()
    assert [sent.to for sent in office.sent] == ["chair", "ines"]
    assert office.read.keys() == {"m-1", "b-1"}


def test_html_in_a_letter_is_shown_and_never_run(sit, hostile):
    desk = sit()
    page = desk.page
    page.locator(".letter", has_text="won").click()
    page.wait_for_selector(".message .body")
    assert page.inner_text(".message .body") == hostile
    assert page.locator(".message h3").inner_text() == "You <b>won</b>"
    assert page.locator(".message :is(img, script, a)").count() == 0
    page.fill(".message textarea", hostile)
    desk.click("button:text('Send reply')")
    page.reload()
    page.wait_for_selector(".answered")
    assert hostile in page.inner_text(".answered")
    assert page.evaluate("window.stolen") is None


def test_on_a_phone_a_message_takes_the_place_of_the_list(sit, phone):
    desk = sit(size=phone)
    page = desk.page
    page.locator(".letter", has_text="under water").click()
    page.wait_for_selector(".message .body")
    assert not page.locator(".mail-list").is_visible()
    page.locator("button", has_text="All messages").click()
    assert page.locator(".mail-list").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_arrow_keys_go_down_the_list(sit):
    desk = sit()
    page = desk.page
    page.locator(".letter", has_text="under water").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_selector(".message .body")
    assert page.evaluate("document.activeElement.matches('.letter[aria-current]')")


def test_an_empty_reply_and_an_empty_note_are_said_to_be_empty(sit):
    desk = sit()
    page = desk.page
    page.locator(".letter", has_text="under water").click()
    page.wait_for_selector(".message .body")
    page.locator("button", has_text="Send reply").click()
    assert desk.said == "The reply is empty."
    desk.tab("Notes")
    # What was wrong with the reply is not wrong here.
    assert desk.said == ""
    page.locator("button", has_text="Keep it").click()
    assert desk.said == "The note is empty."
