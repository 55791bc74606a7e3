"""Two people talk, one at a desk and one with a phone: nothing that is typed is lost when the other speaks."""

import pytest

from tests.web.browser.conftest import PHONE

pytestmark = pytest.mark.browser


def test_two_people_talk_while_both_are_typing(invited, people, faults_of):
    links = invited("bargain", typing=True)
    ada, bohdan = people(links[0]), people(links[1], size=PHONE, locale="de-DE")
    for one in (ada, bohdan):
        one.wait_for_selector("main[data-ready] .chat textarea")
    ada.focus("textarea")
    ada.keyboard.type("Half ea")
    field = ada.query_selector("textarea")
    bohdan.wait_for_selector(".chat-typing:not(:empty)")
    assert bohdan.inner_text(".chat-typing") == "Schreibt gerade: Player A"
    bohdan.fill("textarea", "<b>Sieben</b> für mich")
    bohdan.keyboard.press("Enter")
    ada.wait_for_selector(".chat-said li")
    ada.keyboard.type("ch?")
    assert field.input_value() == "Half each?"
    assert ada.evaluate("document.activeElement.matches('textarea')")
    assert [faults_of(one) for one in (ada, bohdan)] == [[], []]
    ada.click("text=Send")
    bohdan.wait_for_selector(".chat-said li >> nth=1")
    assert bohdan.locator(".chat-said li").all_inner_texts() == ["Sie\n<b>Sieben</b> für mich", "Player A\nHalf each?"]
    assert (ada.input_value("textarea"), bohdan.input_value("textarea")) == ("", "")
    assert bohdan.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ada.fill("textarea", "a draft")
    ada.reload()
    ada.wait_for_selector("main[data-ready] .chat textarea")
    assert ada.input_value("textarea") == "a draft"
    ada.click(".chat-done")
    ada.wait_for_selector("main[data-kind=waiting] .chat")
    assert faults_of(ada) == []
    bohdan.click(".chat-done")
    ada.wait_for_selector("text=How much do you claim?")
