"""Page: a template and what it shows, as an answer to a request."""

import gzip
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse

from mensura.web.drawing.own_page import SIGNER
from mensura.web.drawing.prompt import environment
from mensura.web.laboratory import laboratory
from mensura.web.language.speaking import chosen, speaking
from mensura.web.language.tongue import ENGLISH
from mensura.web.safety.csrf import csrf_token, keep_visit

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.requests import Request

PART = "x-mensura-part"
"""The header of scripts that want only the main part of a page."""
PACK_FROM = 20_000
PACK_LEVEL = 4


def page(
    request: "Request", template: str, *, status: int = 200, among: "Environment | None" = None, **shown: Any
) -> HTMLResponse:
    """Draw a template for a visitor; `csrf()` in it gives what its forms must carry.

    `among` are the templates where they are not those of participants.
    """
    SIGNER.set(laboratory(request).signer)
    drawn = (among or environment()).get_template(template)
    with speaking(ENGLISH if among else language_of(request)):
        html = drawn.render(
            request=request,
            csrf=lambda: csrf_token(request),
            part=PART in request.headers,
            static=static_path(),
            **shown,
        )
    response = _packed(request, html, status)
    keep_visit(request, response)
    return response


def language_of(request: "Request") -> str:
    """Return the language of a page: that of the invitation, else what the browser asks for; the lab speaks English."""
    if request.scope["path"].startswith("/lab"):
        return ENGLISH
    invited = getattr(request.state, "language", "")
    return chosen(invited, request.headers.get("accept-language", ""))


def _packed(request: "Request", html: str, status: int) -> HTMLResponse:
    """Send large parts packed.

    Only parts: no other site can make a browser ask for them, so how well they pack tells nobody what secrets they
    hold beside what was sent (BREACH).
    """
    asked = request.headers.get("accept-encoding", "")
    if len(html) < PACK_FROM or PART not in request.headers or "gzip" not in asked:
        return HTMLResponse(html, status)
    return HTMLResponse(gzip.compress(html.encode(), PACK_LEVEL), status, {"Content-Encoding": "gzip"})


@cache
def static_path() -> str:
    """Return where static files are: the address changes with them, so that browsers may keep them for ever."""
    digest = blake2b(digest_size=6)
    controls = _walk(files("mensura.dialogue.spaces") / "pages")
    for name, content in sorted([*controls, *_walk(files("mensura.web") / "static")]):
        digest.update(name.encode() + b"\0" + content)
    return f"/static/{digest.hexdigest()}"


def _walk(folder: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    found = []
    for child in folder.iterdir():
        if child.is_dir():
            found += _walk(child, f"{prefix}{child.name}/")
        else:
            found.append((prefix + child.name, child.read_bytes()))
    return found
