"""News: pages that wait until something was stored in their session; one look at the store serves all of them."""

import asyncio
import time
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

if TYPE_CHECKING:
    from mensura.store.log.events import Events

LOOK_SECONDS = 0.05


class SessionNews:
    """Says when something new is stored in a session, by whichever process."""

    def __init__(self, events: "Events") -> None:
        self._events = events
        self._waiting: dict[asyncio.Future[None], tuple[str, int]] = {}
        self._looking: asyncio.Task[None] | None = None

    async def wait(self, session_id: str, *, since: int, seconds: float) -> None:
        """Come back when the session has an event later than `since`, or after so many seconds."""
        news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[news] = session_id, since
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            await asyncio.wait([news], timeout=seconds)
        finally:
            del self._waiting[news]

    async def _look(self) -> None:
        while self._waiting:
            began, waiting = time.monotonic(), dict(self._waiting)
            names = list({name for name, _ in waiting.values()})
            last = await run_in_threadpool(self._events.last_numbers, names)
            for news, (name, since) in waiting.items():
                if last.get(name, 0) > since and not news.done():
                    news.set_result(None)
            await asyncio.sleep(max(LOOK_SECONDS - (time.monotonic() - began), LOOK_SECONDS / 5))
