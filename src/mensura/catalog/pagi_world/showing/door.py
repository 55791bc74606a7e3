"""WatchDoor: a page on this machine only, on which a served room is watched, held and spoken to."""

import asyncio
from collections.abc import Mapping
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from mensura.catalog.pagi_world.onlooker import ONLOOKER
from mensura.catalog.pagi_world.showing.local_page import PageServer
from mensura.catalog.pagi_world.showing.page import WatchPage
from mensura.catalog.pagi_world.showing.watching import RoomWatch
from mensura.errors import BadParameter

if TYPE_CHECKING:
    from mensura.catalog.pagi_world.protocol.server import PagiServer

SPEEDS = (0.05, 20.0)
PATIENCE = 5.0


class WatchDoor:
    """Serves the page; who has its address may hold the room and speak to its agents.

    What the page asks is answered by the loop that serves the room, between two of its messages or ticks.
    """

    page: ClassVar[Mapping[str, str]] = WatchPage.page

    def __init__(self, server: "PagiServer", watch: RoomWatch) -> None:
        self.server, self.watch = server, watch
        self.title = f"PAGI World: {server.parameters['room']}"
        self._http: PageServer | None = None

    def open(self, port: int = 0) -> str:
        """Listen, within the loop that serves the room, and return the address of the page."""
        self.loop = asyncio.get_running_loop()
        self._http = PageServer(self, self.ask, port)
        Thread(target=self._http.serve_forever, name="pagi-world-watch", daemon=True).start()
        return self._http.address

    def close(self) -> None:
        """Stop listening, and let the room go: pymunk's must not outlive the interpreter's modules."""
        ONLOOKER.set(None)
        if self._http is not None:
            self._http.shutdown()
            self._http.server_close()

    def data(self) -> dict[str, Any]:
        """Return what the page is drawn with: it asks for all else."""
        return {"live": True}

    def ask(self, asked: Any) -> dict[str, Any]:
        """Answer what the page asks, from another thread."""

        async def within() -> dict[str, Any]:
            return self.answer(asked)

        try:
            return asyncio.run_coroutine_threadsafe(within(), self.loop).result(PATIENCE)
        except (TimeoutError, RuntimeError):
            raise BadParameter("The room does not answer just now.") from None

    def answer(self, asked: Any) -> dict[str, Any]:
        """Give frames, or hold the room, let it go on or by one, change its speed, or speak."""
        if not isinstance(asked, dict):
            raise BadParameter("Ask with an object.")
        want, server = asked.get("want"), self.server
        if want == "frames":
            since, said = asked.get("since", 0), asked.get("said", 0)
            if any(isinstance(one, bool) or not isinstance(one, int) or one < 0 for one in (since, said)):
                raise BadParameter("Frames and words are asked for from a whole number on.")
            found = self.watch.data(since, said)
            waits = "" if server.seats else "Waiting for an agent: the room stands still until one is here."
            return {**found, "say": waits}
        if want in ("hold", "go", "tick"):
            server.hold({"hold": 0, "tick": 1}.get(str(want)))
        elif want == "speed":
            speed = asked.get("speed")
            if isinstance(speed, bool) or not isinstance(speed, int | float) or not SPEEDS[0] <= speed <= SPEEDS[1]:
                raise BadParameter(f"The speed lies between {SPEEDS[0]:g} and {SPEEDS[1]:g}.")
            server.speed = float(speed)
        elif want == "speak":
            text = str(asked.get("text", "")).strip()
            if not 0 < len(text) <= 500:
                raise BadParameter("Say something of at most 500 characters.")
            if not server.type(" ".join(text.split())):
                raise BadParameter("Nobody is here who could hear it.")
        else:
            raise BadParameter("The page asks for frames, hold, go, tick, speed or speak.")
        return {"done": want}
