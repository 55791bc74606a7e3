"""Servers say when they answer, and end on one SIGINT or SIGTERM, whatever they inherited from who started them."""

import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from contextlib import contextmanager, suppress

import pytest

from tests.forked import forge
from tests.proofs import proofs
from tests.waiting import until

PATIENCE = 240
"""Seconds that a busy machine may take to start or to end a program; a fault would take for ever."""

SERVERS = {
    "serve": (["serve", "--port", "0"], "Serving"),
    "serve with two processes": (["serve", "--port", "0", "--workers", "2"], "Serving"),
    "take --as human": (["take", "coin", "--as", "human"], "Open http"),
    "mcp": (["mcp", "coin"], "waits for an agent"),
    "pagi-world serve": (["pagi-world", "serve", "--port", "0", "--watch"], "Watch it at"),
    "pagi-world edit": (["pagi-world", "edit", "--no-open"], "The editor is at"),
    "constraints hub": (["constraints", "hub", "--port", "0"], "The hub listens"),
    "constraints hub --direct": (["constraints", "hub", "--port", "0", "--direct"], "The hub listens"),
}

NEEDED = [
    "mensura.cli.people.serve",
    "mensura.web.app",
    "mensura.web.lab.routes",
    "mensura.web.api.routes",
    "mensura.web.participant.joining",
    "mensura.web.local",
    "mensura.web.safety.slow",
    "httptools",
    "uvicorn.supervisors",
    "uvicorn.loops.uvloop",
    "mensura.cli.sessions.take",
    "mensura.cli.sessions.run",
    "mensura.cli.sessions.mcp",
    "mensura.running.mcp.plugged",
    "mensura.running.mcp.server",
    "mcp.server.mcpserver",
    "mensura.catalog.coin.dialogue",
    "mensura.catalog.pagi_world.command",
    "mensura.catalog.pagi_world.dialogue",
    "mensura.catalog.pagi_world.showing.editor",
    "mensura.catalog.constraints.dialogue",
    "mensura.catalog.constraints.command",
    "mensura.catalog.constraints.hub.hub",
    "scipy.special",
]

SLOW = """
import pathlib, time

def slow(ask):
    pathlib.Path("ASKED").touch()
    time.sleep(0.3)
    return 0.5
"""


class Started:
    """A program whose words are kept as it says them."""

    def __init__(self, process):
        self.process = process
        self.words = ""
        self._changed = threading.Condition()
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self):
        for line in self.process.stderr:
            with self._changed:
                self.words += line
                self._changed.notify()

    def said(self, words):
        """Wait until it has said some words, and return the line that holds them."""
        with self._changed:
            assert self._changed.wait_for(lambda: words in self.words, PATIENCE), self.words
        return next(line for line in self.words.splitlines() if words in line)

    def all_said(self):
        """Wait until it has ended, and return all that it said."""
        self._listener.join(PATIENCE)
        return self.words


def _as_in_the_background() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The tests themselves may run under nohup, where a hangup is ignored, and stays so.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def anew(folder, arguments):
    """Start a verb by itself; it imports all it needs."""
    return subprocess.Popen(
        [sys.executable, "-m", "mensura.cli.main", *arguments],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_as_in_the_background,
    )


@pytest.fixture(scope="module")
def forged():
    """Give what starts a verb from a process that has imported what all these verbs need."""
    with forge(*NEEDED) as ready:
        yield lambda folder, arguments: ready.start(arguments, folder=folder, ignoring=[signal.SIGINT])


@contextmanager
def started(folder, arguments, how):
    """Start a verb as a script starts a job in the background: with Ctrl-C ignored."""
    process = how(folder, arguments)
    try:
        yield Started(process)
    finally:
        # A server's workers are in its group.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def ends(program, ready, sent):
    """Wait until a server says that it is ready, send a signal, and wait for its end."""
    program.said(ready)
    program.process.send_signal(sent)
    # The end is waited for, and the test fails where it does not come.
    assert program.process.wait(PATIENCE) in (0, 1)
    assert "Traceback" not in program.words


# How `serve` ends on SIGTERM is seen below, where it answers first; two processes import everything twice more, so one
# signal is enough for them.
@pytest.mark.parametrize(
    ("server", "sent"),
    [
        *((server, signal.SIGINT) for server in SERVERS if server != "serve with two processes"),
        *((server, signal.SIGTERM) for server in SERVERS if not server.startswith("serve")),
    ],
)
def test_a_server_ends_on_one_signal_whatever_it_inherited(tmp_path, monkeypatch, forged, server, sent):
    monkeypatch.setenv("BROWSER", "true")
    arguments, ready = SERVERS[server]
    with started(tmp_path, arguments, forged) as program:
        ends(program, ready, sent)


# What a program does when it is imported could change what it inherited: one of each way to serve shows it.
@pytest.mark.parametrize(
    "server", ["serve", "mcp", *proofs(*(name for name in SERVERS if name not in {"serve", "mcp"}))]
)
def test_a_server_that_is_started_anew_ends_on_ctrl_c(tmp_path, monkeypatch, server):
    monkeypatch.setenv("BROWSER", "true")
    arguments, ready = SERVERS[server]
    with started(tmp_path, arguments, anew) as program:
        ends(program, ready, signal.SIGINT)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_serving_is_said_once_the_server_answers_and_it_ends_on_sigterm(tmp_path, forged, workers):
    with started(tmp_path, ["serve", "--port", "0", "--workers", workers], forged) as program:
        address = re.search(r"http://\S+/", program.said("Serving"))[0]
        # Asked once, at once: what is said to be served is there.
        with urllib.request.urlopen(f"{address}health", timeout=PATIENCE) as answer:
            assert answer.status == 200
        head = urllib.request.Request(address, method="HEAD")
        with urllib.request.urlopen(head, timeout=PATIENCE) as answer:
            assert answer.status == 200
            assert int(answer.headers["Content-Length"]) > 0
            assert answer.read() == b""
        ends(program, "Serving", signal.SIGTERM)


def test_a_person_who_stops_a_test_reads_where_it_continues(tmp_path, monkeypatch, forged):
    monkeypatch.setenv("BROWSER", "true")
    with started(tmp_path, ["take", "coin", "--as", "human"], forged) as program:
        path = re.search(r"http://[^/]+(/\S+)", program.said("Open http"))[1]
        program.process.send_signal(signal.SIGINT)
        program.process.wait(PATIENCE)
        assert program.said("Next:") == f"Next: mensura serve, and there open {path}"


# Here and in processes a run hears a signal by the same handler: each place and each signal is met once.
@pytest.mark.parametrize(
    ("sent", "status", "where"),
    [
        (signal.SIGTERM, 143, "here"),
        (signal.SIGHUP, 129, "processes:2"),
        *proofs((signal.SIGTERM, 143, "processes:2"), (signal.SIGHUP, 129, "here")),
    ],
)
def test_a_run_that_is_told_to_end_says_what_is_stored_and_how_it_continues(tmp_path, forged, sent, status, where):
    (tmp_path / "slow.py").write_text(SLOW.replace("ASKED", str(tmp_path / "asked.txt")))
    arguments = ["run", "coin", "--as", "./slow.py:slow", "--sessions", "4", "--sandbox", "off", "--on", where]
    with started(tmp_path, arguments, forged) as program:
        until((tmp_path / "asked.txt").exists)
        program.process.send_signal(sent)
        assert program.process.wait(PATIENCE) == status
        assert program.said("Interrupted") == f"Interrupted by {sent.name}. Everything answered so far is stored."
        assert program.said("Next:") == "Next: mensura resume last"
        assert "Traceback" not in program.words


def test_a_page_that_is_still_being_sent_does_not_keep_a_server_from_ending(tmp_path, forged):
    import socket

    with started(tmp_path, ["serve", "--port", "0"], forged) as program:
        host, port = re.search(r"http://([\d.]+):(\d+)/", program.said("Serving")).groups()
        with socket.create_connection((host, int(port))) as slow:
            slow.sendall(b"POST /lab/login HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\nname=")
            urllib.request.urlopen(f"http://{host}:{port}/health", timeout=PATIENCE).close()
            program.process.send_signal(signal.SIGINT)
            assert program.process.wait(PATIENCE) == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["serve"],
        ["serve", "--workers", "2"],
        ["pagi-world", "serve"],
        ["pagi-world", "edit", "--no-open"],
        ["constraints", "hub"],
    ],
    ids=" ".join,
)
def test_a_port_that_is_in_use_is_one_sentence_that_names_another_way(tmp_path, forged, arguments):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        with started(tmp_path, [*arguments, "--port", port], forged) as program:
            assert program.process.wait(PATIENCE) == 1
            assert program.all_said() == (
                f"mensura: Port {port} of 127.0.0.1 is in use. "
                "Choose another with --port, or any that is free with --port 0.\n"
            )


@pytest.mark.parametrize("port", ["80000", "-4"])
@pytest.mark.parametrize("verb", ["serve", "pagi-world serve", "pagi-world edit", "constraints hub"])
def test_a_port_that_cannot_be_is_wrong_usage(tmp_path, forged, verb, port):
    with started(tmp_path, [*verb.split(), "--port", port], forged) as program:
        assert program.process.wait(PATIENCE) == 2
        assert "0<=x<=65535" in program.all_said()
