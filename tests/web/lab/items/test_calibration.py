"""The calibration page: difficulty and ability on one scale, and nothing told early."""

from typing import Any

import pytest
from fastapi import FastAPI

from mensura.running.calibrating.bank_file import bank_of, write_bank
from mensura.running.calibrating.responses import responses_of
from mensura.running.items.table import item_table
from mensura.running.results.summary import summarise_run
from mensura.running.run import RunOptions, Selection, run
from mensura.store import Store
from mensura.web.participant.invitation import Frame, invite
from tests.able import Somebody
from tests.sums import addends
from tests.web.conftest import Visitor as Person
from tests.web.lab.items.conftest import Taken
from tests.web.lab.items.test_browser import look_at
from tests.web.lab.test_browser import Desk

TOGETHER = RunOptions(selection=Selection(together=True))


@pytest.fixture
def many(store: Store, taken: Taken) -> str:
    """Let forty simulated persons take the sums."""
    return str(run(taken.bank, Somebody(), store=store, sessions=40, seed=3, options=TOGETHER).head.id)


def address(*runs: str, ending: str = "", **more: str) -> str:
    said = [*(f"run={id}" for id in runs), *(f"{name}={value}" for name, value in more.items())]
    return f"/lab/calibration{ending}?{'&'.join(said)}"


def test_items_and_persons_are_measured(erin: Any, many: str, ids: list[str]) -> None:
    found = erin.get(address(*ids, many, ending=".json", model="rasch", persons="sessions")).json()
    assert found["reason"] == ""
    measured = found["measured"]
    assert len(measured["items"]) == 12
    assert {one["group"] for one in measured["abilities"]} == {"people", "machines"}
    page = erin.get(address(*ids, many, model="rasch", persons="sessions")).text
    assert "Item curves and information" in page
    assert "Persons beside items" in page


def test_too_few_persons_are_said_and_no_number_is_shown(erin: Any, ids: list[str]) -> None:
    found = erin.get(address(*ids, ending=".json")).json()
    assert "Too small to calibrate" in found["reason"]
    assert found["measured"] is None
    assert "Too small to calibrate" in erin.get(address(*ids)).text


def test_a_page_without_runs_says_what_is_missing(erin: Any) -> None:
    assert "Say which runs" in erin.get("/lab/calibration").text


def test_nothing_is_measured_of_items_that_someone_can_still_be_asked(
    erin: Any, store: Store, many: str, taken: Taken
) -> None:
    invite(taken.bank, store=store, sessions=1, frame=Frame())
    found = erin.get(address(many, ending=".json", model="rasch", persons="sessions")).json()
    assert found["measured"] is None
    assert found["withheld"] == 12
    page = erin.get(address(many, model="rasch", persons="sessions")).text
    assert "The right answers to 12 items are hidden: someone is or will be asked them." in page


def test_the_table_of_items_shows_difficulties_where_the_bank_has_them(
    erin: Any, store: Store, many: str, taken: Taken, tmp_path: Any
) -> None:
    table = item_table([many], store=store)
    found = responses_of(table, persons="sessions").measure("rasch")
    path = tmp_path / "sums.jsonl"
    write_bank(bank_of(table, named=None), found.calibrated.items, path)
    id = run(str(path), Somebody(), store=store, seed=4, options=TOGETHER).head.id
    shown = erin.get(f"/lab/items.json?run={id}").json()["table"]
    assert shown["calibrated"] is True
    assert " to " in shown["items"][5]["difficulty"]
    assert "Discrimination" in erin.get(f"/lab/items?run={id}").text


def test_a_person_takes_a_calibrated_bank_adaptively_in_the_browser(
    lab: FastAPI, store: Store, many: str, tmp_path: Any
) -> None:
    table = item_table([many], store=store)
    found = responses_of(table, persons="sessions").measure("rasch")
    path = tmp_path / "sums.jsonl"
    write_bank(bank_of(table, named=None), found.calibrated.items, path)
    head, (link,) = invite(str(path), store=store, parameters={"adaptive": True, "precision": 0.75}, frame=Frame())
    person = Person(lab, link.path)
    asked = 0
    while "What is " in person.text:
        first, second = addends(person.text.split("What is ")[1].split("?")[0])
        person.answer(str(first + second))
        asked += 1
    ability = summarise_run(store.runs.find(head.id), store=store).scores["ability"]
    assert 0 < ability.n == asked < 12
    assert ability.value > 0, "everything was right"
    assert ability.has_interval


@pytest.mark.browser
def test_the_page_has_no_faults_at_desk_and_phone_width(
    wide: Desk, password: str, many: str, ids: list[str], lab: FastAPI
) -> None:
    page = wide.log_in(password)
    page.goto(f"/lab/items?run={many}")
    page.get_by_role("link", name="Calibrate these items").click()
    page.get_by_label("One person is").select_option("sessions")
    page.get_by_label("Model").select_option("rasch")
    page.get_by_role("button", name="Calibrate").click()
    page.get_by_role("heading", name="Persons beside items").wait_for()
    page.get_by_text("Table of 40 rows").click()
    page.get_by_role("cell", name="Somebody, session 40").wait_for()
    look_at(page, "calibration")
