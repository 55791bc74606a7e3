"""Door: `--as pagi://127.0.0.1:42209`, a subject that is a client of the protocol, which dials in."""

from __future__ import annotations

import socket
from collections import deque
from contextlib import suppress
from typing import Any, ClassVar
from urllib.parse import urlsplit

from mensura.catalog.pagi_world.protocol.reading import CONNECT, DISCONNECT, ClientMessage, Dialect, Framing
from mensura.catalog.pagi_world.protocol.writing import line_of
from mensura.dialogue import Ask, Calls, Outcome
from mensura.errors import BadParameter, SubjectLost


class PagiDoor:
    """Waits for a client, and hands on what it writes; one client keeps its place over all sessions of a run.

    Parameters
    ----------
    host, port
        Where it listens; the roles of a room share the place, and each takes the next client that comes.
    """

    _listening: ClassVar[dict[tuple[str, int], socket.socket]] = {}

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.name = f"pagi://{host}:{port}"
        self._client: socket.socket | None = None
        self._dialect: Dialect = "json"
        self._stepping = False
        self._between = False

    def begin(self, rng: Any) -> None:
        """Begin a session; a client that is there goes on with it."""
        self._stepping = False

    def __call__(self, ask: Ask) -> Any:
        if not isinstance(ask.space, Calls):
            raise BadParameter("A client of the protocol takes rooms with calls: leave out --stride.")
        client = self._connect()
        lines = [line_of(reply, self._dialect) for reply in ask.prompt.replies]  # type: ignore[union-attr]
        if self._stepping:
            self._stepping = False
            lines.append(line_of(["step", str(ask.prompt.tick)], self._dialect))  # type: ignore[union-attr]
        self._send(b"".join(lines))
        while True:
            message = self._next(client)
            self._dialect = message.dialect
            if message.wrong:
                self._send(line_of(["errorMsg", message.wrong], self._dialect))
            elif message.row[0] == DISCONNECT:
                raise SubjectLost(f"The client at {self.name} has left.")
            elif message.row[0] == "reset" and self._between:
                self._between = False
                self._send(line_of(["update", "reset,OK"], self._dialect))
            elif message.row[0] != CONNECT:
                self._between = False
                self._stepping = message.row[0] == "step"
                return [message.row]

    def end(self, outcome: Outcome) -> None:
        """Tell the client that the session is over."""
        replies = getattr(outcome.prompt, "replies", [])
        tick = getattr(outcome.prompt, "tick", 0)
        if self._client is not None:
            # The step is answered last, so that nobody who reads its answer still steps a room that is over.
            lines = [line_of(reply, self._dialect) for reply in replies]
            if self._stepping:
                lines.append(line_of(["step", str(tick)], self._dialect))
            with suppress(SubjectLost):
                self._send(b"".join(lines))
        self._stepping, self._between = False, True

    def close(self) -> None:
        """Let the client go."""
        if self._client is not None:
            self._client.close()
            self._client = None
        listener = self._listening.pop((self.host, self.port), None)
        if listener is not None:
            listener.close()

    def _connect(self) -> socket.socket:
        if self._client is None:
            place = (self.host, self.port)
            if place not in self._listening:
                try:
                    self._listening[place] = socket.create_server(place, reuse_port=False)
                except OSError as error:
                    raise BadParameter(f"{self.name} cannot listen: {error.strerror or error}.") from None
            self._client, _ = self._listening[place].accept()
            self._client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._framing, self._waiting = Framing(), deque[ClientMessage]()
        return self._client

    def _next(self, client: socket.socket) -> ClientMessage:
        while not self._waiting:
            try:
                data = client.recv(65536)
            except OSError:
                data = b""
            if not data:
                self._client = None
                raise SubjectLost(f"The client at {self.name} is gone.")
            self._waiting.extend(self._framing.feed(data))
        return self._waiting.popleft()

    def _send(self, data: bytes) -> None:
        if data and self._client is not None:
            try:
                self._client.sendall(data)
            except OSError:
                self._client = None
                raise SubjectLost(f"The client at {self.name} is gone.") from None


def named(rest: str, *, naming: Any) -> Any:
    """Read a name such as `pagi://127.0.0.1:42209`."""
    naming.allow()
    try:
        parts = urlsplit(f"pagi:{rest}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise BadParameter(f"The place where clients dial in is pagi://host:port; got pagi:{rest}.")
    return lambda: PagiDoor(host, port)
