"""Loop: the event loop of this process, in a thread of its own, where all that is awaited runs."""

import asyncio
import os
from collections.abc import Coroutine
from functools import cache
from threading import Thread
from typing import Any, TypeVar

Result = TypeVar("Result")


def event_loop() -> asyncio.AbstractEventLoop:
    """Return the loop; connections belong to the loop that opened them, so there is one for everyone."""
    return _of_process(os.getpid())


def wait_for(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Run a coroutine in the loop and return what it returns, for callers that cannot await it.

    >>> async def double(number):
    ...     return 2 * number
    >>> wait_for(double(21))
    42
    """
    future = asyncio.run_coroutine_threadsafe(coroutine, event_loop())
    try:
        return future.result()
    except BaseException:
        # Ctrl-C, or a guard that stops a subject: nobody waits for the rest of it any more.
        future.cancel()
        raise


@cache
def _of_process(number: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="mensura-loop", daemon=True).start()
    return loop
