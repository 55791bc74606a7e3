"""Routes: servers, models, agents and people are sent questions, and no truth, seed, secret or key with them."""

import json
import os
import socket
import subprocess
import sys
import threading
from base64 import urlsafe_b64encode
from contextlib import contextmanager
from secrets import token_hex

import pytest
from starlette.testclient import TestClient

from mensura.dialogue import streams
from mensura.dialogue.streams import seed_mark
from mensura.running.run import run
from mensura.store.people.invitations import Step
from mensura.web.app import create_app
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.web.conftest import Visitor

MARK = f"zebra-{token_hex(6)}"
SEED = 2**127 + 0x5EED5EED5EED
ANIMALS = f"""
from mensura.dialogue import Ask, Text, test


@test("animals-v1")
def animals(rng, *, many: int = 3):
    \"\"\"Name animals that nobody can know.\"\"\"
    for number in range(many):
        yield Ask(f"Which animal is number {{number}}?", Text(), key=f"animal{{number}}", truth=f"{MARK}-{{number}}")
"""


@pytest.fixture
def animals(laboratory, monkeypatch):
    """Give a test whose truths are recognisable, and a secret seed that is, too."""
    laboratory.write("animals.py", ANIMALS)
    monkeypatch.setattr(streams, "randbits", lambda bits: SEED)
    return "./animals.py:animals"


def secrets_of(store):
    """List what must not be sent, in every form it might have: truths, seed and its mark, secrets and key."""
    found = [MARK, str(SEED), f"{SEED:x}", seed_mark(SEED)]
    secrets = [store.keyring.sealer.secret]
    for head in store.runs.all():
        secrets += [store.custodies.find(session.id).sealer.secret for session in store.sessions.of(head.id)]
    for secret in secrets:
        found += [secret.hex(), urlsafe_b64encode(secret).decode().rstrip("=")]
    return [text.encode() for text in found] + secrets + [b"sealed:"]


def assert_innocent(sent, store):
    """Demand that nothing secret is among the bytes sent."""
    assert sent, "nothing was recorded"
    for secret in secrets_of(store):
        assert secret not in sent, secret


@contextmanager
def recording(reply):
    """Serve HTTP so crudely that every byte of every request is kept; gives the port and the bytes."""
    kept = bytearray()
    server = socket.create_server(("127.0.0.1", 0))

    def talk(visitor):
        with visitor, visitor.makefile("rb") as reading:
            while line := reading.readline():
                head = [line]
                while (line := reading.readline()).strip():
                    head.append(line)
                length = next((int(one.split(b":")[1]) for one in head if one.lower().startswith(b"content-length")), 0)
                body = reading.read(length)
                kept.extend(b"".join(head) + body)
                status, answer = reply(json.loads(body or b"{}"))
                start = (
                    f"HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {len(answer)}\r\n\r\n"
                )
                visitor.sendall(start.encode() + answer)

    def serve():
        while True:
            try:
                visitor, _ = server.accept()
            except OSError:
                return
            threading.Thread(target=talk, args=(visitor,), daemon=True).start()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1], kept
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()


@pytest.mark.parametrize("fails", [False, True])
def test_a_server_is_sent_questions_only(laboratory, animals, fails):
    asked = []

    def reply(message):
        asked.append(message)
        wrong = fails and len(asked) == 3
        return (500, b"no") if wrong else (200, b'{"answer": {}}' if len(asked) == 2 else b'{"answer": "cow"}')

    with recording(reply) as (port, sent):
        run(animals, f"http://127.0.0.1:{port}/x", store=laboratory.store)
    assert b"Which animal is number 0?" in sent
    assert_innocent(sent, laboratory.store)


def test_a_language_model_is_sent_questions_only(laboratory, animals):
    def reply(message):
        said = {"role": "assistant", "content": '{"answer": "cow"}'}
        choice = {"index": 0, "message": said, "finish_reason": "stop"}
        return 200, json.dumps({"model": "small", "choices": [choice]}).encode()

    with recording(reply) as (port, sent):
        run(animals, f"llm:small@http://127.0.0.1:{port}/v1#seeded=true", store=laboratory.store)
    assert b"Which animal is number 2?" in sent
    assert_innocent(sent, laboratory.store)


def test_an_agent_over_mcp_is_sent_questions_only(laboratory, animals):
    pytest.importorskip("mcp", reason="the extra mcp is not installed")
    words = [sys.executable, "-m", "mensura.cli.main", "mcp", animals, "--seed", str(SEED), "--store", "mensura.db"]
    hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "thief", "version": "1"}}
    messages = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "resources/list"},
        {"id": 4, "method": "resources/read", "params": {"uri": f"file://{laboratory.folder}/mensura.db"}},
        {"id": 5, "method": "tools/call", "params": {"name": "truth", "arguments": {"key": "animal0"}}},
        {"id": 6, "method": "tools/call", "params": {"name": "question", "arguments": {"with": "truth"}}},
        {"id": 7, "method": "tools/call", "params": {"name": "answer", "arguments": {"answer": {"type": "truth"}}}},
        *(
            {"id": 10 + number, "method": "tools/call", "params": {"name": "answer", "arguments": {"answer": "cow"}}}
            for number in range(5)
        ),
    ]
    given = {"cwd": laboratory.folder, "env": {**os.environ}, "text": True}
    with subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **given
    ) as talking:
        said = []
        for message in messages:
            talking.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
            talking.stdin.flush()
            while "id" in message:
                said.append(talking.stdout.readline())
                if not said[-1] or json.loads(said[-1]).get("id") == message["id"]:
                    break
        rest, errors = talking.communicate(timeout=120)
    sent = "".join([*said, rest, errors]).encode()
    assert b"Which animal is number 1?" in sent
    assert_innocent(sent, laboratory.store)


WAYS = ("", ".json", "/answer", "/next", "/tick", "/truth", "/export", "/state", "/../lab", "/%2e%2e/mensura.db")
ELSEWHERE = (
    *("/", "/lab", "/lab/runs", "/lab/runs/last", "/api", "/api/v1/runs", "/api/runs", "/openapi.json", "/docs"),
    *("/static/../../mensura.db", "/static/%2e%2e/%2e%2e/mensura.db", "/health", "/login", "/p/", "/t/", "/nonesuch"),
)


@pytest.fixture
def people(laboratory, animals, monkeypatch):
    """Give a client whose every received byte is kept, and the link of a participant."""
    app = create_app(WebSettings(store=str(laboratory.store.database.place.path)))
    received = bytearray()

    class Keeping(TestClient):
        def send(self, request, **more):
            answer = super().send(request, **more)
            received.extend(repr(answer.headers.raw).encode() + answer.content)
            return answer

    monkeypatch.setattr("tests.web.conftest.TestClient", Keeping)
    frame = Frame(before=(), after=(Step("thanks"),), details={"show_scores": True})
    links = invite(animals, "human", store=app.state.laboratory.store, frame=frame)[1]
    yield Visitor(app, links[0].path), received
    app.state.laboratory.close()


def test_a_person_is_sent_questions_only_by_whatever_page(laboratory, people):
    person, received = people
    for number in range(3):
        person.look()
        assert f"Which animal is number {number}?" in person.text
        form = person.hidden
        for way in WAYS:
            person.client.get(person.path + way)
            person.client.post(person.path + way, data={**form, "csrf": "wrong", "answer": "x", "truth": "1"})
            person.client.post(person.path + way, json={"type": "truth"})
        for place in ELSEWHERE:
            person.client.get(place)
        person.post("answer", hidden={**form, "number": "99"}, answer="cow")
        person.post("answer", hidden=form, answer="cow" * 100_000)
        assert_innocent(received, laboratory.store)
        person.look()
        person.answer("cow")
    assert person.kind == "over"
    assert b"Which animal is number 2?" in received


def test_the_record_of_cookies_and_pages_would_show_a_leak(laboratory, people):
    person, received = people
    received.extend(MARK.encode())
    with pytest.raises(AssertionError):
        assert_innocent(received, laboratory.store)
    assert person.page.status_code == 200
