"""LocalPage: a page of the laboratory, served alone on this computer to who has its address."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from hmac import compare_digest
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs

from mensura.errors import BadParameter, MensuraError
from mensura.json_file import loads
from mensura.signals import ended_by_signals, listening_error

LONGEST = 2_000_000
"""Bytes that a page may ask with."""
TYPES = {"js": "text/javascript", "css": "text/css"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def serve_page(page: Any, *, port: int, ready: Callable[[str], None]) -> None:
    """Serve a page until SIGINT or SIGTERM, and say where it is."""
    with PageServer(page, page.answer, port) as server, suppress(KeyboardInterrupt), ended_by_signals():
        ready(server.address)
        server.serve_forever()


class PageServer(ThreadingHTTPServer):
    """Serves one page, its scripts, and what these ask, at an address that nobody can guess.

    Parameters
    ----------
    page
        What the laboratory's pages are: a `title`, a `page` with package, template, script and style, and `data()`.
    answer
        What answers its script, in a thread of its own.
    """

    daemon_threads = True

    def __init__(self, page: Any, answer: Callable[[Any], Any], port: int) -> None:
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise BadParameter(listening_error("127.0.0.1", port, error)) from None
        self.page, self.answer = page, answer
        # The address is the key: other pages in the same browser cannot guess it.
        self.token = token_urlsafe(24)
        self.address = f"http://127.0.0.1:{self.server_port}/{self.token}/"
        self.folder: Any = files(page.page["package"]) / "pages"

    def document(self) -> str:
        """Return the page itself."""
        own, title = self.page.page, escape(self.page.title)
        body = re.sub(r"\{#.*?#\}", "", (self.folder / own["template"]).read_text("utf-8"), flags=re.DOTALL)
        data = json.dumps(self.page.data()).replace("<", "\\u003c")
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<link rel="stylesheet" href="local_page.css"><link rel="stylesheet" href="{own["style"]}"></head>'
            f'<body class="lab"><main class="lab-main"><h1>{title}</h1><div class="own" data-address="ask">{body}'
            f'<script type="application/json" class="own-data">{data}</script></div></main>'
            f'<script type="module" src="{own["script"]}"></script></body></html>\n'
        )


class _Handler(BaseHTTPRequestHandler):
    server: PageServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = self._name()
        if name == "":
            self._send(200, self.server.document(), "text/html")
        elif name and re.fullmatch(r"[a-z_]+\.(js|css)", name) and (self.server.folder / name).is_file():
            self._send(200, (self.server.folder / name).read_text("utf-8"), TYPES[name.partition(".")[2]])
        else:
            self._refuse()

    do_HEAD = do_GET

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        size = int(length) if re.fullmatch(r"[0-9]{1,9}", length) else LONGEST + 1
        # What is not read would be taken for the next question.
        self.close_connection = size > LONGEST
        text = "" if self.close_connection else self.rfile.read(size).decode(errors="replace")
        if self._name() != "ask":
            self._refuse()
            return
        try:
            if size > LONGEST:
                raise BadParameter(f"A page asks with at most {LONGEST} bytes.")
            status, said = 200, self.server.answer(_read(text))
        except MensuraError as wrong:
            status, said = 400, {"fault": str(wrong)}
        self._send(status, json.dumps(said), "application/json")

    def _name(self) -> str | None:
        """Return which file is asked for; None without the token, or where the browser means another computer by it.

        A name elsewhere can be bent to this computer; the browser tells it as the host.
        """
        token, slash, name = self.path.partition("?")[0].removeprefix("/").partition("/")
        known = compare_digest(token.encode(), self.server.token.encode())
        host = self.headers.get("Host", "").partition(":")[0]
        return name if known and slash and host in ("127.0.0.1", "localhost") else None

    def _refuse(self) -> None:
        self.close_connection = True
        self._send(404, "There is no such page.", "text/plain")

    def _send(self, status: int, text: str, kind: str) -> None:
        body = text.encode()
        own = {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))}
        # Who has left the page waits for nothing.
        with suppress(ConnectionError):
            self.send_response(status)
            for name, value in (own | HEADERS).items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep silent: the address is a key."""


def _read(text: str) -> Any:
    try:
        return loads(parse_qs(text)["asked"][0])
    except (KeyError, ValueError, RecursionError):
        raise BadParameter("What the page asks is not JSON.") from None
