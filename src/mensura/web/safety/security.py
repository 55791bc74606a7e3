"""Security: headers on every answer, a limit on what is read, and on how often one address may ask."""

import math
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.requests import Request

from mensura.phrase import phrase
from mensura.web.errors import error_page, log, shown_path
from mensura.web.safety.rate_limit import RateLimit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from mensura.web.settings import WebSettings

# Nothing inline and nothing from elsewhere; pictures and recordings may stand inside the page, as prompts bring them.
POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # A link is a key: it must not reach other places with a referrer.
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
# Static files say themselves how long they may be kept.
SENT = [(name.lower().encode(), value.encode()) for name, value in {**HEADERS, "Cache-Control": "no-store"}.items()]
"""The headers of every answer that does not set them itself, as bytes."""
SECURE_ONLY = (b"strict-transport-security", b"max-age=31536000")
"""For a year browsers ask for this site by https alone, once they have met it so."""
SAVED_SECONDS = 5.0


class TooLarge(HTTPException):
    """More was sent than is read."""

    def __init__(self, most_bytes: int) -> None:
        most = f"{most_bytes / 1e6:g}"
        words = phrase("What was sent is larger than {most} MB, so it was not read and nothing has changed.", most=most)
        super().__init__(413, words)


class Security:
    """The outermost layer: what it refuses reaches no page."""

    def __init__(self, app: "ASGIApp", *, settings: "WebSettings", addresses: RateLimit) -> None:
        self.app = app
        self.settings = settings
        self.addresses = addresses

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        started = False
        https = self.settings.secure or scope.get("scheme") == "https"
        wanted = [*SENT, SECURE_ONLY] if https else SENT

        async def protected(message: "Message") -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                there = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in wanted if one[0] not in there)]
            await send(message)

        request = Request(scope)
        seconds = self.addresses.wait(address_of(request))
        if seconds > 0:
            words = phrase("Too many requests came from your address. Please wait a moment and try again.")
            answer = error_page(request, 429, words)
            answer.headers["Retry-After"] = str(math.ceil(seconds))
            await answer(scope, receive, protected)
            return
        try:
            self._check_length(request)
            await self.app(scope, self._counting(receive), protected)
        except TooLarge as error:
            await error_page(request, 413, error.detail)(scope, receive, protected)
        except Exception:
            log.exception("%s %s", request.method, shown_path(request))
            if started:
                raise
            await error_page(request, 500)(scope, receive, protected)

    def _check_length(self, request: Request) -> None:
        length = request.headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self.settings.most_bytes:
            raise TooLarge(self.settings.most_bytes)

    def _counting(self, receive: "Receive") -> "Receive":
        """Count what is read: a length that was announced may be a lie."""
        read = 0

        async def counted() -> "Message":
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.settings.most_bytes:
                raise TooLarge(self.settings.most_bytes)
            return message

        return counted


def _without_body(send: "Send") -> "Send":
    """Send the head of an answer only."""

    async def sent(message: "Message") -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return sent


def address_of(request: Request) -> str:
    """Return where a request comes from; behind a proxy this is what the proxy says."""
    return request.client.host if request.client else ""
