"""A real browser: logging in, inviting, watching, reading, comparing, leaving out, exporting; by mouse and by key."""

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from starlette.testclient import TestClient

from mensura.running.run import run
from mensura.running.study import amend, conduct, invite, make_study
from mensura.store import Store
from mensura.store.people.invitations import GRACE_SECONDS
from tests.proofs import proofs
from tests.waiting import PATIENCE_SECONDS, until
from tests.web.axe import faults_of

WIDTHS = {"desktop": 1100, "phone": 390}
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(chromium: Any) -> Any:
    """Give the Chromium that all tests share."""
    return chromium


@pytest.fixture
def address(lab: FastAPI) -> Iterator[str]:
    """Serve the laboratory on a port of this machine."""
    server = uvicorn.Server(uvicorn.Config(lab, port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started or not thread.is_alive())
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(PATIENCE_SECONDS)


class Desk:
    """An experimenter at a browser; whatever the console complains about is kept."""

    def __init__(self, browser: Any, address: str, width: int) -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 800}, base_url=address)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("console", lambda message: self._keep(message))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))

    def _keep(self, message: Any) -> None:
        # A page that answers with an error status is met on purpose; the browser says so, and nothing is wrong.
        if message.type == "error" and "the server responded with a status of" not in message.text:
            self.faults.append(message.text)

    def log_in(self, password: str, name: str = "Erin") -> Any:
        """Log in by the keyboard alone."""
        self.page.goto("/lab/login")
        wait_for(self.page, "document.activeElement.name === 'name'")
        self.page.keyboard.type(name)
        self.page.keyboard.press("Tab")
        self.page.keyboard.type(password)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url("**/lab*")
        return self.page


# Most tests are at desktop width already: what is asked for at both is most likely to break on a phone.
@pytest.fixture(params=[*proofs("desktop"), "phone"])
def desk(request: pytest.FixtureRequest, browser: Any, address: str) -> Iterator[Desk]:
    """Give an experimenter's browser, at desktop and at phone width."""
    made = Desk(browser, address, WIDTHS[request.param])
    yield made
    made.context.close()
    assert made.faults == []


@pytest.fixture
def wide(browser: Any, address: str) -> Iterator[Desk]:
    """Give an experimenter's browser at desktop width."""
    made = Desk(browser, address, WIDTHS["desktop"])
    yield made
    made.context.close()
    assert made.faults == []


def wait_for(page: Any, condition: str) -> None:
    """Wait until something is true on a page; its policy lets nobody evaluate texts inside it."""
    for _ in range(2400):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(condition)


def look_through(page: Any, path: str, axe_at: str) -> None:
    """Let axe find nothing on a page, and nothing wider than the screen at desktop and at phone width."""
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    for name, width in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": 800})
        if name == axe_at:
            assert faults_of(page) == [], f"{path} at {width}"
        widest = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert widest <= 0, f"{path} is {widest} pixels wider than {width}"


@pytest.mark.parametrize("axe_at", [*proofs("desktop"), "phone"])
def test_no_page_has_anything_for_axe_or_wider_than_the_screen(
    wide: Desk, password: str, runs: tuple[str, str], erin: Any, store: Store, axe_at: str
) -> None:
    plan = {
        "name": "urns",
        "test": "forecasting",
        "casts": {"guesser": "chance", "realist": "realistic"},
        "sessions": 2,
    }
    conduct(make_study(plan), store=store)
    store.members.put("urns", store.accounts.find("Erin"), role="owner", added_by="Erin")
    link = store.keys.give_link(store.accounts.find("Anna"), seconds=600)
    game = run("dilemma", "chance", store=store, sessions=1, parameters={"rounds": 3}).head.id
    mail = run("inbox", "clerk", store=store, sessions=1, setting="short").head.id
    erin.submit("/lab/invitations", {"test": "coin-v1", "count": "2", "label": "pilot", "consent": "Yes?", "days": "3"})
    erin.submit(f"/lab/runs/{runs[0]}/exclusions", {"session.0.0.1": "yes", "reason": "Fire alarm."})
    wide.page.goto("/lab/login")
    look_through(wide.page, "/lab/login", axe_at)
    page = wide.log_in(password)
    here = f"/lab/runs/{runs[0]}"
    for path in (
        *("/lab", "/lab/tests", "/lab/tests/coin-v1", "/lab/tests/dilemma-v1", "/lab/runs", here, f"{here}/results"),
        *(f"{here}/sessions/0.0.1", f"{here}/sessions/0.0.0/playback?at=2", "/lab/compare", "/lab/exclusions"),
        *(f"/lab/compare?run={runs[0]}&run={runs[1]}", "/lab/invitations", "/lab/identities", "/lab/audit"),
        *("/lab/studies", "/lab/studies/new", "/lab/studies/urns", f"/lab/runs/{store.runs.all()[2].id}/results"),
        *("/lab/accounts", "/lab/me", "/lab/panels", f"/lab/runs/{game}/sessions/0.0.0"),
        *("/lab/studies/urns/members", "/lab/identities?study=urns", link),
        *("/lab/studies/urns/amend", "/lab/studies/import"),
        *(f"/lab/runs/{game}/sessions/0.0.0/playback?at=10", f"/lab/runs/{mail}/sessions/0.0.0/playback?at=20"),
    ):
        page.goto(path)
        if path == here:
            page.locator("#results-part").wait_for()
        look_through(page, path, axe_at)
    page.goto("/lab/me")
    page.get_by_role("button", name="Set it up").click()
    page.get_by_role("heading", name="Show that it works").wait_for()
    look_through(page, "second factor", axe_at)


def test_people_are_invited_watched_and_read(desk: Desk, password: str, lab: FastAPI, store: Store) -> None:
    page = desk.log_in(password)
    page.goto("/lab/tests/coin-v1")
    page.get_by_label("How many").fill("2")
    page.get_by_label("Label").fill("pilot")
    page.get_by_text("What they are asked: items and parameters").click()
    page.locator("#i-f-parameter-flips").fill("1")
    page.get_by_role("button", name="Make the links").click()
    page.get_by_role("heading", name="2 new links").wait_for()
    links = [code.inner_text() for code in page.locator("code.link").all()]
    assert len(set(links)) == 2
    page.get_by_role("link", name="Watch how far they are").click()
    page.get_by_text("not yet entered").first.wait_for()
    # Someone opens the link elsewhere; the page notices by itself.
    TestClient(lab).get("/p/" + links[1].rpartition("/")[2])
    page.locator("tbody tr").first.get_by_text("under way").wait_for()
    assert page.locator("tbody tr").first.inner_text().startswith("2")


def test_a_stopped_clock_is_seen_by_the_participant_and_released_only_by_the_observer(
    wide: Desk, password: str, store: Store, browser: Any, address: str
) -> None:
    study = make_study({"name": "watched", "test": "coin", "casts": {"people": "human"}})
    conduct(study, store=store)
    invited = invite(study, 1, store=store)[0]
    person = browser.new_context(viewport={"width": 390, "height": 780}, base_url=address).new_page()
    person.goto(f"/p/{invited.token}")
    person.get_by_label("I have read this").check()
    person.get_by_role("button", name="Take part").click()
    person.locator("main[data-ready] input[name=answer]").fill("70")
    observer = wide.log_in(password)
    observer.goto(f"/lab/observe/watched/{invited.number}")
    observer.get_by_label("Something broke").fill("fire alarm")
    observer.get_by_role("button", name="Stop the clock").click()
    person.get_by_text("The observer Erin has stopped the clock").wait_for()
    assert person.get_by_role("button", name="Go on").count() == 0
    observer.get_by_role("button", name="Go on").click()
    # The page continues by itself, with what was filled in.
    person.locator("main[data-ready] input[name=answer]").wait_for()
    assert person.locator("input[name=answer]").input_value() == "70"
    assert "Erin" in observer.locator("tbody tr").last.inner_text()
    person.context.close()


def test_an_expired_link_says_until_when_and_ends_its_session_by_itself(
    wide: Desk, password: str, store: Store, browser: Any, address: str
) -> None:
    desk = wide.log_in(password)
    desk.goto("/lab/tests/coin-v1")
    desk.get_by_label("How many").fill("2")
    desk.get_by_role("button", name="Make the links").click()
    desk.get_by_role("heading", name="2 new links").wait_for()
    people = []
    for code in desk.locator("code.link").all():
        person = browser.new_context(viewport={"width": 390, "height": 780}).new_page()
        person.goto(f"{address}/p/{code.inner_text().rpartition('/')[2]}")
        person.get_by_label("I have read this").check()
        person.get_by_role("button", name="Take part").click()
        person.locator("main[data-ready] input[name=answer]").wait_for()
        people.append(person)
    one, other = store.invitations.all()
    for expiring in (one, other):
        store.invitations.extend(expiring.number, expires=time.time() - 5)
    people[0].locator("input[name=answer]").fill("70 %")
    people[0].get_by_role("button", name="Answer").click()
    people[0].get_by_text("what you have begun can be finished until").wait_for()
    desk.goto("/lab/invitations")
    desk.locator(f"#extend-{other.number}").click()
    store.invitations.extend(one.number, expires=time.time() - GRACE_SECONDS - 5)
    desk.goto("/lab/invitations")
    desk.locator("tbody tr").last.get_by_text("closed").wait_for()
    head = store.sessions.find(one.sessions[0])
    assert (head.status, head.ended is not None) == ("expired", True)
    assert store.results.history(head.id)[-1].scores.tally == {"answered": 1, "timed_out": 19}
    people[0].reload()
    people[0].get_by_role("heading", name="This link has expired").wait_for()
    people[1].reload()
    people[1].locator("main[data-ready] input[name=answer]").wait_for()
    assert people[1].get_by_text("This link").count() == 0
    for person in people:
        person.context.close()


def test_a_run_is_started_and_its_bar_fills_by_itself(wide: Desk, password: str) -> None:
    page = wide.log_in(password)
    page.goto("/lab/tests/coin-v1")
    page.locator("#r-sessions").fill("30")
    page.get_by_role("button", name="Start the run").click()
    page.wait_for_url("**/lab/runs/coin-*")
    page.get_by_text("30 of 30").wait_for()
    page.reload()
    page.get_by_role("cell", name="quadratic score").wait_for()
    picture = page.locator("figure img").first
    picture.wait_for()
    wait_for(page, "document.querySelector('figure img').naturalWidth > 100")
    assert "estimate" not in (picture.get_attribute("alt") or "")
    assert "n=30" in (picture.get_attribute("alt") or "")


def test_a_session_is_played_back_by_keyboard(desk: Desk, password: str, runs: tuple[str, str]) -> None:
    page = desk.log_in(password)
    page.goto(f"/lab/runs/{runs[1]}/sessions/0.0.0")
    page.get_by_role("link", name="Play it back").click()
    page.get_by_text("event 1 of 9").wait_for()
    # Keys are heard once the page's scripts have run.
    page.wait_for_load_state("load")
    page.keyboard.press("ArrowRight")
    page.get_by_text("event 2 of 9").wait_for()
    assert "at=2" in page.url
    page.keyboard.press("End")
    page.get_by_text("event 9 of 9").wait_for()
    page.keyboard.press("ArrowLeft")
    page.get_by_text("event 8 of 9").wait_for()
    page.keyboard.press("Home")
    page.get_by_text("event 1 of 9").wait_for()
    page.go_back()
    page.get_by_text("event 8 of 9").wait_for()
    # The button under the finger stays under it, however often it is pressed.
    page.get_by_role("link", name="Back", exact=True).focus()
    page.keyboard.press("Enter")
    page.get_by_text("event 7 of 9").wait_for()
    wait_for(page, "document.activeElement.dataset.step === 'before'")
    page.get_by_role("button", name="Play").click()
    page.get_by_text("event 8 of 9").wait_for()
    page.get_by_role("button", name="Stop").click()


def test_two_runs_are_ticked_compared_and_one_session_is_left_out(
    wide: Desk, password: str, runs: tuple[str, str]
) -> None:
    page = wide.log_in(password)
    page.goto("/lab/runs")
    for name in runs:
        page.get_by_label(f"Compare {name}").check()
    page.get_by_role("button", name="Compare the two ticked").click()
    page.get_by_role("heading", name="Is the difference real?").wait_for()
    assert page.locator(".verdict").inner_text()
    wait_for(page, "document.querySelector('figure img').naturalWidth > 100")
    page.goto(f"/lab/runs/{runs[0]}")
    page.get_by_text("From 6 scored sessions").wait_for()
    page.get_by_label("Session 0.0.2").check()
    page.get_by_label("Reason").fill("The fire alarm rang.")
    page.get_by_role("button", name="Decide").click()
    page.get_by_text("From 5 scored sessions; 5 of 6 sessions count; 1 excluded: The fire alarm rang.").wait_for()
    assert page.get_by_text("with the excluded sessions").count() == 2, "each score is shown both ways"
    assert page.get_by_text("The fire alarm rang.").count() == 3
    page.goto(f"/lab/compare?run={runs[0]}&run={runs[1]}")
    page.get_by_text(f"{runs[0]}: 5 of 6 sessions count").wait_for()
    page.get_by_text("With the excluded sessions: ").first.wait_for()


def test_the_page_of_a_study_tells_its_plan_its_amendments_and_what_was_not_tested(
    desk: Desk, password: str, store: Store
) -> None:
    plan = {
        "name": "told",
        "test": "coin",
        "casts": {"person": "human", "guesser": "chance"},
        "hypotheses": [{"score": "quadratic_score", "compare": ["person", "guesser"], "expect": "greater"}],
        "sessions": 2,
    }
    study = make_study(plan)
    conduct(study, store=store)
    turned = make_study({**plan, "hypotheses": [{**plan["hypotheses"][0], "expect": "less"}]})
    amend(turned, "It was a slip.", store=store)
    page = desk.log_in(password)
    page.goto("/lab/studies/told")
    page.get_by_text("H1 is not tested: person has no session that counts").first.wait_for()
    page.get_by_text(f"Plan {study.hash} was registered on").wait_for()
    page.get_by_text("It was a slip. Hypothesis H1: expected greater, now less.").wait_for()
    assert page.get_by_text("H1: person above guesser on quadratic score").count(), "the registered plan is shown"
    assert "supported" not in page.locator("main").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_study_s_page_says_what_was_altered_and_taken_beyond_the_plan_before_any_verdict(
    wide: Desk, password: str, store: Store
) -> None:
    plan = {
        "name": "watched",
        "test": "coin",
        "casts": {"told": "stated", "guesser": "chance", "person": "human"},
        "hypotheses": [{"score": "quadratic_score", "compare": ["told", "guesser"], "expect": "greater"}],
        "sessions": 2,
    }
    study = make_study(plan)
    conduct(study, store=store)
    amend(make_study({**plan, "sessions": 40}), "Too few.", store=store)
    conduct(make_study({**plan, "sessions": 40}), store=store)
    invite(make_study({**plan, "sessions": 40}), 1, store=store)
    page = wide.log_in(password)
    page.goto("/lab/observe/watched")
    page.get_by_text("Too few. Stop rule: most 2, now 40.").wait_for()
    page.goto("/lab/studies/watched")
    page.get_by_text("told has 38 sessions beyond the 2 of the plan").first.wait_for()
    assert "supported" not in page.locator("main").inner_text()
    with store.database.writing() as connection:
        connection.exec_driver_sql("UPDATE results SET time = 1 WHERE number = (SELECT max(number) FROM results)")
    invite(make_study({**plan, "sessions": 40}), 1, store=store)
    page.reload()
    page.get_by_text("is not what was written: Result 1 of session").first.wait_for()
    page.get_by_text("No hypothesis is confirmed: the plan below says why.").first.wait_for()


def test_a_run_is_exported_and_links_are_saved(wide: Desk, password: str, runs: tuple[str, str]) -> None:
    page = wide.log_in(password)
    page.goto(f"/lab/runs/{runs[0]}")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV tables, for spreadsheets and R").click()
    assert download.value.suggested_filename == f"{runs[0]}-csv.zip"
    page.goto("/lab/tests/coin-v1")
    page.get_by_role("button", name="Make the links").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as CSV").click()
    saved = Path(download.value.path()).read_text()
    assert page.locator("code.link").inner_text() in saved


def test_a_login_that_ended_leads_a_page_that_asks_by_itself_to_the_form(
    wide: Desk, password: str, store: Store
) -> None:

    page = wide.log_in(password)
    page.goto("/lab/invitations")
    store.keys.take_back_all(store.accounts.find("Erin"))
    page.wait_for_url(re.compile(r"/lab/login\?next=/lab/invitations&ended=yes$"))
    page.get_by_role("heading", name="Log in").wait_for()
