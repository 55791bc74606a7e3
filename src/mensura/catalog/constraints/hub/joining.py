"""Joining: an agent that sits at a hub on another machine, and answers what it is given to read."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mensura.catalog.constraints.hub.wire import line_of, read_line, take_seat
from mensura.catalog.constraints.mail.post import Post
from mensura.dialogue import Ask
from mensura.errors import SubjectLost


async def join(make: Callable[[], Any], host: str, port: int, *, role: str = "") -> str:
    """Take a seat at a hub and answer until the run is over; returns how it ended.

    Parameters
    ----------
    make
        Makes the agent: a class of `mensura.catalog.constraints.Agent`.
    role
        The agent to be; "" for any that is free.
    """
    reader, writer, welcome = await take_seat(host, port, {"join": role})
    try:
        agent = make()
        agent.begin(np.random.default_rng(welcome["seed"]), welcome["welcome"])
        for post in welcome["past"]:
            # What a predecessor answered is answered already; reading it again brings this one to the same point.
            agent(Ask(Post.read(post), role=welcome["welcome"]))
        while True:
            message = await read_line(reader)
            if message is None:
                raise SubjectLost(f"The hub at {host}:{port} is gone.")
            if "over" in message:
                return str(message["over"])
            if "post" in message:
                began = time.perf_counter()
                calls = agent(Ask(Post.read(message["post"]), role=welcome["welcome"]))
                seconds = time.perf_counter() - began
                writer.write(line_of({"number": message["number"], "calls": calls, "seconds": seconds}))
                await writer.drain()
    finally:
        writer.close()
