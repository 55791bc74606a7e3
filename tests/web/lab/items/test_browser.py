"""Items in a real browser: at desk and phone width, by keyboard, without a fault; and 200 items taken by people."""

from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from mensura.running.items.table import item_table
from mensura.running.run import run
from mensura.store import Store
from mensura.web.participant.invitation import Frame, invite
from tests.sums import addends, program, write_sums
from tests.web.axe import SCRIPT
from tests.web.lab.test_browser import Desk

pytestmark = pytest.mark.browser
WIDTHS = (1280, 390)
FIND = """() => axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations
  .map((one) => `${one.id}: ${one.help} ${one.nodes[0].html.slice(0, 200)}`))"""
"""Every violation, also those that axe does not call serious."""


def look_at(page: Any, name: str) -> None:
    """Find no fault by axe and nothing wider than the screen, at desk and at phone width."""
    page.evaluate(SCRIPT.read_text() + ";0")
    page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate(FIND) == [], f"{name} at {width}"
        widest = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert widest <= 0, f"{name} is {widest} pixels wider than {width}"


def test_the_table_and_an_item_have_no_faults_at_desk_and_phone_width(
    wide: Desk, password: str, ids: list[str]
) -> None:
    page = wide.log_in(password)
    page.goto("/lab/items")
    look_at(page, "choosing")
    page.goto("/lab/items?" + "&".join(f"run={id}" for id in ids))
    look_at(page, "table")
    page.get_by_role("link", name="What is 10 + 5?").click()
    page.get_by_role("heading", name="Two replies, word by word").wait_for()
    look_at(page, "item")
    page.get_by_label("Second").select_option(index=2)
    page.get_by_role("button", name="Show how they differ").click()
    page.locator(".words del").first.wait_for()
    look_at(page, "difference")


def test_the_table_is_filtered_by_keyboard_and_its_address_is_kept(wide: Desk, password: str, ids: list[str]) -> None:
    page = wide.log_in(password)
    page.goto("/lab/items?" + "&".join(f"run={id}" for id in ids))
    page.get_by_label("Words in the question").focus()
    page.keyboard.type("31")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="1 of 12 items", exact=True).wait_for()
    assert "text=31" in page.url, "the table alone was renewed, and the address says what it shows"
    page.get_by_role("link", name="What is 31 + 12?").focus()
    page.keyboard.press("Enter")
    page.get_by_text("1 of 1").wait_for()
    page.go_back()
    page.get_by_role("heading", name="1 of 12 items", exact=True).wait_for()
    look_at(page, "found")
    page.reload()
    page.get_by_role("heading", name="1 of 12 items", exact=True).wait_for()
    page.get_by_role("link", name="Show all").click()
    page.get_by_role("heading", name="12 of 12 items", exact=True).wait_for()


@pytest.mark.proof
def test_two_hundred_items_by_a_model_a_program_and_three_people_stand_in_one_table(
    wide: Desk, password: str, store: Store, lab: FastAPI, address: str, browser: Any, chat_model: Any, tmp_path: Path
) -> None:
    bank = write_sums(tmp_path / "two-hundred.jsonl", 200)
    chat_model.answer = lambda request: _sum(request["messages"][-1]["content"], slip=lambda second: second % 4 == 1)
    ids = [
        run(bank, who, store=store, seed=1).head.id for who in (f"{chat_model.name}#price_in=1#price_out=2", program)
    ]
    head, links = invite(bank, store=store, sessions=3, frame=Frame())
    for number, link in enumerate(links):
        _take(browser, address + link.path, slip=lambda second, number=number: second % 10 == number)
    assert store.sessions.count(head.id) == {"finished": 3}
    table = item_table([*ids, head.id], store=store)
    assert table.asked.tolist() == [[1, 1, 3]] * 200
    for row, item in enumerate(table.rows):
        first, second = addends(item.prompt)
        small = first < 30 or row % 4 == 0
        expected = [float(second % 4 != 1), float(small), 1 - (second % 10 < 3) / 3]
        assert table.means[row].tolist() == pytest.approx(expected), item.prompt
    page = wide.log_in(password)
    page.goto("/lab/items?" + "&".join(f"run={id}" for id in (*ids, head.id)))
    page.get_by_role("heading", name="200 of 200 items", exact=True).wait_for()
    look_at(page, "two-hundred")
    page.get_by_label("Disagreement").select_option("people")
    page.get_by_role("button", name="Show", exact=True).click()
    people_and_programs = [_apart(table, row) for row in range(200)]
    page.get_by_role("heading", name=f"{sum(people_and_programs)} of 200 items", exact=True).wait_for()
    look_at(page, "two-hundred-apart")


def _apart(table: Any, row: int) -> bool:
    """Say whether people and programs lie half of the scale apart, by the means alone."""
    model, small, people = table.means[row]
    return abs((model + small) / 2 - people) >= 0.5


def _sum(text: str, *, slip: Any) -> str:
    """Answer a sum, off by one where it slips."""
    first, second = addends(str(text).split("What is ")[1].split("?")[0])
    return str(first + second + slip(second))


def _take(browser: Any, link: str, *, slip: Any) -> None:
    """Answer every sum in a browser of one's own, by clicks on an option and the button."""
    context = browser.new_context(viewport={"width": 390, "height": 780})
    page = context.new_page()
    page.goto(link)
    for number in range(200):
        question = page.locator("main[data-ready] p", has_text="What is ").inner_text()
        page.locator(f"label.card:has(input[value='{_sum(question, slip=slip)}'])").click()
        page.get_by_role("button", name="Answer").click()
        if number < 199:
            page.locator("main[data-ready] p", has_text="What is ").filter(has_not_text=question).wait_for()
    # The last answer is stored once the page after it has come.
    page.locator("main[data-ready]").filter(has_not_text="What is ").wait_for()
    context.close()
