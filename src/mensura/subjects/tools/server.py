"""Server: the tools of a server of the Model Context Protocol, a program in the sandbox or one at an address."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mensura.errors import MissingExtra, SubjectCrashed, SubjectFailed, SubjectLost
from mensura.subjects.loop import Apart, event_loop
from mensura.subjects.model.request import Function
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.process import Process
from mensura.subjects.outside.protocol import storable
from mensura.subjects.sandbox.command import Command
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.sandbox.sandbox import launch
from mensura.subjects.sandbox.view import FileView
from mensura.subjects.tools.kit import RAISED, SLOW, Came

LONGEST_WORDS = 2000
MOST_PAGES = 100


@dataclass
class ToolServer:
    """The tools of one server; a connection, and where it is a program a process, lives for one session.

    Parameters
    ----------
    place
        A command, or an address such as http://host/mcp
    seconds
        The longest that one call may take.
    """

    name: str
    place: Command | str
    seconds: float
    bounds: Bounds = field(default_factory=Bounds)
    confinement: Confinement = field(default_factory=Confinement)

    def __post_init__(self) -> None:
        try:
            import mcp  # noqa: F401
        except ImportError:
            raise MissingExtra("Servers of the Model Context Protocol", package="mcp", extra="mcp") from None
        self._client: Any = None
        self._over: asyncio.Event | None = None
        self._held: asyncio.Task[None] | None = None
        self._words = bytearray()

    async def offer(self) -> Sequence[Function]:
        """Return its tools, page after page."""
        client = await self._connected()
        found: list[Function] = []
        cursor = None
        try:
            async with asyncio.timeout(self.bounds.start_seconds):
                for _ in range(MOST_PAGES):
                    page = await client.list_tools(cursor=cursor)
                    found += [Function(one.name, one.description or "", one.input_schema) for one in page.tools]
                    cursor = page.next_cursor
                    if not cursor:
                        break
        except Exception as error:
            raise self._failed(error) from None
        return found

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Came:
        """Carry out a call; a server that is gone is reached anew by the next."""
        from mcp.shared.exceptions import MCPError
        from mcp.types import CONNECTION_CLOSED

        try:
            client = await self._connected()
            async with asyncio.timeout(self.seconds):
                result = await client.call_tool(name, dict(arguments))
        except TimeoutError:
            return Came(f"{name} was abandoned: it took longer than {self.seconds:g} s.", SLOW)
        except SubjectLost:
            raise
        except Exception as error:
            words = str(error)
            if not isinstance(error, MCPError) or error.code == CONNECTION_CLOSED:
                self.close()
                words += " Its server was ended; what it kept is gone."
            return Came(storable(f"{name} failed: {words}"), RAISED).bounded()
        return Came(storable(_words(result)), RAISED if result.is_error else "").bounded()

    def close(self) -> None:
        """Let the server go."""
        over, self._over, self._client = self._over, None, None
        if over is not None:
            event_loop().call_soon_threadsafe(over.set)

    async def _connected(self) -> Any:
        if self._client is None or self._held is None or self._held.done():
            ready: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
            self._over = asyncio.Event()
            # A task of its own: what a client opens must be closed by the very task that opened it.
            self._held = asyncio.create_task(self._hold(ready, self._over))
            try:
                async with asyncio.timeout(self.bounds.start_seconds):
                    self._client = await ready
            except Exception as error:
                self.close()
                raise self._failed(error) from None
        return self._client

    async def _hold(self, ready: "asyncio.Future[Any]", over: asyncio.Event) -> None:
        from mcp import Client

        try:
            async with Client(self.place if isinstance(self.place, str) else self._program(self.place)) as client:
                ready.set_result(client)
                await over.wait()
        except Exception as error:
            if not ready.done():
                ready.set_exception(error)

    @asynccontextmanager
    async def _program(self, command: Command) -> AsyncIterator[Any]:
        """Start the program where programs of strangers are started, and carry lines both ways."""
        import anyio
        from mcp.shared.message import SessionMessage
        from mcp.types import jsonrpc_message_adapter

        bounds = self.bounds
        apart = Apart()
        process = await apart.do(lambda: Process(launch(FileView(command, self.confinement), bounds), bounds))
        heard, reading = anyio.create_memory_object_stream[Any](0)
        writing, said = anyio.create_memory_object_stream[Any](0)
        stdin, stdout, stderr = process.pipes

        async def listen() -> None:
            async with heard:
                lines = await _reader(stdout, limit=bounds.output_bytes)
                # A line that is longer than the limit ends the connection.
                with suppress(ValueError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                    while text := await lines.readline():
                        with suppress(ValueError):
                            await heard.send(SessionMessage(jsonrpc_message_adapter.validate_json(text, by_name=False)))

        async def overhear() -> None:
            chatter = await _reader(stderr, limit=bounds.output_bytes)
            while words := await chatter.read(LONGEST_WORDS):
                self._words += words
                del self._words[:-LONGEST_WORDS]

        async def speak() -> None:
            os.set_blocking(stdin, True)
            async for one in said:
                text = one.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
                with suppress(OSError):
                    await apart.do(_write, stdin, text)

        try:
            async with anyio.create_task_group() as tasks:
                for work in (listen, overhear, speak):
                    tasks.start_soon(work)
                yield reading, writing
                tasks.cancel_scope.cancel()
        finally:
            apart.close(partial(_end, process))

    def _failed(self, error: BaseException) -> SubjectFailed:
        """Return the failure for what a client raised: of a server elsewhere it is not the subject's."""
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        words = f"The tool server {self.name} cannot be used: {str(error) or type(error).__name__}."
        last = storable(self._words.decode(errors="replace").strip())
        return SubjectLost(words) if isinstance(self.place, str) else SubjectCrashed(words, last_words=last)


async def _reader(descriptor: int, *, limit: int) -> asyncio.StreamReader:
    reader = asyncio.StreamReader(limit=limit)
    # A copy, which the loop closes when it likes.
    pipe = os.fdopen(os.dup(descriptor), "rb", buffering=0)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    return reader


def _end(process: Process) -> None:
    process.kill(0.0)
    process.close()


def _write(descriptor: int, text: bytes) -> None:
    while text:
        text = text[os.write(descriptor, text) :]


def _words(result: Any) -> str:
    """Write the parts of a result as text; other parts are named by their kind."""
    parts = [getattr(part, "text", None) or f"[{part.type}]" for part in result.content]
    return "\n".join(parts) or str(getattr(result, "structured_content", None) or "")
