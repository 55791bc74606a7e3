"""Slow senders: a request that does not arrive in time is answered with 408, and its connection is closed."""

from asyncio import TimerHandle, Transport
from contextlib import suppress
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol

SECONDS = 20.0
"""How long a request may take to arrive, head and body."""
RATE = 1000.0
"""Bytes a second that earn a request more time: large uploads over slow lines are fine."""
WORDS = b"The request took too long to arrive, so it was not read and nothing has changed."
LATE = (
    b"HTTP/1.1 408 Request Timeout\r\ncontent-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(WORDS), WORDS)
)


class TimedProtocol(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
    """Uvicorn's protocol with a limit on how long a request takes to arrive; it times only idle connections itself."""

    late: TimerHandle | None = None
    began = 0.0
    came = 0
    whole: Any = None
    """The last request that has arrived whole."""

    def connection_made(self, transport: Transport) -> None:
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on, and stop waiting when the request is whole."""
        if self.late is None:
            self._wait()
        self.came += len(data)
        super().data_received(data)
        if self.cycle is not None and self.cycle is not self.whole and not self.cycle.more_body:
            self.whole = self.cycle
            self._stop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self.began, self.came = self.loop.time(), 0
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
