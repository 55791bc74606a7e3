"""Joining: an agent that sits at a hub on another machine, and answers what it is given to read."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from mensura.catalog.constraints.hub.wire import LONGEST, line_of, read_line
from mensura.catalog.constraints.mail.post import Post
from mensura.dialogue import Ask
from mensura.errors import BadParameter, SubjectLost


async def join(make: Callable[[], Any], host: str, port: int, *, role: str = "") -> str:
    """Take a seat at a hub and answer until the run is over; returns how it ended.

    Parameters
    ----------
    make
        Makes the agent: a class of `mensura.catalog.constraints.Agent`.
    role
        The agent to be; "" for any that is free.
    """
    try:
        reader, writer = await asyncio.open_connection(host, port, limit=LONGEST)
    except OSError as error:
        raise SubjectLost(f"There is no hub at {host}:{port}: {error.strerror or error}.") from None
    try:
        writer.write(line_of({"join": role}))
        welcome = await read_line(reader)
        if welcome is None or "welcome" not in welcome:
            raise BadParameter(f"The hub said: {'nothing' if welcome is None else welcome.get('error', welcome)}")
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
