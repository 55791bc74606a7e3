"""Service: where a provider is reached, by which key, and within which bounds; what its clients share."""

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from mensura.errors import BadParameter, MensuraError, SubjectFlooded, SubjectLost, SubjectTimedOut
from mensura.json_file import loads
from mensura.subjects.model.fault import (
    LONGEST_WORDS,
    SHOWN,
    ContentDeclined,
    FormUnknown,
    PassingFault,
    not_json,
    of_status,
)
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.protocol import storable

NOT_REACHED = (
    *("ConnectError", "ConnectTimeout", "ConnectionTimeoutError", "gaierror", "ClientProxyConnectionError"),
    *("ClientConnectorError", "ClientConnectorDNSError", "ClientConnectorSSLError", "ClientConnectorCertificateError"),
)
"""Errors that clients raise before anything was sent: they cost nothing."""

MASK = b"[key]"
SHORTEST_KEY = 8
"""Shorter ones are not secrets but placeholders, such as EMPTY, and may be words of an answer."""


@dataclass(frozen=True)
class Service:
    """A model at an address.

    Parameters
    ----------
    address
        Up to and with the version: http://localhost:8000/v1
    model
        Its name there.
    keys
        Environment variables that may hold the key; the first that is set is sent. It is kept in memory only.
    bounds
        `answer_seconds` limits each try, `output_bytes` the size of a response.
    """

    address: str
    model: str
    keys: tuple[str, ...]
    bounds: Bounds = field(default_factory=Bounds)

    @property
    def key(self) -> str | None:
        """The key; None where none is set."""
        return os.environ[self.key_name] if self.key_name else None

    @property
    def key_name(self) -> str:
        """The variable that holds the key; "" where none is set."""
        return next((name for name in self.keys if os.environ.get(name)), "")

    @property
    def identity(self) -> tuple[object, ...]:
        """All that a client is made from."""
        return self.address, self.model, self.key, self.bounds

    def masked(self, text: bytes) -> bytes:
        """Take the key out of what a server says: some repeat it when they refuse it, and their words are stored."""
        key = (self.key or "").encode()
        if len(key) < SHORTEST_KEY:
            return text
        # Some write a slash in JSON with a backslash before it.
        return text.replace(key, MASK).replace(key.replace(b"/", rb"\/"), MASK)

    def read(self, status: int, text: bytes, *, headers: Mapping[str, str]) -> Any:
        """Read the body of a response; raises an error where it is not a completion."""
        text = self.masked(text)
        if status != 200:
            raise of_status(status, text, headers=headers, service=self)
        try:
            return loads(text)
        except ValueError:
            raise not_json(text, place=self.address) from None

    async def body(self, chunks: AsyncIterator[bytes]) -> bytes:
        """Read a response up to its bounds."""
        seconds, text = self.bounds.answer_seconds, bytearray()
        deadline = None if seconds is None else time.monotonic() + seconds
        async for chunk in chunks:
            text += chunk
            if len(text) > self.bounds.output_bytes:
                words = f"{self.address} said more than {self.bounds.output_bytes} bytes for one answer."
                last = self.masked(bytes(text))[-LONGEST_WORDS:]
                raise SubjectFlooded(words, last_words=last.decode(errors="replace"))
            if deadline is not None and time.monotonic() > deadline:
                raise self.late()
        return bytes(text)

    @asynccontextmanager
    async def within_bounds(self, *refusals: type[Exception]) -> AsyncIterator[None]:
        """Turn what a provider's client raises inside into faults of ours; `refusals` are what it makes of statuses."""
        try:
            async with asyncio.timeout(self.bounds.answer_seconds):
                yield
        except (MensuraError, ContentDeclined, FormUnknown, PassingFault):
            raise
        except refusals as error:
            response = error.response  # type: ignore[attr-defined]
            # What was not read of a response that is streamed is not there any more.
            text = response.content if response.is_stream_consumed else b""
            self.read(response.status_code, text or str(error).encode(), headers=response.headers)
        except Exception as error:
            # Clients call some broken connections timeouts, and pass others on as their own libraries raise them.
            causes = list(_causes(error))
            broken = next(
                (one for one in causes if isinstance(one, OSError) and not isinstance(one, TimeoutError)), None
            )
            absent = any(type(one).__name__ in NOT_REACHED for one in causes)
            if not absent and broken is None and any("Timeout" in type(one).__name__ for one in causes):
                raise self.late() from None
            words = self._absent(causes) if absent else self._broken(broken or causes[-1])
            raise PassingFault(SubjectLost(words), unseen=not absent, absent=absent) from None

    def _absent(self, causes: Sequence[BaseException]) -> str:
        """Return why there is nothing at the address, and what to do."""
        parts = urlsplit(self.address)
        if any(isinstance(one, ConnectionRefusedError) for one in causes):
            return f"nothing listens at {parts.netloc}. Start its server, or correct the address."
        if any(isinstance(one, socket.gaierror) or "DNS" in type(one).__name__ for one in causes):
            return f"{parts.hostname} is not known here. Correct the address, or check the network."
        return f"{parts.netloc} cannot be reached ({self._words(causes[-1])}). Check the address and the network."

    def _broken(self, error: BaseException) -> str:
        return f"{self.address} dropped the connection before it had answered ({self._words(error)})."

    def _words(self, error: BaseException) -> str:
        said = self.masked(str(error).encode(errors="replace")).decode()
        return " ".join(said.split())[:SHOWN] or type(error).__name__

    def late(self) -> PassingFault:
        """Return the fault of a try that took too long."""
        return PassingFault(
            SubjectTimedOut(f"{self.model} at {self.address} gave no answer within {self.bounds.answer_seconds:g} s."),
            unseen=True,
        )


def check_address(address: str) -> None:
    """Refuse an address with a password or a key in it: addresses are stored and shown."""
    parts = urlsplit(address)
    if "@" in parts.netloc or parts.query:
        raise BadParameter(
            "The address of a model is stored with every run, so it holds no password and nothing behind a question "
            "mark: keys are read from the environment."
        )


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Go from an error to what it came from."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__


def plain_text(content: Any) -> str:
    """Join the parts of a content that comes in parts, and take out what no store can hold.

    >>> plain_text([{"type": "text", "text": "a"}, {"text": "b"}]), plain_text(None)
    ('ab', '')
    """
    text = "".join(part.get("text") or "" for part in content) if isinstance(content, list) else content or ""
    return storable(text)


def read_arguments(arguments: Any) -> Any:
    """Read the arguments of a call, which come as text; text that is not JSON is returned as it is."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return loads(arguments or "{}")
    except ValueError:
        return storable(arguments)


def count(usage: Mapping[str, Any], *path: str) -> int | None:
    """Find a count of tokens; None where the server does not tell.

    >>> count({"details": {"reasoning_tokens": 3}}, "details", "reasoning_tokens"), count({}, "prompt_tokens")
    (3, None)
    """
    found: Any = usage
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else None
