"""Loop: the event loop of this process, in a thread of its own, where all that is awaited runs."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from contextlib import suppress
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


async def in_thread(work: Callable[..., Result], *arguments: Any) -> Result:
    """Do something that blocks in a thread of its own, which does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(error: BaseException | None, result: Any) -> None:
        if done.cancelled():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def do() -> None:
        error, result = None, None
        try:
            result = work(*arguments)
        except BaseException as raised:
            error = raised
        # The loop is gone where the process is ending.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, error, result)

    Thread(target=do, name="mensura-work", daemon=True).start()
    return await done


def aside(work: Callable[[], object]) -> None:
    """Do something that blocks: at once, or beside the loop where it is called from a coroutine."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        work()
    else:
        Thread(target=work, name="mensura-work").start()


@cache
def _of_process(number: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="mensura-loop", daemon=True).start()
    return loop
