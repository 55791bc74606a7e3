"""WatchDoor: a page on this machine only, on which a served room is watched, held and spoken to."""

import asyncio
import json
from contextlib import suppress
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Thread
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs

from mensura.catalog.pagi_world.onlooker import ONLOOKER
from mensura.catalog.pagi_world.showing.film import watch_page
from mensura.catalog.pagi_world.showing.watching import RoomWatch
from mensura.errors import BadParameter, MensuraError

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.protocol.server import PagiServer

LONGEST = 20_000
"""Bytes that a page may ask with."""
SPEEDS = (0.05, 20.0)
PATIENCE = 5.0


class WatchDoor:
    """Serves the page; who has its address may hold the room and speak to its agents.

    What the page asks is answered by the loop that serves the room, between two of its messages or ticks.
    """

    def __init__(self, server: "PagiServer", watch: RoomWatch) -> None:
        self.server, self.watch = server, watch
        self.token = token_urlsafe(24)
        self._http: ThreadingHTTPServer | None = None

    def open(self, port: int = 0) -> str:
        """Listen, within the loop that serves the room, and return the address of the page."""
        self.loop = asyncio.get_running_loop()
        door = self

        class Handler(_Handler):
            """Knows its door."""

        Handler.door = door
        self._http = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._http.daemon_threads = True
        Thread(target=self._http.serve_forever, name="pagi-world-watch", daemon=True).start()
        return f"http://127.0.0.1:{self._http.server_address[1]}/{self.token}/"

    def close(self) -> None:
        """Stop listening, and let the room go: pymunk's must not outlive the interpreter's modules."""
        ONLOOKER.set(None)
        if self._http is not None:
            self._http.shutdown()
            self._http.server_close()

    def ask(self, asked: Any) -> dict[str, Any]:
        """Answer what the page asks, from another thread."""

        async def within() -> dict[str, Any]:
            return self.answer(asked)

        return asyncio.run_coroutine_threadsafe(within(), self.loop).result(PATIENCE)

    def answer(self, asked: Any) -> dict[str, Any]:
        """Give frames, or hold the room, let it go on or by one, change its speed, or speak."""
        if not isinstance(asked, dict):
            raise BadParameter("Ask with an object.")
        want, server = asked.get("want"), self.server
        if want == "frames":
            since, said = asked.get("since", 0), asked.get("said", 0)
            if any(isinstance(one, bool) or not isinstance(one, int) or one < 0 for one in (since, said)):
                raise BadParameter("Frames and words are asked for from a whole number on.")
            found = self.watch.data(since, said)
            waits = "" if server.seats else "Waiting for an agent: the room stands still until one is here."
            return {**found, "say": waits}
        if want in ("hold", "go", "tick"):
            server.hold({"hold": 0, "tick": 1}.get(str(want)))
        elif want == "speed":
            speed = asked.get("speed")
            if isinstance(speed, bool) or not isinstance(speed, int | float) or not SPEEDS[0] <= speed <= SPEEDS[1]:
                raise BadParameter(f"The speed lies between {SPEEDS[0]:g} and {SPEEDS[1]:g}.")
            server.speed = float(speed)
        elif want == "speak":
            text = str(asked.get("text", "")).strip()
            if not 0 < len(text) <= 500:
                raise BadParameter("Say something of at most 500 characters.")
            if not server.type(" ".join(text.split())):
                raise BadParameter("Nobody is here who could hear it.")
        else:
            raise BadParameter("The page asks for frames, hold, go, tick, speed or speak.")
        return {"done": want}


class _Handler(BaseHTTPRequestHandler):
    door: WatchDoor
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Send the page."""
        if not self._known():
            return
        nonce = token_urlsafe(12)
        room = self.door.server.parameters["room"]
        page = watch_page({"live": True}, title=f"PAGI World: {room}", nonce=nonce)
        policy = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data:; "
            "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
        )
        self._send(200, page, "text/html; charset=utf-8", policy)

    def do_POST(self) -> None:
        """Answer what the page asks."""
        length = self.headers.get("Content-Length", "")
        size = int(length) if length.isdecimal() else LONGEST + 1
        text = self.rfile.read(size).decode(errors="replace") if size <= LONGEST else ""
        if not self._known():
            return
        status = 200
        try:
            if size > LONGEST:
                raise BadParameter(f"A page asks with at most {LONGEST} bytes.")
            try:
                asked = json.loads(parse_qs(text).get("asked", [""])[0])
            except ValueError:
                raise BadParameter("What the page asks is not JSON.") from None
            said = self.door.ask(asked)
        except MensuraError as wrong:
            said, status = {"fault": str(wrong)}, 400
        except (TimeoutError, RuntimeError):
            said, status = {"fault": "The room does not answer just now."}, 503
        self._send(status, json.dumps(said), "application/json")

    def _known(self) -> bool:
        """Return whether the address has the token, and the browser means this machine by it."""
        host = self.headers.get("Host", "").partition(":")[0]
        given = self.path.strip("/").partition("?")[0]
        if host in ("127.0.0.1", "localhost") and compare_digest(given.encode(), self.door.token.encode()):
            return True
        self.close_connection = True
        self._send(404, "There is no such page.", "text/plain; charset=utf-8")
        return False

    def _send(self, status: int, text: str, kind: str, policy: str = "default-src 'none'") -> None:
        body = text.encode()
        with suppress(ConnectionError):
            self.send_response(status)
            headers = {
                "Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": policy,
                "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
            }  # fmt: skip
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep quiet: the token is in the address."""
