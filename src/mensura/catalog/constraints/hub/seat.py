"""AgentSeat: the place of one agent at the hub, whether someone sits there or not."""

import asyncio
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mensura.catalog.constraints.hub.wire import line_of


@dataclass
class AgentSeat:
    """One agent's connection, what it was last given to read, and how long everything took."""

    role: str
    seed: int
    """What all its chance comes from."""
    writer: asyncio.StreamWriter | None = None
    number: int = 0
    """How many posts it was given."""
    waiting: dict[str, Any] | None = None
    """The post that it has not answered yet."""
    past: list[dict[str, Any]] = field(default_factory=list)
    """The posts that it has answered, for one who takes the seat over; kept only where the run waits for that."""
    since: float = 0.0
    ways: list[float] = field(default_factory=list)
    """Seconds from post to answer in which the agent was not thinking: there and back."""
    thinking: float = 0.0
    checks: int = 0

    def say(self, message: dict[str, Any]) -> None:
        """Send a line, if someone sits there."""
        if self.writer is not None and not self.writer.is_closing():
            self.writer.write(line_of(message))

    def give(self, post: dict[str, Any]) -> None:
        """Give a post to read."""
        self.number += 1
        self.waiting = post
        self.hand_over()

    def hand_over(self) -> None:
        """Hand over, perhaps again, what is not answered yet."""
        if self.waiting is not None:
            self.since = time.perf_counter()
            self.say({"post": self.waiting, "number": self.number})

    def answered(self, message: dict[str, Any], *, keep: bool) -> None:
        """Note an answer and the time that it took."""
        seconds = message.get("seconds")
        took = time.perf_counter() - self.since
        if isinstance(seconds, int | float) and 0 <= seconds <= took:
            self.thinking += seconds
            self.ways.append((took - seconds) / 2)
        self.checks += _checks(message["calls"])
        if keep and self.waiting is not None:
            self.past.append(self.waiting)
        self.waiting = None

    def report(self) -> dict[str, float | None]:
        """Return how long a message takes, in milliseconds and in checks of this agent's own speed."""
        way = float(np.median(self.ways)) if self.ways else None
        speed = self.checks / self.thinking if self.thinking else None
        return {
            "posts": self.number,
            "latency_ms": None if way is None else 1000 * way,
            "thinking_seconds": self.thinking,
            "latency_checks": None if way is None or speed is None else way * speed,
        }


def _checks(calls: Any) -> int:
    """Return the checks that a list of calls, which was found valid, reports in its last one."""
    last = calls[-1] if calls else ()
    if isinstance(last, dict):
        return int(last["arguments"]["checks"]) if last["call"] == "count" else 0
    return int(last[1]) if last and last[0] == "count" else 0
