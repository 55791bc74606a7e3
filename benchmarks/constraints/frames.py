"""Frames per second of the network page with 1000 agents, in headless Chromium."""

import os
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from mensura.catalog.constraints.showing.computing import compute
from mensura.catalog.constraints.showing.film import write_page
from mensura.report.paper import find_browser

PROBLEM = "scale-free:n=1000,m=10,t=0.2,md=4"
WANTED = 20
SECONDS = 6


def main() -> None:
    """Play a run by cycle at two speeds; print the frames that the page counted over its last second, as they come."""
    place = find_browser()
    if place is None:
        print("Chromium is not installed; `make browser` installs it when run as root.")
        return
    run = compute("awcs", problem=PROBLEM, stop="cycles=300")
    act = run.acts[0]
    print(f"awcs, {PROBLEM}: {run.verdicts[0]}, {act.letters} letters, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "run.html"
        write_page([run.data()], path, title=PROBLEM)
        browser = playwright.chromium.launch(executable_path=place, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(path.as_uri())
        page.wait_for_selector("[data-state=ready]")
        for speed in (-1, 1):
            seen = _played(page, speed)
            held = f"{WANTED}: {'held' if min(seen) >= WANTED else 'NOT HELD'}"
            print(f"{2.0**speed:g} cycles/s: {statistics.median(seen):.0f} frames/s, least {min(seen):.0f} ({held})")
        browser.close()


def _played(page: Page, speed: int) -> list[float]:
    page.evaluate(f"document.querySelector('.nw-speed').value = {speed}")
    page.get_by_role("button", name="To the start").click()
    page.get_by_role("button", name="Play", exact=True).click()
    seen = []
    for _ in range(SECONDS):
        page.wait_for_timeout(1000)
        if page.evaluate("document.querySelector('.network').dataset.playing") != "yes":
            break
        seen.append(float(page.evaluate("document.querySelector('.network').dataset.frames")))
    if page.evaluate("document.querySelector('.network').dataset.playing") == "yes":
        page.get_by_role("button", name="Pause", exact=True).click()
    return seen


if __name__ == "__main__":
    main()
