"""Sockets: a server on this machine tells its visitors everything, and a subject in a sandbox reaches none."""

import socket
import threading
from contextlib import contextmanager
from secrets import token_hex

import pytest

from mensura.subjects.sandbox.confinement import Confinement
from tests.attacks.laboratory import OFF
from tests.subjects.boxes import needs_bubblewrap
from tests.web.conftest import Server, free_port

pytestmark = needs_bubblewrap


@contextmanager
def telling(server):
    """Tell everybody who connects the truths; gives the function that is handed them."""
    told = [b""]

    def serve():
        while True:
            try:
                visitor, _ = server.accept()
            except OSError:
                return
            with visitor:
                visitor.sendall(told[0])

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield lambda written: told.__setitem__(0, written.encode())
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join()


KNOCK = """
import socket


def knock(kind, place):
    with socket.socket(kind) as visitor:
        visitor.settimeout(5)
        try:
            visitor.connect(place)
            return visitor.recv(1000)
        except OSError:
            return b""


def attack(ask):
    return truths_in(KNOCKED)
"""


def test_a_server_on_loopback(laboratory):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with telling(server) as hide:
            one = KNOCK.replace("KNOCKED", f"[knock(socket.AF_INET, ('127.0.0.1', {port}))]")
            near = f"range({port} - 500, min({port} + 500, 65536))"
            every = KNOCK.replace("KNOCKED", f"(knock(socket.AF_INET, ('127.0.0.1', port)) for port in {near})")
            laboratory.attack(one, confinement=OFF, hide=hide).must_know_all()
            laboratory.attack(one, confinement=Confinement(network=True), hide=hide).must_know_all()
            assert laboratory.attack(one, hide=hide).at_chance
            assert laboratory.attack(every, hide=hide).at_chance


@pytest.mark.parametrize("where", ["abstract", "own folder", "temporary"])
def test_a_server_on_a_unix_socket(laboratory, tmp_path, where):
    name = f"attacked-{token_hex(4)}"
    places = {"abstract": f"\0{name}", "own folder": laboratory.folder / "socket", "temporary": tmp_path / "socket"}
    place = str(places[where])
    server = socket.socket(socket.AF_UNIX)
    server.bind(place)
    server.listen()
    lines = KNOCK.replace("KNOCKED", f"[knock(socket.AF_UNIX, {place!r})]")
    with telling(server) as hide:
        laboratory.attack(lines, confinement=OFF, hide=hide).must_know_all()
        assert laboratory.attack(lines, hide=hide).at_chance


VISIT = """
import urllib.request


def attack(ask):
    pages = ["/", "/lab", "/lab/runs", "/login", "/health", "/api/runs", "/api/v1/runs", "/openapi.json", "/docs"]
    seen = []
    for page in pages:
        try:
            with urllib.request.urlopen(HOME + page, timeout=5) as answer:
                seen.append(answer.read())
        except Exception as error:
            seen.append(error.read() if hasattr(error, "read") else b"")
    return truths_in(seen) or ("1" * 20 if any(b"coin0" in page or b"fair-" in page for page in seen) else None)
"""


@pytest.mark.slow
def test_a_laboratory_that_is_served_on_loopback(laboratory):
    server = Server(laboratory.store.database.place.path, free_port())
    try:
        lines = f"HOME = {server.home!r}\n{VISIT}"
        assert laboratory.attack(lines).at_chance
        assert laboratory.attack(lines, confinement=Confinement(network=True)).at_chance, "it does not let it in either"
    finally:
        server.stop()
