"""Accessibility: axe finds nothing on any page, at both widths; nothing is wider than the window."""

import pytest

from mensura.store.people.invitations import Step

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 780}
KEYS = ["choice", "action", "number", "probability", "likert", "distribution", "allocation", "density", "bins"]
KEYS += ["text", "line", "point", "circle", "call", "table", "file", "vector", "questions", "calls", "anything"]


def fits(page):
    """Say whether nothing sticks out to the right."""
    return page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def check(page, faults_of):
    page.wait_for_selector("main")
    assert faults_of(page) == []
    assert fits(page)


def test_the_check_itself_finds_a_fault(people, invited, faults_of):
    page = people(invited()[0])
    page.wait_for_selector("main[data-ready]")
    page.evaluate(
        "document.querySelector('main').append(document.createElement('img'), document.createElement('button'))"
    )
    assert {found.split(":")[0] for found in faults_of(page)} == {"image-alt", "button-name"}


@pytest.mark.slow
def test_no_question_has_a_fault_and_all_fit_a_phone(people, invited, gallery, faults_of):
    page = people(invited(gallery)[0])
    page.wait_for_selector("main[data-ready]")
    home = page.url.split("/p/")[0]
    for key in KEYS:
        page.goto(home + invited(gallery, only=key)[0].path)
        page.wait_for_selector("main[data-ready]")
        for mode in page.locator(".modes label").all()[2:]:
            mode.click()
        check(page, faults_of)
        page.set_viewport_size(PHONE)
        assert fits(page), key
        page.set_viewport_size({"width": 1100, "height": 800})


def test_no_other_page_has_a_fault(people, invited, gallery, faults_of, size):
    steps = [
        Step("consent", text="# Welcome\n\nYou will see **coins**."),
        Step("page", title="How", text="| a | b |\n|-|-|\n| 1 | 2 |"),
    ]
    link = invited(gallery, before=steps, only="choice", rest=True)[0]
    page = people(link, size=size)
    home = page.url.split("/p/")[0]
    check(page, faults_of)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Take part").click()
    page.wait_for_selector('main[data-ready][data-kind="page"]')
    check(page, faults_of)
    page.get_by_role("button", name="Continue").click()
    page.locator("label.card", has_text="plum").click()
    page.get_by_role("button", name="Answer").click()
    page.wait_for_selector('main[data-ready][data-kind="break"]')
    check(page, faults_of)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_selector('main[data-ready][data-kind="over"]')
    check(page, faults_of)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_selector('main[data-ready][data-kind="thanks"]')
    check(page, faults_of)
    for path in ("/", "/nowhere", "/p/unknown", f"{link.path}/withdraw"):
        page.goto(home + path)
        check(page, faults_of)


def test_waiting_for_others_has_no_fault(people, invited, faults_of, size):
    first, second = invited("dilemma", rounds=2)
    ada = people(first, size=size)
    ada.wait_for_selector('main[data-ready][data-kind="lobby"]')
    check(ada, faults_of)
    people(second, size=size)
    ada.wait_for_selector('main[data-ready][data-kind="ask"]')
    ada.keyboard.press("1")
    ada.keyboard.press("Enter")
    ada.wait_for_selector('main[data-ready][data-kind="waiting"]')
    check(ada, faults_of)


def test_the_new_question_is_announced_and_the_hands_stay_where_they_were(people, invited):
    page = people(invited("coin", flips=3)[0])
    page.wait_for_selector("main[data-ready]")
    page.fill("input[name=answer]", "50")
    page.keyboard.press("Enter")
    page.wait_for_selector('main[data-ready] [data-key="coin1"]')
    page.wait_for_function("document.activeElement.name === 'answer'")
    assert "This coin falls heads" in page.locator("#announce").text_content()
