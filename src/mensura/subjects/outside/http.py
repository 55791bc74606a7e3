"""Http: a subject behind a web address; every message is posted to it as JSON."""

import os
import re
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from mensura.dialogue import SUBJECT, Ask, Outcome
from mensura.errors import BadParameter, SubjectCrashed, SubjectFailed, SubjectFlooded, SubjectLost, SubjectTimedOut
from mensura.subjects.lane import OwnLimits
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.outside.abilities import AbleSubject, read_able
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.protocol import ask_message, begin_message, end_message, line, read_reply, tell_message

LONGEST_WORDS = 2000
SECRET = re.compile("auth|key|token|cookie|secret|password", re.IGNORECASE)
"""Names of headers that hold what nobody may see."""


class Http(AbleSubject):
    """A server to which every message of the protocol is posted as JSON, with the names of session and subject.

    The reply to an ask is the body of the response; to messages that want none the body does not matter. The subject's
    name stays the same over the sessions of a course, so that what it learns can be kept.

    Parameters
    ----------
    url
        Where to post.
    recomputes
        Whether the same seed gives the same answers again.
    headers
        More headers, such as a key.
    """

    def __init__(
        self,
        url: str,
        *,
        bounds: Bounds = Bounds(),
        recomputes: bool = False,
        headers: Mapping[str, str] | None = None,
        test: str = "",
    ) -> None:
        self.name = self.url = url
        self.bounds = bounds
        self.recomputes = recomputes
        self.headers = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
        self.test = test
        self._parts = _read(url)
        self._subject = token_hex(8)
        self._session = token_hex(8)
        self._abilities: Mapping[str, Any] | None = None
        self._number = 0
        self._broken = False
        self._connection: HTTPConnection | None = None

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Begin a session under a separate name, so that one server can serve many at once."""
        self._session = token_hex(8)
        self._broken = False
        self._post(begin_message(rng, test=self.test, role=role))

    def feedback(self, told: Ask) -> None:
        """Tell something."""
        self._post(tell_message(told))

    def end(self, outcome: Outcome) -> None:
        """End the session, unless the server has failed in it."""
        if not self._broken:
            self._post(end_message(outcome))

    def __call__(self, ask: Ask) -> Any:
        self._number += 1
        return read_reply(self._post(ask_message(ask, number=self._number)))[0]

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    @property
    def unasked(self) -> bool:
        """Return whether nobody has asked yet what it can do."""
        return self._abilities is None

    def _able(self) -> Mapping[str, Any]:
        if self._abilities is None:
            try:
                self._abilities = read_able(self._post({"type": "able"})) or {}
            except SubjectLost:
                raise
            except SubjectFailed:
                # One that does not pass over what it does not know.
                self._abilities = {}
            self._broken = False
        return self._abilities

    def _request(self, message: Mapping[str, Any]) -> bytes:
        self._number += 1
        return self._post({**message, "number": self._number})

    def _inform(self, message: Mapping[str, Any]) -> None:
        self._post(message)

    def _failed(self, failure: SubjectFailed) -> SubjectFailed:
        self._broken = True
        return failure

    def _post(self, message: Mapping[str, Any]) -> bytes:
        body = line({**message, "session": self._session, "subject": self._subject})
        with OwnLimits():
            while True:
                kept = self._connection is not None
                try:
                    return self._exchange(body)
                except SubjectFailed:
                    self._broken = True
                    self.close()
                    raise
                except (OSError, HTTPException) as error:
                    self.close()
                    # A kept connection may have been closed by the server while it was idle: nobody's failure.
                    if not kept:
                        self._broken = True
                        raise self._unreached(error) from None

    def _exchange(self, body: bytes) -> bytes:
        connection = self._connection or self._connect()
        expired = threading.Event()
        seconds = self.bounds.answer_seconds
        watch = None
        if seconds is not None:
            # The limit is on the whole exchange; a server that sends a byte now and then would pass any other.
            watch = threading.Timer(seconds, _cut, (connection.sock, expired))
            watch.daemon = True
            watch.start()
        try:
            connection.request("POST", self._path(), body=body, headers=self.headers)
            body = self._read_body(connection.getresponse())
            if expired.is_set():
                raise TimeoutError
            return body
        except Exception:
            if expired.is_set():
                raise SubjectTimedOut(f"{self.url} gave no answer within {seconds:g} s.") from None
            raise
        finally:
            if watch is not None:
                watch.cancel()

    def _read_body(self, response: HTTPResponse) -> bytes:
        body = response.read(self.bounds.output_bytes + 1)
        if len(body) > self.bounds.output_bytes:
            words = body[-LONGEST_WORDS:].decode(errors="replace")
            raise SubjectFlooded(
                f"{self.url} said more than {self.bounds.output_bytes} bytes for one answer.", last_words=words
            )
        if response.length:
            raise HTTPException("the response is shorter than it said")
        if response.will_close:
            self.close()
        if not 200 <= response.status < 300:
            words = body[:LONGEST_WORDS].decode(errors="replace")
            raise SubjectCrashed(f"{self.url} answered with status {response.status}.", last_words=words)
        return body

    def _connect(self) -> HTTPConnection:
        parts = self._parts
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.bounds.start_seconds)
        connection.connect()
        connection.sock.settimeout(None)
        self._connection = connection
        return connection

    def _path(self) -> str:
        return (self._parts.path or "/") + (f"?{self._parts.query}" if self._parts.query else "")

    def _unreached(self, error: Exception) -> SubjectFailed:
        if isinstance(error, TimeoutError):
            return SubjectLost(f"{self.url} could not be reached within {self.bounds.start_seconds:g} s.")
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        words = f"{self.url} cannot be reached or broke off: {reason}."
        # A server that is still there and broke off has failed; one that is gone, or was never reached, has not.
        try:
            self._connect()
        except OSError:
            return SubjectLost(words)
        self.close()
        return SubjectCrashed(words)


def _cut(connected: socket.socket, expired: threading.Event) -> None:
    expired.set()
    with suppress(OSError):
        connected.shutdown(socket.SHUT_RDWR)


def _read(url: str) -> Any:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and parts.hostname and (parts.port or True)
    except ValueError:
        usable = False
    if not usable:
        raise BadParameter(f"The address of a server is http://host:port/path; got {url!r}.")
    return parts


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `http://localhost:8000/answer`."""
    options = dict(naming.allow("recomputes", "headers"))
    _read(naming.name)
    options["headers"] = {name: _header(name, value) for name, value in (options.get("headers") or {}).items()}
    return lambda: Http(naming.name, bounds=naming.bounds, test=naming.test.id, **options)


def _header(name: str, value: Any) -> str:
    """Return what a header says; options are stored, so what may be a key is read from the environment."""
    if str(value).startswith("$"):
        found = os.environ.get(str(value)[1:])
        if found is None:
            raise BadParameter(f"The header {name} names an environment variable, and none of that name is set.")
        return found
    if SECRET.search(name):
        raise BadParameter(
            f"The header {name} would be stored with the run: name an environment variable that holds it, "
            f'as {{"{name}": "$AGENT_KEY"}}.'
        )
    return str(value)
