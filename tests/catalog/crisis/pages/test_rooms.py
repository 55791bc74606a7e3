"""Rooms in the browser: asking an owner, whose answer comes by mail while the page is left alone; specifications."""

import pytest

pytestmark = pytest.mark.browser


@pytest.mark.usefixtures("prompt_answers")
def test_a_room_is_asked_for_and_the_owner_writes_back(sit):
    desk = sit()
    page = desk.page
    desk.tab("Rooms")
    page.locator(".pick", has_text="Orchard Auditorium").click()
    assert page.locator(".portal td.held").count() == 2
    page.locator("[data-place='ask:auditorium:5']").click()
    page.keyboard.type("Please, for the keynote")
    page.keyboard.press("Enter")
    desk.settled()
    assert "went to Ines Valdez" in desk.said
    page.wait_for_selector(".portal td.granted")
    # One message, or two that came at once.
    page.wait_for_function("() => /New mail|new messages/.test(document.querySelector('.desk-said').innerText)")
    desk.tab("Mail")
    page.locator(".letter", has_text="Ines Valdez").click()
    page.wait_for_selector(".message .body")
    assert "Orchard Auditorium" in page.inner_text(".message .body")
    office = desk.office()
    assert office.granted == {("auditorium", 5)}
    assert desk.calls("ask_room")[0]["text"] == "Please, for the keynote"


def test_the_specification_is_looked_up_and_the_map_shows_the_buildings(sit):
    desk = sit()
    page = desk.page
    desk.tab("Rooms")
    page.locator(".pick", has_text="Linden 12").click()
    desk.click("button:text('Open the specification')")
    page.wait_for_selector(".spec .prose")
    assert "theatre: 60" in page.inner_text(".spec")
    page.locator(".option", has_text="Map").click()
    assert page.locator(".campus .house").count() == 2
    page.locator(".option", has_text="All rooms of a day").click()
    page.locator(".option", has_text="Tue").click()
    assert page.locator("td.held").count() == 2
    assert desk.calls("look") == [{"page": "room", "item": "l12"}]


def test_the_original_schedule_can_be_read_and_saved_as_it_was_printed(sit):
    desk = sit()
    page = desk.page
    desk.tab("Manual")
    page.locator(".pick", has_text="Original schedule").click()
    page.wait_for_selector(".prose")
    assert "Great Hall" in page.inner_text(".prose")
    with page.expect_download() as download:
        page.locator("a", has_text="as PDF").click()
    assert download.value.path().read_bytes().startswith(b"%PDF-")
    page.reload()
    page.wait_for_selector("a:has-text('as PDF')")
    assert desk.calls("look") == [{"page": "original"}]


def test_a_room_can_be_asked_for_where_an_event_was_entered_already(sit):
    desk = sit("cots")
    page = desk.page
    desk.tab("Schedule")
    page.locator(".days button", has_text="Tue").click()
    page.click("[data-drop='auditorium:5']")
    page.fill("#desk-entry", "Papers A1")
    desk.click("button:text-is('Enter')")
    desk.tab("Rooms")
    page.locator(".pick", has_text="Orchard Auditorium").click()
    assert "Papers A1" in page.inner_text(".portal td.held:has([data-place='ask:auditorium:5'])")
    page.locator("[data-place='ask:auditorium:5']").click()
    desk.click("button:text-is('Ask')")
    assert "went to Ines Valdez" in desk.said


def test_no_name_on_the_map_is_cut_off(sit, phone):
    desk = sit(package="crisis-1")
    page = desk.page
    desk.tab("Rooms")
    page.locator(".option", has_text="Map").click()
    for size in ({"width": 1280, "height": 800}, phone):
        page.set_viewport_size(size)
        whole = page.locator(".campus").bounding_box()
        names = [name.bounding_box() for name in page.locator(".campus text").all()]
        assert len(names) == 5
        for name in names:
            assert whole["x"] <= name["x"]
            assert name["x"] + name["width"] <= whole["x"] + whole["width"]
