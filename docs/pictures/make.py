"""Make the pictures of the docs anew: `python docs/pictures/make.py`. Needs Chromium."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from mensura.report import write_report
from mensura.report.content import build_report
from mensura.running.run import run
from mensura.store import open_store

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


def main() -> None:
    """Make every picture."""
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=flags)
        report_picture(browser.new_page(), Path(folder))
        browser.close()


if __name__ == "__main__":
    main()
