"""The load tool: participants who answer every so often over real connections, in a process of its own.

`python -m benchmarks.web.load JOB.json` reads the job (home, paths, when it begins, seconds, pause, manner) and prints
what came of it as JSON: latencies, every acknowledged answer, and the tool's own use of the processor. A request that
fails or is not answered in time is sent again unchanged until the server takes it, as the pages do.
"""

import asyncio
import contextlib
import gzip
import json
import random
import resource
import signal
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

PATIENCE = 10.0
DIGITS = 12
"""What percents are read to, so that rounding does not make two answers of one."""
HIDDEN = '<input type="hidden" name="'
SETTLED = 1.5
"""After how many pauses answers are timed."""
LOOK = json.dumps({"call": "look", "arguments": {"page": "schedule"}})


class Participant:
    """One link, one connection, one answer after the other."""

    def __init__(self, host: str, port: int, path: str, manner: str) -> None:
        self.host, self.port, self.path, self.manner = host, port, path, manner
        self.cookie = ""
        self.form: dict[str, str] = {}
        self.acknowledged: list[float] = []
        self.latencies: list[float] = []
        self.refused = 0
        self.retries = 0
        self._stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def take_part(self, *, until: float, pause: float, rng: random.Random) -> None:
        """Answer until the time is over."""
        # Only then has everyone opened their link, which costs more than an answer.
        settled = time.monotonic() + SETTLED * pause
        await asyncio.sleep(rng.random() * pause)
        self.form = read_form((await self._insist("GET", self.path, ""))[1])
        while time.monotonic() < until:
            if "number" not in self.form:
                # Others are asked: look again, as the page does.
                await asyncio.sleep(1)
                self.form = read_form((await self._insist("GET", self.path, ""))[1])
                continue
            # Every answer is a number of its own, so that what is stored can be told apart.
            value = rng.random() * 40
            answer = {"percent": f"{value} %", "number": repr(value), "office": LOOK}[self.manner]
            body = urlencode({**self.form, "answer": answer, "shown": "1"})
            start = time.perf_counter()
            status, page = await self._insist("POST", f"{self.path}/answer", body)
            if time.monotonic() > settled:
                self.latencies.append(time.perf_counter() - start)
            if status == 200:
                self.acknowledged.append(round(value / 100 if self.manner == "percent" else value, DIGITS))
            else:
                self.refused += 1
            self.form = read_form(page)
            await asyncio.sleep(pause)
        await self._close()

    async def _insist(self, method: str, path: str, body: str) -> tuple[int, str]:
        """Send until there is an answer; a server that is down or busy is tried again."""
        while True:
            try:
                status, page = await asyncio.wait_for(self._send(method, path, body), PATIENCE)
                if status < 500 and status != 429:
                    return status, page
            except (OSError, asyncio.IncompleteReadError, TimeoutError, ValueError) as error:
                used = self._stream is not None
                await self._close()
                if used and isinstance(error, ConnectionError | asyncio.IncompleteReadError):
                    # The server closed a connection that was idle for long: browsers open another at once.
                    continue
            self.retries += 1
            await asyncio.sleep(0.25)

    async def _send(self, method: str, path: str, body: str) -> tuple[int, str]:
        if self._stream is None:
            self._stream = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._stream
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nX-Mensura-Part: main\r\nAccept-Encoding: gzip\r\n"
        if self.cookie:
            head += f"Cookie: {self.cookie}\r\n"
        if method == "POST":
            head += f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        writer.write((head + "\r\n" + body).encode())
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
        if "set-cookie" in headers:
            self.cookie = headers["set-cookie"].split(";", 1)[0]
        page = await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("content-encoding") == "gzip":
            page = gzip.decompress(page)
        return int(lines[0].split(" ")[1]), page.decode()

    async def _close(self) -> None:
        if self._stream is not None:
            self._stream[1].close()
            self._stream = None


def read_form(page: str) -> dict[str, str]:
    """Read the hidden fields of a page; quick, because the tool must not be what is measured."""
    fields = {}
    for part in page.split(HIDDEN)[1:]:
        name, _, rest = part.partition('" value="')
        fields[name] = rest.split('"', 1)[0]
    return fields


async def run(job: dict[str, Any]) -> dict[str, Any]:
    """Let everyone take part at once."""
    await asyncio.sleep(max(job["began"] - time.time(), 0))
    host, _, port = job["home"].removeprefix("http://").partition(":")
    people = [Participant(host, int(port), path, job["manner"]) for path in job["paths"]]
    until = time.monotonic() + job["seconds"]
    start, used = time.monotonic(), resource.getrusage(resource.RUSAGE_SELF)
    rng = random.Random(1)
    parts = [one.take_part(until=until, pause=job["pause"], rng=random.Random(rng.random())) for one in people]
    everyone = asyncio.gather(*parts)
    # Told to stop, it still says what was acknowledged until then.
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, everyone.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await everyone
    now = resource.getrusage(resource.RUSAGE_SELF)
    seconds = time.monotonic() - start
    return {
        "seconds": seconds,
        "client_cpu": (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) / seconds,
        "latencies": [latency for one in people for latency in one.latencies],
        "acknowledged": {one.path: one.acknowledged for one in people},
        "refused": sum(one.refused for one in people),
        "retries": sum(one.retries for one in people),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(json.loads(Path(sys.argv[1]).read_text())))))
