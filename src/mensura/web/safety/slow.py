"""Slow senders: a request that does not arrive in time is answered with 408, and its connection is closed."""

from asyncio import TimerHandle, Transport
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

SECONDS = 20.0
"""How long a request may take to arrive, head and body."""
RATE = 1000.0
"""Bytes a second that earn a request more time: large uploads over slow lines are fine."""
LONGEST_HEAD = 65_536
"""Bytes of a request that are not its body; a browser sends some hundreds."""
TOO_LONG = "The head of the request is too long."
WORDS = b"The request took too long to arrive, so it was not read and nothing has changed."
LATE = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(WORDS), WORDS)
)


class TimedProtocol(HttpToolsProtocol):
    """Uvicorn's protocol with limits on how long a request takes to arrive and how long its head is.

    By itself it times only idle connections, and reads a head that never ends. Its parser is written in C: the one
    that uvicorn takes where nothing else is there costs twice as much as reading the form.
    """

    late: TimerHandle | None = None
    began = 0.0
    came = 0
    bare = 0
    """Bytes that have come since the last of a body."""
    whole: Any = None
    """The last request that has arrived whole."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on, and stop waiting when the request is whole."""
        if self.late is None:
            self._wait()
        self.came += len(data)
        self.bare += len(data)
        super().data_received(data)
        if self.cycle is not None and self.cycle is not self.whole and not self.cycle.more_body:
            self.whole = self.cycle
            self._stop()
        elif self.bare > LONGEST_HEAD and not self.transport.is_closing():
            self.send_400_response(TOO_LONG)

    def on_body(self, body: bytes) -> None:
        """Take a part of a body; what comes behind the last of them is no longer than a head."""
        self.bare = 0
        super().on_body(body)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self.began, self.came, self.bare = self.loop.time(), 0, 0
        self.late = self.loop.call_later(SECONDS, self._check)

    def _stop(self) -> None:
        if self.late is not None:
            self.late.cancel()
            self.late = None

    def _check(self) -> None:
        """Close the connection, unless so much has come that there is time left."""
        allowed = self.began + SECONDS + self.came / RATE
        if self.loop.time() < allowed:
            self.late = self.loop.call_at(allowed, self._check)
            return
        if self.cycle is None or self.cycle is self.whole or not self.cycle.response_started:
            self.transport.write(LATE)
        self.transport.close()


def allow_many_connections() -> None:
    """Let this process and those that it starts have as many open connections as the system permits."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
