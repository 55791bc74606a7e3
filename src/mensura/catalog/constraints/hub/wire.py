"""Wire: lines of JSON over TCP, as the hub and its agents write them. docs/constraints.md has the table of lines."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import numpy as np

from mensura.errors import BadParameter, Invalid, SubjectLost
from mensura.json_file import loads
from mensura.signals import listening_error

LONGEST = 16 * 2**20
"""The longest line in bytes; who sends a longer one is let go."""


PATIENCE = 5.0
"""Seconds after which those whom a run waits for are named again."""
Guest = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def listening(welcome: Guest, host: str, port: int) -> AsyncIterator[tuple[str, int]]:
    """Listen for guests; what is entered is where."""

    async def met(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # Who is still listened to when the run is over is let go without a word.
        with suppress(asyncio.CancelledError):
            await welcome(reader, writer)

    try:
        server = await asyncio.start_server(met, host, port, limit=LONGEST)
    except OSError as error:
        raise BadParameter(listening_error(host, port, error)) from None
    async with server:
        yield server.sockets[0].getsockname()[:2]


async def take_seat(
    host: str, port: int, hello: dict[str, Any]
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, dict[str, Any]]:
    """Join a hub by a first line; returns its connection and its welcome."""
    try:
        reader, writer = await asyncio.open_connection(host, port, limit=LONGEST)
    except OSError as error:
        raise SubjectLost(f"There is no hub at {host}:{port}: {error.strerror or error}.") from None
    writer.write(line_of(hello))
    welcome = await read_line(reader)
    if welcome is None or "welcome" not in welcome:
        writer.close()
        raise BadParameter(f"The hub said: {'nothing' if welcome is None else welcome.get('error', welcome)}")
    return reader, writer, welcome


async def name_the_late(say: Callable[[str], None], late: Callable[[], tuple[str, Sequence[str]]]) -> None:
    """Say again and again whom a run waits for; `late` returns for what, and for whom."""
    while True:
        await asyncio.sleep(PATIENCE)
        what, names = late()
        if names:
            more = f" and {len(names) - 10} more" if len(names) > 10 else ""
            say(f"Waiting for {what}{', '.join(names[:10])}{more}.")


def line_of(message: dict[str, Any]) -> bytes:
    """Write one message as a line."""
    return json.dumps(message, default=_plain, separators=(",", ":")).encode() + b"\n"


async def read_line(reader: asyncio.StreamReader) -> dict[str, Any] | None:
    """Read one message; None where the other side has left.

    Raises
    ------
    Invalid
        Where the line is too long, or no object of JSON.
    """
    try:
        line = await reader.readline()
    except (ConnectionError, TimeoutError):
        return None
    except ValueError:
        raise Invalid(f"A line is at most {LONGEST // 2**20} MiB long.") from None
    if not line.endswith(b"\n"):
        return None
    try:
        message = loads(line)
    except (ValueError, RecursionError):
        raise Invalid(f"Every line is an object of JSON; got {line[:60]!r}.") from None
    if not isinstance(message, dict):
        raise Invalid(f"Every line is an object of JSON; got {line[:60]!r}.")
    return message


def _plain(value: Any) -> Any:
    # JSON knows no infinity: null stands for what is forbidden.
    if isinstance(value, np.ndarray):
        return np.where(np.isfinite(value), value.astype(object), np.array(None)).tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is not JSON")
