"""The load tool: judges and witnesses who talk over real connections, in a process of its own.

`python -m benchmarks.imitation.talking JOB.json` reads the job (home, paths, when it begins, seconds, pause) and prints
as JSON when each message was seen on the page of somebody else.
"""

import asyncio
import json
import random
import resource
import sys
import time
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.web.load import Participant, read_form

DATA = '<script type="application/json" class="own-data">'


class Talker:
    """One link on two connections, as browsers have them: one hears, the other writes."""

    def __init__(self, host: str, port: int, path: str) -> None:
        self.path = path
        self.hears, self.writes = (Participant(host, port, path, "talk") for _ in range(2))
        self.page: dict[str, str] = {}
        self.form: dict[str, str] = {}
        self.judge = False
        self.seen: dict[str, float] = {}
        self.sent = 0

    async def take_part(self, *, until: float, pause: float, rng: random.Random) -> None:
        """Write every so often, and note when others' messages show."""
        await asyncio.sleep(rng.random() * pause)
        self._take(await self.hears._insist("GET", self.path, ""))
        self.writes.cookie = self.hears.cookie
        await asyncio.gather(self._listen(until), self._write(until, pause, rng))
        for one in (self.hears, self.writes):
            await one._close()

    async def _listen(self, until: float) -> None:
        while time.monotonic() < until:
            fields = {**self.page, "held": "yes", "shown": ""}
            began = time.monotonic()
            status, text = await self.hears._insist("POST", f"{self.path}/tick", urlencode(fields))
            if status == 200:
                self._take((status, text))
            # As the page's script does.
            await asyncio.sleep(0.02 if status == 200 or time.monotonic() - began > 1 else 0.5)

    async def _write(self, until: float, pause: float, rng: random.Random) -> None:
        while time.monotonic() < until:
            if self.form and self.page["kind"] == "ask":
                self.sent += 1
                text = f"This is sentence {self.sent} of {self.path[-6:]}, one of many."
                said = {"answer.0": "both", "answer.1": text} if self.judge else {"answer": text}
                body = urlencode({**self.form, **said, "shown": "1"})
                self._take(await self.writes._insist("POST", f"{self.path}/answer", body))
            await asyncio.sleep(pause * (0.5 + rng.random()))

    def _take(self, answered: tuple[int, str]) -> None:
        """Read a page: what it would ask with, its form, and what is said on it."""
        now, text = time.time(), answered[1]
        head = text[text.find("<main") : text.find(">", text.find("<main"))]
        marks = {
            name: head.partition(f'data-{name}="')[2].partition('"')[0] for name in ("csrf", "step", "kind", "seen")
        }
        form = read_form(text)
        self.page = {**marks, "number": form.get("number", "")}
        self.form = form if "number" in form else {}
        if DATA in text:
            data = json.loads(unescape(text.partition(DATA)[2].partition("</script>")[0]))
            self.judge = bool(data["to"]) or len(data["talks"]) > 1
            for talk in data["talks"]:
                for line in talk["lines"]:
                    if not line["mine"]:
                        self.seen.setdefault(line["text"], now)


async def run(job: dict[str, Any]) -> dict[str, Any]:
    """Let everyone talk at once."""
    host, _, port = job["home"].removeprefix("http://").partition(":")
    people = [Talker(host, int(port), path) for path in job["paths"]]
    rng, used, start = random.Random(1), resource.getrusage(resource.RUSAGE_SELF), time.monotonic()
    until = start + job["seconds"]
    await asyncio.gather(
        *(one.take_part(until=until, pause=job["pause"], rng=random.Random(rng.random())) for one in people)
    )
    now = resource.getrusage(resource.RUSAGE_SELF)
    return {
        "client_cpu": (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) / (time.monotonic() - start),
        "seen": {one.path: one.seen for one in people},
        "retries": sum(one.hears.retries + one.writes.retries for one in people),
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(json.loads(Path(sys.argv[1]).read_text())))))
