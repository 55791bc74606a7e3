"""The schedule in the browser: dragging, keys, the tray, and the sheet that takes anything."""

import pytest

pytestmark = pytest.mark.browser


def drag(page, selector, to):
    """Drag with the mouse in small steps, as a hand does."""
    begin, end = (page.locator(each).first.bounding_box() for each in (selector, to))
    page.mouse.move(begin["x"] + 12, begin["y"] + 8)
    page.mouse.down()
    page.mouse.move(begin["x"] + 30, begin["y"] + 20, steps=3)
    page.mouse.move(end["x"] + 10, end["y"] + 10, steps=6)
    page.mouse.up()


def test_an_event_is_dragged_to_a_free_cell_and_refused_in_a_taken_one(sit):
    desk = sit()
    page = desk.page
    desk.tab("Schedule")
    page.locator(".days button", has_text="Tue").click()
    assert page.locator("td.lost").count() == 5
    assert page.locator("[data-event=panel] .warn").count() == 1
    drag(page, "[data-event=panel]", "[data-drop='auditorium:6']")
    desk.settled()
    page.wait_for_selector("[data-drop='auditorium:6'] [data-event=panel]")
    assert "Orchard Auditorium" in desk.said
    drag(page, "[data-event=panel]", "[data-drop='auditorium:7']")
    desk.settled()
    assert "reserved by Otto Krag" in desk.said
    drag(page, "[data-event=panel]", ".tray")
    page.wait_for_selector(".tray [data-event=panel]")
    assert desk.office().place["panel"] is None
    assert desk.calls("move") == [
        {"event": "panel", "room": "auditorium", "day": 2, "block": 2},
        {"event": "panel", "room": "auditorium", "day": 2, "block": 3},
    ]


def test_a_drag_that_rests_on_another_day_goes_there(sit):
    desk = sit()
    page = desk.page
    desk.tab("Schedule")
    box = page.locator("[data-event=papers]").bounding_box()
    day = page.locator("[data-day='2']").bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + 8)
    page.mouse.down()
    for step in range(8):
        page.mouse.move(day["x"] + 10 + step, day["y"] + 8)
        page.wait_for_timeout(70)
    page.wait_for_selector("[data-drop='terrace:10']")
    cell = page.locator("[data-drop='terrace:10']").bounding_box()
    page.mouse.move(cell["x"] + 20, cell["y"] + 12, steps=4)
    page.mouse.up()
    page.wait_for_selector("[data-drop='terrace:10'] [data-event=papers]")
    assert desk.office().place["papers"] == ("terrace", 10)


def test_keys_alone_move_an_event(sit):
    desk = sit()
    page = desk.page
    desk.tab("Schedule")
    page.focus("[data-event=papers]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".panel")
    page.focus("[data-place='move:papers:room']")
    page.keyboard.type("Terrace")
    page.focus("[data-place='move:papers:block']")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    desk.settled()
    page.wait_for_selector("[data-drop='terrace:1'] [data-event=papers]")
    page.focus("[data-place=placing]")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert page.locator(".put").count() == 0
    page.focus("[data-place=placing]")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.place") == "put:terrace:1"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-drop='auditorium:0'] [data-event=papers]")
    assert desk.office().place["papers"] == ("auditorium", 0)


def test_a_fact_of_the_tables_is_corrected_where_it_stands(sit):
    desk = sit()
    page = desk.page
    desk.tab("Schedule")
    page.locator(".option", has_text="Rooms").click()
    page.click("[data-place='at:room.auditorium.capacity.theatre']")
    page.keyboard.press("Control+A")
    page.keyboard.type("180")
    page.keyboard.press("Enter")
    desk.settled()
    assert page.inner_text("[data-place='at:room.auditorium.capacity.theatre']") == "180"
    page.locator(".option", has_text="Events").click()
    page.click("[data-place='at:event.keynote.attendance']")
    page.keyboard.press("Control+A")
    page.keyboard.type("many")
    page.keyboard.press("Enter")
    desk.settled()
    assert "whole number" in desk.said
    assert page.input_value("[data-place='cell:event.keynote.attendance']") == "many"
    facts = desk.office().facts
    assert (facts.capacity["auditorium", "theatre"], facts.attendance["keynote"]) == (180, 150)


def test_the_sheet_takes_anything_also_twice(sit):
    desk = sit("cots")
    page = desk.page
    desk.tab("Schedule")
    assert page.locator("td.lost, .warn, .tray").count() == 0
    page.click("[data-drop='great:0']")
    page.fill("#desk-entry", "the ants panel; Papers A1")
    desk.click("button:text-is('Enter')")
    page.wait_for_selector("[data-drop='great:0'] [data-event=papers]")
    assert page.locator("[data-drop='great:0'] .event").count() == 2
    page.focus("[data-drop='great:0']")
    page.keyboard.press("ArrowDown")
    page.keyboard.type("the tutorial")
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-drop='l12:0'] [data-event=tutorial]")
    drag(page, "[data-drop='auditorium:0'] [data-event=papers]", "[data-drop='l12:1']")
    page.wait_for_selector("[data-drop='auditorium:0']:not(:has([data-event=papers]))")
    desk.settled()
    page.focus("[data-drop='l12:0']")
    page.keyboard.press("Delete")
    page.wait_for_selector("[data-drop='l12:0']:not(:has(.event))")
    sheet = desk.office().sheet
    assert sheet["panel"] == [("great", 0), ("great", 6)]
    assert sheet["papers"] == [("great", 0), ("l12", 1)]
    assert sheet["tutorial"] == [("l12", 2)]


def test_on_a_phone_a_cell_can_be_chosen_with_nothing_in_front_of_it(sit, phone):
    desk = sit(size=phone)
    page = desk.page
    desk.tab("Schedule")
    page.locator("[data-event=papers]").click()
    page.locator("button:text-is('Choose a cell')").click()
    assert not page.locator(".panel").is_visible()
    page.locator("[data-place='put:terrace:1']").click()
    desk.settled()
    assert "Terrace Room" in desk.said
    assert desk.office().place["papers"] == ("terrace", 1)
