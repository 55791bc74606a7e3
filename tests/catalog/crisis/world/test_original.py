"""The original schedule as PDF, and the pages."""

import pytest

from mensura.catalog.crisis.packages.build import build_world
from mensura.catalog.crisis.world.original import original_pdf, original_svg


def test_the_original_schedule_is_a_pdf_with_every_event(small):
    assert original_pdf(original_svg(small)).startswith(b"%PDF")


def test_the_drawing_names_every_event_with_its_room():
    world = build_world("practice-1")
    drawn = original_svg(world)
    for event in world.events:
        assert f"{world.room[event.room].name}: {event.short}" in drawn.replace("&#x27;", "'").replace("&amp;", "&")


@pytest.mark.parametrize("package", ["crisis-1", "practice-1"])
def test_the_manual_states_every_kind_of_rule(package):
    manual = build_world(package).manual
    for words in ("A room of its own", "Enough places", "Its equipment", "Its catering", "Its people", "Plenaries",
                  "Order", "Tracks", "Neighbours", "What was announced", "Times that are fixed"):  # fmt: skip
        assert words in manual
    for vendor in build_world(package).vendors:
        assert f"| {vendor.name} |" in manual


def test_every_tool_has_a_manual_and_there_are_pages_that_help_nobody():
    pages = build_world("crisis-1").pages
    for tool in ("mail", "schedule", "portal", "vendors", "site", "briefing", "budget", "notes", "assistant"):
        assert f"help-{tool}" in pages
    assert {"ducks", "history", "sports", "lost-property"} <= set(pages)
