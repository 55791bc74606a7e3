"""People in the browser's office at once: what a page sends and gets for every act, over real connections.

`python -m benchmarks.crisis.office_load JOB.json` is the load tool, a process of its own; `measure` serves a new store,
invites people, runs the tool beside the server, and stops both.
"""

import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks.web.load import Participant, read_form, run

PACKAGE = "crisis-1"


class Worker(Participant):
    """One person in the office: reads, looks things up, moves events, writes notes."""

    async def take_part(self, *, until: float, pause: float, rng: random.Random) -> None:
        """Act until the time is over."""
        await asyncio.sleep(rng.random() * pause)
        while not self.form:
            # The page looks again while the assistant sorts the mail.
            self.form = read_form((await self._insist("GET", self.path, ""))[1])
            await asyncio.sleep(0.1)
        acts = self._acts(rng)
        while time.monotonic() < until:
            body = urlencode({**self.form, "answer": json.dumps(next(acts)), "shown": "1"})
            start = time.perf_counter()
            status, page = await self._insist("POST", f"{self.path}/answer", body)
            self.latencies.append(time.perf_counter() - start)
            if status != 200:
                self.refused += 1
            self.form = read_form(page)
            await asyncio.sleep(pause)
        await self._close()

    def _acts(self, rng: random.Random) -> Any:
        from mensura.catalog.crisis.act import call
        from mensura.catalog.crisis.packages.build import build_world

        world = build_world(PACKAGE)
        while True:
            event, room = rng.choice(world.events), rng.choice(world.rooms)
            yield call("read", message=rng.choice(world.letters).id)
            yield call("look", page="room", item=room.id)
            yield call("move", event=event.id, room=room.id, day=rng.randint(1, 4), block=rng.randint(1, 5))
            yield call("note", text=f"Moved {event.short}?")


def measure(folder: Path, *, condition: str, people: int, pause: float, seconds: float) -> dict[str, Any]:
    """Serve, load, and give what came of it; everything is stopped at the end."""
    from benchmarks.web.__main__ import Server
    from mensura.store import open_store
    from mensura.web.participant.invitation import invite

    parameters = {"condition": condition, "package": PACKAGE}
    with open_store(f"{folder}/office.db") as store:
        links = invite("crisis", store=store, sessions=people, seed=1, parameters=parameters)[1]
        server = Server(store.url, workers=2)
        try:
            before = server.cpu_seconds()
            job = {"home": server.home, "paths": [link.path for link in links], "seconds": seconds, "pause": pause}
            job |= {"began": 0.0, "manner": "office"}
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump(job, file)
                file.flush()
                command = [sys.executable, "-m", "benchmarks.crisis.office_load", file.name]
                done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 120)
            used = server.cpu_seconds() - before
        finally:
            server.kill()
        stored = sum(event.kind == "answer" for link in links for event in store.events.of(link.session))
    result: dict[str, Any] = json.loads(done.stdout)
    taken = len(result["latencies"]) - result["refused"]
    if stored < taken:
        sys.exit(f"FAILED: {taken} acts were acknowledged, {stored} are stored.")
    return {**result, "server_cpu": used / len(result["latencies"])}


if __name__ == "__main__":
    import benchmarks.web.load as load
    from mensura.catalog.crisis.packages.build import build_world

    # Built before anyone acts: the tool must not be what is measured.
    build_world(PACKAGE)
    load.Participant = Worker  # type: ignore[misc]
    print(json.dumps(asyncio.run(run(json.loads(Path(sys.argv[1]).read_text())))))
