"""Make the pictures of the docs anew: `python docs/pictures/make.py`. Needs Chromium."""

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from mensura.report import write_report
from mensura.report.paper import find_browser
from mensura.report.runs import build_report
from mensura.running.run import run
from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings

FOLDER = Path(__file__).parent


def report_picture(page: Page, folder: Path) -> None:
    """Picture the top of a small report."""
    with open_store(folder / "pictures.db") as store:
        runs = [
            run("coin", subject, store=store, sessions=20, seed=1).head.id
            for subject in ("chance", "overconfident", "stated")
        ]
        report = build_report(runs, store=store, title="Which forecaster should we listen to?")
        write_report(report, folder / "report.html")
    page.set_viewport_size({"width": 1000, "height": 900})
    page.goto(f"file://{folder}/report.html")
    page.screenshot(path=FOLDER / "report.png")


def participant_pictures(page: Page, folder: Path) -> None:
    """Picture what a participant sees: a question at desk and phone width."""
    with open_store(folder / "people.db") as store:
        _, links = invite("coin", "human", store=store, seed=1, frame=Frame(after=[Step("thanks")]))
        with served(WebSettings(store=store.url)) as home:
            for name, width, height in (("question", 1000, 560), ("question_phone", 390, 640)):
                page.set_viewport_size({"width": width, "height": height})
                page.goto(home + links[0].path)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=FOLDER / f"{name}.png")


def laboratory_picture(page: Page, folder: Path) -> None:
    """Picture what an experimenter sees: a run with its results."""
    with open_store(folder / "laboratory.db") as store:
        store.accounts.add("ada", password="correct horse battery", role="experimenter")
        head = run("coin", "stated", store=store, sessions=20, seed=1).head
        with served(WebSettings(store=store.url)) as home:
            page.set_viewport_size({"width": 1100, "height": 900})
            page.goto(f"{home}/lab/runs/{head.id}")
            page.get_by_label("Name").fill("ada")
            page.get_by_label("Password").fill("correct horse battery")
            page.keyboard.press("Enter")
            page.wait_for_load_state("networkidle")
            page.goto(f"{home}/lab/runs/{head.id}")
            page.wait_for_timeout(2000)
            page.screenshot(path=FOLDER / "laboratory.png")


def office_pictures(page: Page, folder: Path) -> None:
    """Picture the office of the crisis: the schedule at a desk, the mail on a phone."""
    with open_store(folder / "office.db") as store:
        parameters = {"condition": "radar+l", "package": "crisis-1"}
        _, links = invite("crisis", "human", store=store, seed=1, parameters=parameters)
        with served(WebSettings(store=store.url)) as home:
            page.set_viewport_size({"width": 1280, "height": 800})
            page.goto(home + links[0].path)
            page.locator(".letter").first.click()
            page.wait_for_selector(".message .body")
            page.locator(".desk-tab", has_text="Schedule").click()
            page.locator(".days button").nth(1).click()
            page.locator("td.lost .event").nth(1).click()
            page.locator("button", has_text="Find a room").click()
            page.wait_for_selector(".panel .proposal")
            page.screenshot(path=FOLDER / "office.png")
            page.set_viewport_size({"width": 390, "height": 640})
            page.locator(".desk-tab", has_text="Mail").click()
            page.screenshot(path=FOLDER / "office_phone.png")


def room_pictures(page: Page, folder: Path) -> None:
    """Picture a room: as a person plays it, and as it is watched in the laboratory."""
    with open_store(folder / "rooms.db") as store:
        parameters = {"room": "water-diversion"}
        _, links = invite("pagi-world", "human", store=store, seed=1, parameters=parameters)
        store.accounts.add("ada", password="correct horse battery", role="experimenter")
        found = run("pagi-world", "reflex", store=store, sessions=1, seed=1, parameters={"room": "catch-ball"})
        [session] = store.sessions.of(found.head.id)
        with served(WebSettings(store=store.url)) as home:
            page.set_viewport_size({"width": 1100, "height": 1080})
            page.goto(home + links[0].path)
            page.wait_for_selector("main[data-ready] .pw")
            page.locator(".pw-words summary").click()
            page.get_by_role("button", name="Senses").click()
            page.screenshot(path=FOLDER / "pagi_world_play.png")
            page.goto(f"{home}/lab/pages/pagi-world?session={session.id}")
            page.get_by_label("Name").fill("ada")
            page.get_by_label("Password").fill("correct horse battery")
            page.keyboard.press("Enter")
            page.wait_for_load_state("networkidle")
            page.goto(f"{home}/lab/pages/pagi-world?session={session.id}")
            page.wait_for_selector(".ww[data-tick]")
            page.locator(".pw-stage").press("End")
            page.get_by_role("button", name="Whole room").click()
            page.screenshot(path=FOLDER / "pagi_world_watch.png")


def main() -> None:
    """Make every picture."""
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=flags)
        for picture in (report_picture, participant_pictures, laboratory_picture, office_pictures, room_pictures):
            picture(browser.new_page(), Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
