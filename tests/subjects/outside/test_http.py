"""Subjects behind a web address, against a real server."""

import json
import socket
import struct
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import pytest

from mensura.dialogue import Ask, Outcome, Probability, Refused, Text, test
from mensura.errors import BadParameter, SubjectCrashed, SubjectFlooded, SubjectLost, SubjectTimedOut
from mensura.subjects import SubjectSpec
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.http import Http
from mensura.subjects.outside.protocol import Unreadable
from tests.serving import serving

HEADS = Ask("Heads?", Probability(), key="heads")


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


class Answering(BaseHTTPRequestHandler):
    """Answers, and does whatever else the key of the ask says."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.heard.append((message, self.path, dict(self.headers), self.client_address))
        key = message.get("key")
        if key == "hang":
            time.sleep(60)
        elif key == "drip":
            return self.drip()
        elif key == "flood":
            return self.reply(200, b"x" * 200_000)
        elif key == "short":
            return self.reply(200, b'{"answer"', length=100)
        elif key == "error":
            return self.reply(500, b"out of order")
        elif key == "nonsense":
            return self.reply(200, b"<html>")
        elif key == "refuse":
            return self.reply(200, b'{"refuse": "no"}')
        elif key == "part":
            self.close_connection = True
        self.reply(200, b'{"answer": 0.5}' if message["type"] == "ask" else b"")

    def drip(self):
        try:
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            for _ in range(1200):
                self.wfile.write(b" ")
                time.sleep(0.05)
        except OSError:
            self.close_connection = True

    def reply(self, status, body, length=None):
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(length or len(body)))
            self.end_headers()
            self.wfile.write(body)
            self.close_connection = length is not None or self.close_connection
        except OSError:
            self.close_connection = True

    def log_message(self, *words):
        pass


@pytest.fixture
def server():
    made = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    made.daemon_threads = True
    made.heard = []
    made.url = f"http://127.0.0.1:{made.server_address[1]}/answer?who=me"
    with serving(made):
        yield made


@pytest.fixture
def subject(server):
    bounds = Bounds(answer_seconds=1.5, start_seconds=2, output_bytes=100_000)
    made = Http(server.url, bounds=bounds, headers={"X-Key": "mine"}, test="even-v1")
    yield made
    made.close()


def test_every_message_is_posted_with_the_name_of_its_session(subject, server):
    for seed in (1, 2):
        subject.begin(np.random.default_rng(seed))
        assert subject(HEADS) == 0.5
        subject.feedback(Ask("Told."))
        subject.end(Outcome())
    messages = [message for message, *_ in server.heard]
    assert [message["type"] for message in messages] == ["begin", "ask", "tell", "end"] * 2
    first, second = ({message["session"] for message in part} for part in (messages[:4], messages[4:]))
    assert len(first) == len(second) == 1
    assert first != second
    _, path, headers, _ = server.heard[1]
    assert path == "/answer?who=me"
    assert headers["X-Key"] == "mine"
    assert headers["Content-Type"] == "application/json"


def test_one_connection_is_kept_and_made_anew_when_the_server_parted(subject, server):
    subject(HEADS)
    subject(HEADS)
    subject(Ask("?", Probability(), key="part"))
    time.sleep(0.05)
    assert subject(HEADS) == 0.5
    ports = [address[1] for *_, address in server.heard]
    assert ports[0] == ports[1] == ports[2] != ports[3]


@pytest.mark.parametrize("key", ["hang", "drip"])
def test_the_limit_is_on_the_whole_exchange(subject, key):
    start = time.monotonic()
    with pytest.raises(SubjectTimedOut, match=r"within 1\.5 s"):
        subject(Ask("?", Probability(), key=key))
    assert time.monotonic() - start < 30
    assert subject(HEADS) == 0.5


def test_floods_errors_and_nonsense_are_told_apart(subject):
    with pytest.raises(SubjectFlooded, match="100000 bytes"):
        subject(Ask("?", Probability(), key="flood"))
    with pytest.raises(SubjectCrashed, match="status 500") as failure:
        subject(Ask("?", Probability(), key="error"))
    assert failure.value.last_words == "out of order"
    subject(HEADS)
    with pytest.raises(SubjectCrashed, match="broke off: the response is shorter"):
        subject(Ask("?", Probability(), key="short"))
    assert isinstance(subject(Ask("?", Text(), key="nonsense")), Unreadable)
    assert subject(Ask("?", Text(), key="refuse")) == Refused("no")
    assert subject(HEADS) == 0.5


def test_a_server_that_is_not_there_loses_the_answer(server, subject):
    server.shutdown()
    server.server_close()
    with pytest.raises(SubjectLost, match="cannot be reached"):
        subject.begin(np.random.default_rng(1))


def test_a_server_that_is_gone_in_the_middle_of_a_session_loses_the_answer():
    listening = socket.create_server(("127.0.0.1", 0))
    subject = Http(f"http://127.0.0.1:{listening.getsockname()[1]}/")

    def break_off():
        connected, _ = listening.accept()
        listening.close()
        # Nothing is sent any more: the other side learns at once that nobody listens.
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connected.close()

    thread = Thread(target=break_off)
    thread.start()
    with pytest.raises(SubjectLost, match="broke off"):
        subject(HEADS)
    thread.join()


def test_a_server_that_failed_is_not_waited_for_at_the_end(subject, server):
    with pytest.raises(SubjectTimedOut):
        subject(Ask("?", Probability(), key="hang"))
    heard = len(server.heard)
    subject.end(Outcome())
    assert len(server.heard) == heard


def test_a_server_is_named_by_its_address(server, monkeypatch):
    monkeypatch.setenv("AGENT_KEY", "other")
    made = SubjectSpec(server.url, {"headers": {"X-Key": "$AGENT_KEY", "X-Kind": "plain"}}).make(even)
    assert made(HEADS) == 0.5
    assert (server.heard[0][2]["X-Key"], server.heard[0][2]["X-Kind"]) == ("other", "plain")
    made.close()
    for value in ("sk-secret-1", "$NOT_SET"):
        with pytest.raises(BadParameter, match="environment variable") as refused:
            SubjectSpec(server.url, {"headers": {"Authorization": value}}).find(even)
        assert "sk-secret" not in str(refused.value)
    for wrong in ("http://", "https://host:notaport/"):
        with pytest.raises(BadParameter, match="http://host:port/path"):
            SubjectSpec(wrong).find(even)
