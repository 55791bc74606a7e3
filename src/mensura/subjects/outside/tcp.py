"""Tcp: a subject behind a socket, talked to in lines of JSON."""

import socket
from contextlib import suppress
from urllib.parse import urlsplit

from mensura.errors import BadParameter, SubjectLost
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.conversation import Conversation
from mensura.subjects.outside.lines import Lines


class Tcp(Conversation):
    """A server at `tcp://host:port` that answers lines of JSON, one connection per subject.

    Parameters
    ----------
    address
        `tcp://host:port`.
    recomputes
        Whether the same seed gives the same answers again.
    """

    def __init__(self, address: str, *, bounds: Bounds = Bounds(), recomputes: bool = False, test: str = "") -> None:
        super().__init__(name=address, bounds=bounds, test=test)
        self.recomputes = recomputes
        self.host, self.port = _read(address)
        self._socket: socket.socket | None = None

    def connect(self) -> Lines:
        """Reach the server."""
        try:
            self._socket = socket.create_connection((self.host, self.port), timeout=self.bounds.start_seconds)
        except TimeoutError:
            seconds = self.bounds.start_seconds
            raise SubjectLost(f"{self.name} could not be reached within {seconds:g} s.") from None
        except OSError as error:
            raise SubjectLost(f"{self.name} cannot be reached: {error.strerror or error}.") from None
        # Lines are short and answered one by one: waiting to fill a packet would only delay them.
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        descriptor = self._socket.fileno()
        return Lines(self.name, reading=descriptor, writing=descriptor, most_bytes=self.bounds.output_bytes)

    def disconnect(self, lines: Lines, *, patience: float) -> str:
        """Close the connection."""
        lines.finish()
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
            self._socket.close()
            self._socket = None
        return ""


def _read(address: str) -> tuple[str, int]:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise BadParameter(f"The address of a server is tcp://host:port; got {address!r}.")
    return host, port


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `tcp://localhost:7000`."""
    options = naming.allow("recomputes")
    _read(naming.name)
    return lambda: Tcp(naming.name, bounds=naming.bounds, test=naming.test.id, **options)
