"""Errors: whatever goes wrong becomes a plain page with one clear sentence, or JSON with the same one."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from mensura.errors import (
    BadFile,
    BrokenTest,
    Conflict,
    Invalid,
    Late,
    MensuraError,
    ReplayDiffers,
    StoreError,
    UnknownName,
)
from mensura.phrase import Sentence, phrase

if TYPE_CHECKING:
    from fastapi import FastAPI
    from starlette.requests import Request

log = logging.getLogger("mensura.web")

# The first that fits: children stand before their parents.
STATUS: tuple[tuple[type[MensuraError], int], ...] = (
    (UnknownName, 404),
    (Late, 409),
    (Conflict, 409),
    (Invalid, 422),
    (BrokenTest, 500),
    (ReplayDiffers, 500),
    (StoreError, 503),
    (BadFile, 500),
    (MensuraError, 400),
)
TITLES = {
    400: phrase("That could not be understood"),
    403: phrase("Not allowed"),
    404: phrase("Not found"),
    405: phrase("Not possible here"),
    409: phrase("Not possible now"),
    410: phrase("No longer open"),
    413: phrase("Too large"),
    422: phrase("Not a valid answer"),
    429: phrase("Too many requests"),
    500: phrase("Something broke"),
    503: phrase("Not available just now"),
}
SENTENCES = {
    404: phrase("There is no page at this address. If you came by a link, please check that it is complete."),
    405: phrase("This address cannot be used in this way."),
    500: phrase("Something broke on our side. What you answered before is kept; please try again in a moment."),
    503: phrase("The laboratory cannot reach its records just now. Please try again in a moment."),
}


def status_of(error: MensuraError) -> int:
    """Return which HTTP status stands for an error of ours."""
    return next(status for kind, status in STATUS if isinstance(error, kind))


def error_page(request: "Request", status: int, words: str = "") -> Response:
    """Return what went wrong in one sentence."""
    words = words or SENTENCES.get(status, phrase("That did not work; nothing was changed."))
    if wants_json(request):
        return JSONResponse({"error": words}, status)
    from mensura.web.page import page

    title = TITLES.get(status, TITLES[400 if status < 500 else 500])
    return page(request, "error.html", status=status, title=title, words=words)


def wants_json(request: "Request") -> bool:
    """Return whether a program asks, not a person."""
    path = request.url.path
    return path.endswith(".json") or path.startswith("/api/") or request.headers.get("accept") == "application/json"


def handle_errors(app: "FastAPI") -> None:
    """Give every error its page."""
    from fastapi.exceptions import RequestValidationError

    def ours(request: "Request", error: Exception) -> Response:
        assert isinstance(error, MensuraError)
        status = status_of(error)
        if status >= 500:
            log.error("%s %s: %s", request.method, shown_path(request), error)
        # A broken test or store is not for its visitor to put right; who can is told by the log.
        return error_page(request, status, "" if status >= 500 else _said(error))

    def http(request: "Request", error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        plain = error.status_code in SENTENCES and error.detail in ("Not Found", "Method Not Allowed")
        answer = error_page(request, error.status_code, "" if plain else error.detail)
        answer.headers.update(error.headers or {})
        return answer

    def invalid(request: "Request", error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        if any(fault["loc"][:1] == ("path",) for fault in error.errors()):
            return error_page(request, 404)
        return error_page(
            request, 400, phrase("A part of the address or of the form has a wrong shape; nothing was changed.")
        )

    handlers: dict[type[Exception], Callable[[Request, Exception], Response]] = {
        MensuraError: ours,
        HTTPException: http,
        RequestValidationError: invalid,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def _said(error: MensuraError) -> str:
    """Return what an error says, as a phrase where it is one, so that it can be said in the language of the page."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Sentence) else str(error)


def shown_path(request: "Request") -> str:
    """Name an address in the log without the key that the link of a participant, or to a new password, is."""
    parts = request.url.path.split("/")
    place = 2 if parts[1] == "p" else 3 if parts[1:3] == ["lab", "reset"] else len(parts)
    if len(parts) > place:
        parts[place] = parts[place][:4] + "..."
    return "/".join(parts)
