"""LocalPage: a page of the laboratory, served alone on this computer to who started it."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from secrets import token_urlsafe
from typing import Any
from urllib.parse import parse_qs

from mensura.errors import MensuraError

LONGEST = 2_000_000
"""Bytes that a page may ask with."""
TYPES = {".js": "text/javascript", ".css": "text/css"}
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"


def serve_page(page: Any, *, port: int, ready: Callable[[str], None]) -> None:
    """Serve a page at an address that nobody can guess, until Ctrl-C.

    A page is what the laboratory's pages are: a `title`, a `page` with package, template, script and style, `data()`
    and `answer(asked)`.
    """
    server = make_server(page, port)
    ready(address_of(server))
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()


def make_server(page: Any, port: int) -> "PageServer":
    """Make the server; who serves it says when it ends."""
    return PageServer(page, port)


def address_of(server: "PageServer") -> str:
    """Return where the page is."""
    return f"http://127.0.0.1:{server.server_port}/{server.secret}/"


class PageServer(ThreadingHTTPServer):
    """Serves one page, its scripts, and what these ask."""

    daemon_threads = True

    def __init__(self, page: Any, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.page = page
        # The address is the key: other pages in the same browser cannot guess it.
        self.secret = token_urlsafe(18)
        self.folder: Any = files(page.page["package"]) / "pages"

    def document(self) -> str:
        """Return the page itself."""
        own = self.page.page
        body = re.sub(r"\{#.*?#\}", "", (self.folder / own["template"]).read_text("utf-8"), flags=re.DOTALL)
        data = json.dumps(self.page.data()).replace("<", "\\u003c")
        title = escape(self.page.title)
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f'<link rel="stylesheet" href="editor_alone.css"><link rel="stylesheet" href="{own["style"]}"></head>'
            f'<body class="lab"><main class="lab-main"><h1>{title}</h1><div class="own" data-address="ask">{body}'
            f'<script type="application/json" class="own-data">{data}</script></div></main>'
            f'<script type="module" src="{own["script"]}"></script></body></html>\n'
        )


class _Handler(BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        name = self._named()
        if name == "":
            self._send(self.server.document(), "text/html")
        elif name is not None and re.fullmatch(r"[a-z_]+(\.js|\.css)", name) and (self.server.folder / name).is_file():
            self._send((self.server.folder / name).read_text("utf-8"), TYPES[name[name.index(".") :]])
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        length = self.headers.get("content-length", "")
        if self._named() != "ask" or not length.isdigit() or int(length) > LONGEST:
            self.send_error(HTTPStatus.BAD_REQUEST)
            return
        try:
            asked = json.loads(parse_qs(self.rfile.read(int(length)).decode())["asked"][0])
            said = self.server.page.answer(asked)
        except (KeyError, ValueError, RecursionError):
            said = {"fault": "What the page asks is not JSON."}
        except MensuraError as error:
            said = {"fault": str(error)}
        self._send(json.dumps(said), "application/json")

    def _named(self) -> str | None:
        """Return which file is asked for; None where the address is not ours."""
        start = f"/{self.server.secret}/"
        return self.path.removeprefix(start) if self.path.startswith(start) else None

    def _send(self, text: str, kind: str) -> None:
        data = text.encode()
        self.send_response(HTTPStatus.OK)
        headers = {
            "Content-Type": f"{kind}; charset=utf-8",
            "Content-Length": str(len(data)),
            "Cache-Control": "no-store",
        }
        for name, value in {**headers, "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}.items():
            self.send_header(name, value)
        self.end_headers()
        # Who has left the page waits for nothing.
        with suppress(ConnectionError):
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Keep silent: the address is a key."""
