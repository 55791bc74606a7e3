"""A served room and clients for tests."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.catalog.pagi_world.protocol.server import PagiServer

SENTINEL = {"json": '{"messageType":"setState","stringContent":"mark","floatContent":0}', "commas": "setState,mark,0"}
MARKED = {"json": '{"type":"update","content":"stateUpdated,mark"}', "commas": "stateUpdated,mark"}


class Line:
    """One client."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def send(self, text):
        self.writer.write(text if isinstance(text, bytes) else text.encode() + b"\n")
        await self.writer.drain()

    async def hear(self):
        line = await asyncio.wait_for(self.reader.readline(), 120)
        return line.decode().rstrip("\n")

    async def ask(self, text, dialect="commas"):
        """Send a message and return all lines that come of it."""
        await self.send(text)
        await self.send(SENTINEL[dialect])
        heard = []
        while (line := await self.hear()) != MARKED[dialect]:
            assert line, "the connection is closed"
            heard.append(line)
        return heard


def run(coroutine):
    """Run a coroutine in a thread of its own: the main one may belong to the browser's driver."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, asyncio.wait_for(coroutine, 240)).result()


@asynccontextmanager
async def served(seed=1, record=None, onlooker=None, **given):
    """Serve a room, and yield the server and what dials in."""
    server = PagiServer(pagi_world, pagi_world.fill({"room": "open", **given}), seed, record=record, onlooker=onlooker)
    found = asyncio.get_running_loop().create_future()
    task = asyncio.create_task(server.serve("127.0.0.1", 0, ready=lambda host, port: found.set_result((host, port))))
    done, _ = await asyncio.wait([found, task], return_when=asyncio.FIRST_COMPLETED)
    assert found in done

    async def dial():
        return Line(*await asyncio.open_connection(*found.result()))

    try:
        yield server, dial
    finally:
        server.stop()
        await task
