"""A psychologist's study from the pages alone, in a real browser at desktop and at phone width.

Two conditions, 30 people through the routes of the browser, drop-outs and a replacement, a withdrawal, an exclusion, a
panel, a report, and an archive that is opened on the pages of another laboratory. One of the people uses the browser
too; the others send what its pages would.
"""

import re
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from mensura.running.study import analyse, stored_study
from mensura.running.study.people.places import places_of
from mensura.store import Store, open_store
from mensura.web.local import served
from mensura.web.settings import WebSettings
from tests.web.axe import faults_of
from tests.web.lab.conftest import PASSWORD
from tests.web.lab.test_browser import Desk, address, browser, desk

__all__ = ["address", "browser", "desk"]
pytestmark = pytest.mark.browser
STUDY = "/lab/studies/coins"
MORE = """recruiting:
  codes: {finished: DONE1, withdrawn: GONE1}
  strata:
    - {key: hand, text: "Which hand do you write with?", options: {left: 20, right: 20}}
"""


class Somebody:
    """Someone with a browser that is not looked at: every form of a page is sent as the page has it."""

    def __init__(self, home: str, path: str) -> None:
        # Certificates take long to read, and there are none here.
        self.client = httpx.Client(base_url=home, follow_redirects=True, verify=False)
        self.page = self.client.get(path)

    @property
    def kind(self) -> str:
        found = re.search(r'data-kind="(\w+)"', self.page.text)
        return found[1] if found else ""

    def send(self, **fields: str) -> None:
        form = re.search(r'<form[^>]*action="([^"]*)".*?</form>', self.page.text, re.S)
        assert form, self.page.text
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0]))
        radios = re.findall(r'type="radio"[^>]*name="([^"]*)"|name="([^"]*)"[^>]*type="radio"', form[0])
        chosen = {name: "3" for pair in radios for name in pair if name}
        self.page = self.client.post(form[1], data={**hidden, "agree": "yes", **chosen, **fields})

    def go(self, until: str, answer: str = "60") -> "Somebody":
        """Go on to a kind of page."""
        for _ in range(60):
            if self.kind == until:
                return self
            self.send(**({"answer": answer} if self.kind == "ask" and "radio" not in self.page.text else {}))
        raise AssertionError(f"{until} was not reached: {self.kind}")

    def withdraw(self) -> None:
        self.page = self.client.get(re.search(r'href="(/p/[^"]*/withdraw)"', self.page.text)[1])  # type: ignore[index]
        self.send(sure="yes")


def look(page: Any) -> None:
    """Find nothing wrong with a page for anyone, and nothing wider than the screen."""
    assert faults_of(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, page.url


def plan_and_register(page: Any, people: int) -> str:
    """Write the plan and register it; gives the recruiting link."""
    page.goto("/lab/studies/new")
    page.fill("[name=name]", "coins")
    page.select_option("[name=test]", "coin-v1")
    page.fill("[name=n]", str(people // 2))
    page.fill("[name=question]", "Are single coins judged better?")
    page.fill("[name=conditions]", "single: flips=1\npair: flips=2")
    page.click("text=Fill in the plan")
    plan = page.input_value("#plan-text")
    assert "name: unfinished" in plan
    page.fill("#plan-text", plan.replace("name: unfinished", "name: dropped out") + MORE)
    page.wait_for_selector("text=Cells are balanced within each answer")
    look(page)
    page.click("text=Register this plan")
    page.wait_for_url(f"**{STUDY}/people")
    page.click("text=Open the link")
    page.wait_for_selector("text=Let nobody new come")
    look(page)
    return str(page.locator("#recruiting code.link").first.inner_text())


def take_part(desk: Desk, link: str) -> None:
    """Take part in the browser, as one of the people."""
    page = desk.context.new_page()
    page.goto(link)
    page.check("[name='q.hand'][value=left]")
    look(page)
    page.click("button.primary")
    page.check("[name=agree]")
    look(page)
    page.click("button.primary")
    while page.locator(".completion").count() == 0:
        # What is filled in before the page is ready may be swept away by the part that comes in.
        page.wait_for_selector("main[data-ready]")
        if page.locator("[name=answer]").count():
            page.fill("[name=answer]", "70")
            look(page)
        before = page.locator("#main").inner_text()
        page.click("button.primary")
        page.wait_for_function("before => document.getElementById('main').innerText !== before", arg=before)
    assert "DONE1" in page.inner_text("#main")
    look(page)
    page.close()


def recruit(home: str, link: str, others: int) -> None:
    """Let the others come: two drop out, one withdraws, the rest finish."""
    path = link.removeprefix(home)
    for number in range(others):
        one = Somebody(home, path)
        one.send(**{"q.hand": ("left", "right")[number % 2]})
        if number in (1, 4):
            one.go("ask")
        elif number == 3:
            one.go("ask").withdraw()
            assert "GONE1" in one.page.text
        else:
            one.go("thanks", answer=str(30 + number))
            assert "DONE1" in one.page.text


def mend(page: Any, home: str, store: Store, people: int) -> None:
    """Close and replace those who dropped out, and exclude someone who was disturbed."""
    page.goto(f"{STUDY}/people")
    look(page)
    states = {one.number: one.state for one in places_of("coins", store=store)}
    assert Counter(states.values()) == {"finished": people - 3, "consented": 2, "withdrawn": 1}
    gone = [number for number, state in states.items() if state == "consented"]
    for number in gone:
        page.check(f"#place-{number}")
    page.click("text=Close their links")
    page.wait_for_selector(".badge.dropped-out")
    page.click(f"[aria-label='Replace invitation {gone[0]} in the same cell']")
    page.wait_for_selector("text=shown only now")
    look(page)
    Somebody(home, page.locator("code.link").inner_text().removeprefix(home)).go("thanks")
    page.click("text=See who is where")
    done = next(number for number, state in states.items() if state == "finished")
    page.check(f"#place-{done}")
    page.fill("[name=reason]", "A fire alarm went off.")
    page.click("text=Exclude what they did")
    page.wait_for_selector(".badge.excluded")
    page.click("text=Let nobody new come")
    page.wait_for_selector("text=Open it again")


def judge(page: Any, home: str, folder: Path, pieces: int) -> None:
    """Let two raters judge what was done, blind, and take their report."""
    page.click(".tabs >> text=Panels")
    page.fill("[name=name]", "care")
    page.fill("[name=raters]", "Rob\nUma")
    page.fill("[name=overlap]", "1")
    page.fill("[name=items]", "careful: The answers look careful.")
    look(page)
    page.click("text=Open the panel")
    page.wait_for_selector(f"text={pieces} artefacts")
    page.click("text=Make links for people without one")
    page.wait_for_selector("code.link")
    for link in page.locator("code.link").all_inner_texts():
        Somebody(home, link.removeprefix(home)).go("thanks")
    page.goto(f"{STUDY}/panels")
    look(page)
    page.click("text=Close the panel")
    page.wait_for_selector("text=as a file")
    look(page)
    keep(page, "text=What the raters found, as a file", folder / "panel.html")


def keep(page: Any, what: str, path: Path) -> str:
    """Download a file."""
    with page.expect_download() as coming:
        page.click(what)
    coming.value.save_as(path)
    return str(coming.value.suggested_filename)


def open_elsewhere(browser: Any, path: Path, width: int, folder: Path) -> str:
    """Open the archive on the pages of another laboratory, and return what its page of the study says."""
    with open_store(folder / "elsewhere.db") as store:
        store.accounts.add("Olga", password=PASSWORD, role="experimenter")
    with served(WebSettings(store=str(folder / "elsewhere.db"))) as address:
        desk = Desk(browser, address, width)
        page = desk.log_in(PASSWORD, "Olga")
        page.goto("/lab/studies")
        page.click("text=Open an archive")
        look(page)
        page.set_input_files("[name=file]", path)
        page.fill("[name=digest]", sha256(path.read_bytes()).hexdigest())
        page.click("text=Open it")
        page.wait_for_selector("text=It is the file that was sent")
        look(page)
        page.click("main >> a.act >> text=coins")
        page.wait_for_selector("text=How far it is")
        look(page)
        said = str(page.inner_text("main"))
        desk.context.close()
        assert desk.faults == []
    return said


def test_a_study_is_run_from_the_pages_alone(
    desk: Desk, browser: Any, address: str, password: str, store: Store, tmp_path: Path
) -> None:
    page = desk.log_in(password)
    people, width = 30, page.viewport_size["width"]
    link = plan_and_register(page, people)
    take_part(desk, link)
    recruit(address, link, people - 1)
    mend(page, address, store, people)
    judge(page, address, tmp_path, people - 2)
    page.goto(STUDY)
    look(page)
    assert f"{people - 3} of {people + 1} sessions count" in page.inner_text("main")
    assert keep(page, "text=The report as a file", tmp_path / "report.html") == "coins-report.html"
    assert keep(page, "text=The study as an archive", tmp_path / "coins.zip") == "coins.zip"
    assert "A fire alarm went off." in (tmp_path / "report.html").read_text()
    ours = analyse(stored_study("coins", store=store), store=store)
    assert f"{people - 3} of {people + 1} sessions count" in open_elsewhere(
        browser, tmp_path / "coins.zip", width, tmp_path
    )
    with open_store(tmp_path / "elsewhere.db") as other:
        theirs = analyse(stored_study("coins", store=other), store=other)
        assert theirs.as_json()["planned"] == ours.as_json()["planned"]
        assert theirs.altered == []
        assert theirs.registration is not None
        assert theirs.registration.before_data
        assert other.invitations.identities() == []
