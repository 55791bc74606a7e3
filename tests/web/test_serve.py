"""`mensura serve` with real processes: killed with -9, it goes on, and nothing acknowledged is lost or doubled."""

import os
import re
import signal
import socket
import subprocess
import sys
import time

import httpx
import pytest

from mensura.store import open_store
from mensura.web.inviting import invite


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
        last = time.monotonic() + 60
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
            self.process.wait(20)


@pytest.fixture
def server(tmp_path):
    started = Server(tmp_path / "mensura.db", free_port())
    yield started
    if started.process.poll() is None:
        started.kill()


def form_of(page):
    return dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.text))


@pytest.mark.slow
def test_a_server_that_is_killed_goes_on_with_the_same_form(tmp_path, server):
    with open_store(tmp_path / "mensura.db") as store:
        link = invite("coin", store=store, seed=1, parameters={"flips": 6})[1][0]
        with httpx.Client(follow_redirects=True, timeout=20) as client:
            page = client.get(server.home + link.path)
            for kill in range(2):
                before = form_of(page)
                page = client.post(f"{server.home}{link.path}/answer", data={**before, "answer": "0.5"})
                after = form_of(page)
                server.kill()
                server.start()
                # The very form that was shown before the kill is still good, and a retry of the one before is known.
                retry = client.post(f"{server.home}{link.path}/answer", data={**before, "answer": "0.9"})
                assert retry.status_code == 200
                page = client.post(f"{server.home}{link.path}/answer", data={**after, "answer": "0.25"})
                assert page.status_code == 200, kill
        given = [event.value for event in store.events(link.session) if event.kind == "answer"]
        assert given == [0.5, 0.25, 0.5, 0.25]


@pytest.mark.slow
def test_serving_says_how_to_make_the_first_account_and_writes_no_links(tmp_path, server):
    with open_store(tmp_path / "mensura.db") as store:
        link = invite("coin", store=store)[1][0]
    assert httpx.get(server.home + link.path).status_code == 200
    server.stop()
    said = server.process.stderr.read()
    assert "mensura account add NAME" in said
    assert link.token not in said
