"""Subjects behind a socket, against a real server."""

import json
import socket
import socketserver
import time

import numpy as np
import pytest

from mensura.dialogue import Ask, Limits, Outcome, Probability, Text, test
from mensura.errors import BadParameter, SubjectCrashed, SubjectFlooded, SubjectLost, SubjectTimedOut
from mensura.subjects import SubjectSpec
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.tcp import Tcp
from tests.serving import serving

HEADS = Ask("Heads?", Probability(), key="heads")


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield HEADS


class Answering(socketserver.StreamRequestHandler):
    """Answers, and does whatever else the key of the ask says."""

    def handle(self):
        heard = []
        for text in self.rfile:
            message = json.loads(text)
            heard.append(message["type"])
            if message["type"] != "ask":
                continue
            if message["key"] == "hang":
                time.sleep(60)
            elif message["key"] == "flood":
                self.flood()
            elif message["key"] == "leave":
                return
            else:
                answer = heard if message["key"] == "heard" else message.get("text", "")[:20]
                self.wfile.write(json.dumps({"answer": answer, "number": message["number"]}).encode() + b"\n")

    def flood(self):
        try:
            while True:
                self.wfile.write(b"x" * 10_000)
        except OSError:
            return


@pytest.fixture
def address():
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Answering)
    server.daemon_threads = True
    with serving(server):
        yield f"tcp://127.0.0.1:{server.server_address[1]}"


@pytest.fixture
def subject(address):
    made = Tcp(address, bounds=Bounds(answer_seconds=2, start_seconds=2, output_bytes=100_000), test="even-v1")
    made.begin(np.random.default_rng(1))
    yield made
    made.close()


def test_a_server_answers_over_several_sessions_on_one_connection(subject):
    assert subject(HEADS) == "Heads?"
    subject.feedback(Ask("Told."))
    subject.end(Outcome())
    subject.begin(np.random.default_rng(2))
    assert subject(Ask("?", Text(), key="heard")) == ["begin", "ask", "tell", "end", "begin", "ask"]


def test_large_messages_go_through(subject):
    words = "word " * 400_000
    assert subject(Ask(words, Text())) == words[:20]


def test_a_server_that_hangs_floods_or_leaves_is_a_failure_and_is_reached_anew(subject):
    for key, kind in [("hang", SubjectTimedOut), ("flood", SubjectFlooded), ("leave", SubjectCrashed)]:
        with pytest.raises(kind):
            subject(Ask("?", Text(), key=key))
        subject.begin(np.random.default_rng(1))
        assert subject(HEADS) == "Heads?"


def test_a_server_that_is_not_there_loses_the_answer():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(SubjectLost, match="cannot be reached: Connection refused"):
        Tcp(f"tcp://127.0.0.1:{port}").begin(np.random.default_rng(1))


@pytest.mark.parametrize("name", ["tcp://nowhere", "tcp://:80", "tcp://host:notaport", "tcp:host:1"])
def test_an_address_is_checked_when_it_is_named(name):
    with pytest.raises(BadParameter, match="tcp://host:port"):
        SubjectSpec(name).find(even)


def test_a_server_is_named_by_its_address(address):
    subject = SubjectSpec(address, {"recomputes": True}).make(even, limits=Limits(answer_seconds=3))
    assert subject.recomputes
    assert subject.bounds.answer_seconds == 3
    assert subject(HEADS) == "Heads?"
    subject.close()
