"""The element of a world that lives on stays in the page while asks come and go around it."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

LIVING = f"{Path(__file__).parents[1] / 'living.py'}:living"


def test_what_is_typed_stays_focused_while_a_companion_acts(invited, people):
    first, second = (people(link) for link in invited(LIVING, people=2, length=4))
    first.wait_for_selector(".board li, main[data-ready] .board")
    first.focus(".board input")
    first.keyboard.type("half a wo")
    field = first.query_selector(".board input")
    second.wait_for_selector("main[data-ready] .board")
    second.fill(".board input", "whole")
    second.click(".board button")
    first.wait_for_selector(".board li")
    first.keyboard.type("rd")
    assert field.input_value() == "half a word"
    assert first.evaluate("document.activeElement.matches('.board input')")
    first.click(".board button")
    first.wait_for_selector(".board li >> nth=1")
    assert first.locator(".board li").all_inner_texts() == ["second: whole", "first: half a word"]


def test_the_world_stays_in_sight_while_a_slow_program_works(invited, people):
    person = people(invited(LIVING, {"first": "human", "sorter": "slow"}, sorter=True)[0])
    person.wait_for_selector("main[data-ready] .board")
    field = person.query_selector(".board input")
    person.fill(".board input", "word")
    person.click(".board button")
    person.wait_for_selector(".board.waits")
    assert field.is_visible()
    person.wait_for_selector(".board:not(.waits) li")
    assert field.is_visible()
