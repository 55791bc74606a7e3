"""Slow senders: they are told that they were too slow, and keep nobody else from answering."""

import contextlib
import re
import socket
import time

import httpx
import pytest

from mensura.store import open_store
from mensura.web.local import served
from mensura.web.participant.invitation import invite
from mensura.web.safety import slow
from mensura.web.settings import WebSettings

HEAD = b"POST /p/x/answer HTTP/1.1\r\nhost: here\r\ncontent-type: application/x-www-form-urlencoded\r\n"
BEGINNINGS = (b"", HEAD, HEAD + b"content-length: 1000\r\n\r\n", HEAD + b"transfer-encoding: chunked\r\n\r\n1\r\na\r\n")
SLOW = 200
FLIPS = 200


@pytest.fixture
def home(tmp_path):
    """Serve a laboratory with one link, to an address without a rate limit; gives both and the store."""
    place = str(tmp_path / "mensura.db")
    with open_store(place) as store:
        link = invite("coin", store=store, parameters={"flips": FLIPS})[1][0]
    with served(WebSettings(store=place, address_rate=1e6, page_rate=1e6, fault_rate=1e6)) as address:
        yield address, link, place


def connected(address, beginning):
    host, port = address.removeprefix("http://").split(":")
    client = socket.create_connection((host, int(port)), timeout=120)
    client.sendall(beginning)
    return client


def said(client):
    """Read until the server closes the connection."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while part := client.recv(4096):
            found += part
    return found


def answer(person, path):
    """Answer what is asked now, as a browser without scripts does."""
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', person.get(path).text))
    return person.post(f"{path}/answer", data={**hidden, "answer": "50 %"}, follow_redirects=True)


def test_slow_senders_are_answered_408_and_keep_nobody_from_answering(home, monkeypatch):
    monkeypatch.setattr(slow, "SECONDS", 3.0)
    address, link, place = home
    crowd = [connected(address, BEGINNINGS[number % len(BEGINNINGS)]) for number in range(SLOW)]
    quiet, noisy = [one for number, one in enumerate(crowd) if number % 4 != 2], crowd[2::4]
    last, taken = time.monotonic() + 4, 0
    with httpx.Client(base_url=address, timeout=120) as person:
        while taken < FLIPS and (time.monotonic() < last or taken < 4):
            # A byte now and then does not keep a connection open.
            for one in noisy:
                with contextlib.suppress(OSError):
                    one.sendall(b"a")
            taken += answer(person, link.path).status_code == 200
            time.sleep(0.1)
    assert taken > 3
    with open_store(place) as store:
        assert [event.kind for event in store.events.of(link.session)].count("answer") == taken
    assert all(b"408 Request Timeout" in said(one) for one in quiet)
    for one in noisy:
        # Its last byte came after the end, so the answer may be lost on the way; the connection is over all the same.
        said(one)
    for one in crowd:
        one.close()


def test_a_large_upload_over_a_slow_line_is_not_cut_off(home, monkeypatch):
    monkeypatch.setattr(slow, "SECONDS", 0.3)
    monkeypatch.setattr(slow, "RATE", 100.0)
    client = connected(home[0], HEAD + b"connection: close\r\ncontent-length: 900\r\n\r\n")
    for _ in range(9):
        time.sleep(0.1)
        client.sendall(b"a" * 100)
    assert b"408" not in said(client).split(b"\r\n", 1)[0]


def test_one_connection_serves_request_after_request(home, monkeypatch):
    monkeypatch.setattr(slow, "SECONDS", 0.5)
    with httpx.Client(base_url=home[0], timeout=120) as person:
        for _ in range(4):
            assert person.get("/health").status_code == 200
            time.sleep(0.25)


@pytest.mark.parametrize("beginning", [HEAD, HEAD + b"transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"])
def test_a_head_or_a_trailer_that_never_ends_is_not_read_on(home, beginning):
    client = connected(home[0], beginning)
    with contextlib.suppress(ConnectionError):
        for number in range(10_000):
            client.sendall(b"x-%d: %s\r\n" % (number, b"a" * 1000))
    assert number * 1000 < 5_000_000, "only what lay in buffers on the way was sent"
    assert httpx.get(f"{home[0]}/health").status_code == 200


def test_a_large_body_after_a_short_head_is_read(home):
    client = connected(home[0], HEAD + b"connection: close\r\ncontent-length: 1000000\r\n\r\n")
    client.sendall(b"a" * 1_000_000)
    assert b"too long" not in said(client)
