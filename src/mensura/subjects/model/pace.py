"""Pace: how many requests an endpoint is sent at once, learned from what it says."""

import asyncio
import time
from collections import deque

LONGEST_PAUSE = 60.0


class Pace:
    """A gate that opens wider while all goes well and narrows when the endpoint says that it is asked too much.

    Half as many requests at once after a refusal, one more after each round without one: additive increase,
    multiplicative decrease, as on the net. Where the endpoint says how long to wait, nobody goes before that.
    Refusals of requests that were sent before the last narrowing do not narrow it again.

    Parameters
    ----------
    most
        The most requests at once.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.width = float(most)
        self.under_way = 0
        self.narrowed = 0
        """How often it was narrowed."""
        self._until = 0.0
        self._narrowed_at = -1.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> float:
        """Wait for a place; returns when the request goes out."""
        while True:
            pause = self._until - time.monotonic()
            if pause > 0:
                await asyncio.sleep(pause)
            elif self.under_way < max(1, int(self.width)):
                self.under_way += 1
                return time.monotonic()
            else:
                place = asyncio.get_running_loop().create_future()
                self._waiting.append(place)
                await place

    def leave(self) -> None:
        """Give the place back."""
        self.under_way -= 1
        self._call()

    def well(self) -> None:
        """Open a little wider: a request was answered."""
        self.width = min(float(self.most), self.width + 1 / self.width)

    def crowded(self, *, sent: float, after: float | None) -> None:
        """Narrow the gate: a request that was sent then was refused as one too many."""
        if after is not None:
            self._until = max(self._until, time.monotonic() + min(after, LONGEST_PAUSE))
        if sent > self._narrowed_at:
            self._narrowed_at = time.monotonic()
            self.width = max(1.0, self.width / 2)
            self.narrowed += 1

    def _call(self) -> None:
        free = max(1, int(self.width)) - self.under_way
        while self._waiting and free > 0:
            place = self._waiting.popleft()
            if not place.done():
                place.set_result(None)
                free -= 1
