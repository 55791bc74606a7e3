"""A page that is served alone: who is let in, what is refused, and what nobody is told."""

import http.client
import json
from threading import Thread
from urllib.parse import urlsplit

import pytest

from mensura.catalog.pagi_world.showing.local_page import LONGEST, PageServer
from mensura.catalog.pagi_world.showing.page import WatchPage
from mensura.errors import BadParameter


def answer(asked):
    if asked == "wrong":
        raise BadParameter("That is wrong.")
    return {"heard": asked}


@pytest.fixture
def line():
    """Ask the server: a method, a path behind the token unless it begins with a slash, a body and headers."""
    with PageServer(WatchPage(), answer, 0) as server:
        Thread(target=server.serve_forever, daemon=True).start()

        def ask(method, path="", body=None, **headers):
            place = urlsplit(server.address)
            line = http.client.HTTPConnection(place.hostname, place.port, timeout=120)
            line.request(method, path if path.startswith("/") else place.path + path, body, headers)
            reply = line.getresponse()
            found = reply.status, reply.read().decode(), dict(reply.getheaders())
            line.close()
            return found

        yield ask
        server.shutdown()


def test_the_page_and_its_files_are_sent_with_headers_that_keep_it_alone(line):
    for path in ("", "?session=1", "watch.js", "local_page.css"):
        status, text, headers = line("GET", path)
        assert status == 200
        assert text
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["", "watch.js", "nothing.js"])
def test_head_is_answered_as_get_without_a_body(line, path):
    whole, head = line("GET", path), line("HEAD", path)
    assert head[0] == whole[0]
    assert head[1] == ""
    assert head[2]["Content-Length"] == whole[2]["Content-Length"]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:80", ""])
def test_a_name_that_was_bent_to_this_computer_is_not_answered(line, method, host):
    path = "" if method == "GET" else "ask"
    assert line(method, path, "asked=1" if path else None, Host=host)[0] == 404
    assert line(method, path, "asked=1" if path else None, Host="localhost:1")[0] == 200


@pytest.mark.parametrize("path", ["/", "/ask", "/wrong/", "/wrong/ask", "../command.py", "watch.html", "nothing.js"])
def test_nothing_else_is_there(line, path):
    assert line("GET", path)[0] == 404
    assert line("POST", path, "asked=1")[0] == 404


@pytest.mark.parametrize(
    ("body", "headers", "words"),
    [
        ("asked=[", {}, "not JSON"),
        ("said=1", {}, "not JSON"),
        ("asked=" + "[" * 100_000, {}, "not JSON"),
        ('asked="wrong"', {}, "That is wrong."),
        (None, {"Content-Length": str(LONGEST + 1)}, "at most"),
        (None, {"Content-Length": "-1"}, "at most"),
        (None, {"Content-Length": "many"}, "at most"),
    ],
)
def test_what_is_refused_is_said_in_a_sentence(line, body, headers, words):
    status, said, _ = line("POST", "ask", body, **headers)
    assert status == 400
    assert words in json.loads(said)["fault"]


def test_what_is_asked_is_answered_and_not_logged(line, capfd):
    assert json.loads(line("POST", "ask", 'asked={"want": "ä"}'.encode())[1]) == {"heard": {"want": "ä"}}
    line("GET", "/wrong/")
    assert capfd.readouterr() == ("", "")
