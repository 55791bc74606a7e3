"""Rooms are watched in a browser: live while an agent plays, and again from the log of the laboratory."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mensura.catalog.pagi_world.protocol.client import RoomClient
from mensura.extension import extensions
from mensura.running.run import run
from mensura.store import open_store
from mensura.web.local import served
from mensura.web.settings import WebSettings
from tests.waiting import PATIENCE_SECONDS
from tests.web import axe

PASSWORD = "a long enough password"


@pytest.fixture
def room(tmp_path):
    """Serve a room with its page; gives the port of the room and the address of the page."""
    line = [
        str(Path(sys.executable).with_name("mensura")),
        "pagi-world",
        "serve",
        "--room",
        "conditioning",
        "--port",
        "0",
        "--watch",
    ]
    program = subprocess.Popen(line, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        said = program.stderr.readline(), program.stderr.readline()
        yield int(re.search(r":(\d+),", said[0])[1]), re.search(r"http\S+", said[1])[0]
        program.send_signal(signal.SIGINT)
        # What was watched is let go before the interpreter ends: pymunk crashes otherwise.
        assert program.wait(PATIENCE_SECONDS) == 0
    finally:
        program.kill()
        program.communicate()


def tick_of(page):
    return int(page.get_attribute(".ww", "data-tick"))


@pytest.mark.browser
def test_a_served_room_is_watched_stepped_back_and_spoken_to(chromium, room):
    port, address = room
    faults = []
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(address)
    page.wait_for_selector(".ww-say:has-text('Waiting for an agent')")
    agent = RoomClient(port=port)
    agent.reflex("hot", "B4_tmp>100", agent.message("addForce", "J"))
    agent.state("awake")
    agent.step(30)
    page.wait_for_selector(".ww[data-tick='30']")
    for words in ("awake", "hot: B4_tmp>100", "B4 floor"):
        assert words in page.inner_text(".ww-agents")
    assert "subject → setReflex hot B4_tmp>100" in page.inner_text(".ww-words")
    assert axe.faults_of(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    # What a person types reaches the agent, as text, whatever it holds.
    page.get_by_label("Say to the agents").fill("good <b>boy</b>")
    page.get_by_role("button", name="Say it").click()
    page.wait_for_selector(".ww-words:has-text('person → good <b>boy</b>')")
    agent.step(1)
    assert [one["content"] for one in agent.heard if one["type"] == "SC"] == ["good <b>boy</b>"]
    page.wait_for_selector(".ww[data-tick='31']")
    # The moment before, by the keyboard, while the room itself has gone on.
    page.locator(".pw-stage").press("ArrowLeft")
    page.wait_for_selector(".ww[data-tick='30']")
    page.locator(".pw-stage").press("Home")
    assert tick_of(page) == 0
    assert "awake" not in page.inner_text(".ww-agents")
    agent.close()
    page.close()
    assert faults == []


@pytest.mark.browser
@pytest.mark.skipif("pagi-world" not in extensions("mensura.pages"), reason="the package must be installed anew")
def test_a_session_of_a_run_is_watched_again(chromium, tmp_path):
    place, faults = str(tmp_path / "mensura.db"), []
    with open_store(place) as store:
        store.accounts.add("Erin", password=PASSWORD, role="experimenter")
        found = run("pagi-world", "solver", store=store, seed=1, sessions=1, parameters={"room": "jump-the-wall"})
        with served(WebSettings(store=place)) as address:
            page = chromium.new_page(viewport={"width": 1280, "height": 900}, base_url=address)
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.goto("/lab/login")
            page.get_by_label("Name").fill("Erin")
            page.get_by_label("Password").fill(PASSWORD)
            page.keyboard.press("Enter")
            page.wait_for_url("**/lab*")
            [session] = store.sessions.of(found.head.id)
            page.goto(f"/lab/pages/pagi-world?session={session.id}")
            page.wait_for_selector(".ww[data-tick='0']")
            page.get_by_role("button", name="One step on").click()
            assert tick_of(page) == 1
            page.get_by_label("Speed").select_option("10")
            page.get_by_role("button", name="Play", exact=True).click()
            page.wait_for_selector(".ww-state:has-text('solved')")
            assert axe.faults_of(page) == []
            page.close()
    assert faults == []
