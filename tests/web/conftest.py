"""A laboratory for each test, with a client that behaves like a browser without scripts."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from anyio.from_thread import start_blocking_portal
from starlette.testclient import TestClient

from mensura.store.people.invitations import Step
from mensura.web.app import create_app
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings

GALLERY = f"{Path(__file__).with_name('gallery.py')}:gallery"


class Visitor:
    """Someone with a browser of their own: cookies, one page, forms that are filled in and sent."""

    def __init__(self, app, path: str) -> None:
        self.client = TestClient(app, raise_server_exceptions=False)
        self.client.portal = getattr(app.state, "portal", None)
        self.path = path
        self.page = self.client.get(path)

    @property
    def text(self) -> str:
        return self.page.text

    @property
    def kind(self) -> str:
        found = re.search(r'data-kind="(\w+)"', self.text)
        return found[1] if found else ""

    @property
    def state(self) -> dict:
        return self.client.get(f"{self.path}.json").json()

    @property
    def hidden(self) -> dict[str, str]:
        """The hidden fields of the first form."""
        form = re.search(r"<form.*?</form>", self.text, re.S)
        pairs = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[0] if form else "")
        return {unescape(name): unescape(value) for name, value in pairs}

    def look(self):
        self.page = self.client.get(self.path)
        return self.page

    def post(self, act: str, *, hidden: dict[str, str] | None = None, files=None, **fields: str):
        data = {**(self.hidden if hidden is None else hidden), **fields}
        self.page = self.client.post(f"{self.path}/{act}", data=data, files=files)
        return self.page

    def answer(self, value: str | None = None, **fields: str):
        return self.post("answer", **({} if value is None else {"answer": value}), **fields)

    def tick(self, **fields: str):
        """Ask whether anything has changed, as the page's script does."""
        shown = {
            "csrf": re.search(r'data-csrf="([^"]*)"', self.text)[1],
            "step": re.search(r'data-step="([^"]*)"', self.text)[1],
            "kind": self.kind,
            "seen": (re.search(r'data-seen="([^"]*)"', self.text) or ("", ""))[1],
            "number": (re.search(r'data-ask="([^"]*)"', self.text) or ("", ""))[1],
        }
        return self.client.post(f"{self.path}/tick", data={**shown, **fields}, headers={"X-Mensura-Part": "main"})


@pytest.fixture
def settings(tmp_path: Path) -> WebSettings:
    return WebSettings(store=str(tmp_path / "mensura.db"), absence_seconds=40)


@pytest.fixture
def app(settings: WebSettings) -> Iterator:
    made = create_app(settings)
    # A loop and a thread for each request would take longer than most requests.
    with start_blocking_portal() as made.state.portal:
        yield made
    made.state.laboratory.close()


@pytest.fixture
def store(app):
    return app.state.laboratory.store


@pytest.fixture
def links(store) -> Callable[..., list]:
    """Give a maker of links to a new session of a test, one for each person in it."""

    def make(test: str = "coin", cast="human", *, before=(), after=(Step("thanks"),), details=None, **parameters):
        frame = Frame(before=before, after=after, details=details or {})
        return invite(test, cast, store=store, seed=1, parameters=parameters, frame=frame)[1]

    return make


@pytest.fixture
def enter(app) -> Callable[[str], Visitor]:
    """Give a maker of visitors by the path of their link."""
    return lambda path: Visitor(app, path)


@pytest.fixture
def visit(enter, links) -> Callable[..., Visitor]:
    """Give a maker of visitors to a new session of a test with one person."""
    return lambda *arguments, **more: enter(links(*arguments, **more)[0].path)


@pytest.fixture
def gallery() -> str:
    """Name the test that asks in every space."""
    return GALLERY


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all requests come at one moment for those who count them, however long the machine takes."""
    monkeypatch.setattr("mensura.web.safety.rate_limit.time", SimpleNamespace(monotonic=lambda: 0.0))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A real server in a process group of its own."""

    def __init__(self, store, port, *, workers=1):
        self.command = [sys.executable, "-m", "mensura.cli.main", "serve", "--port", str(port)]
        self.command += ["--workers", str(workers), "--store", str(store)]
        self.home = f"http://127.0.0.1:{port}"
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=subprocess.PIPE, text=True, start_new_session=True)
        last = time.monotonic() + 240
        while time.monotonic() < last:
            try:
                httpx.get(f"{self.home}/health", timeout=2)
                return
            except httpx.HTTPError:
                assert self.process.poll() is None, self.process.stderr.read()
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    def kill(self):
        """Kill every process of the server at once, as a power cut would."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            self.process.wait(120)


@pytest.fixture
def server(tmp_path):
    started = Server(tmp_path / "mensura.db", free_port())
    yield started
    if started.process.poll() is None:
        started.kill()
