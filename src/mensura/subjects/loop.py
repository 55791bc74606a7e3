"""Loop: the event loop of this process, in a separate thread, where all that is awaited runs."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from functools import cache
from queue import SimpleQueue
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


class Apart:
    """A thread of its own for what blocks, one thing after the other, waited for in the loop.

    A sandbox ends with the thread that started it, so what is started here lives until `close`. The thread does not
    keep the process from ending.
    """

    def __init__(self) -> None:
        self._work: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread: Thread | None = None
        self.busy = False

    async def do(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do something, and return what it returns."""
        done: Future[Result] = Future()

        def do() -> None:
            if not done.set_running_or_notify_cancel():
                return
            try:
                done.set_result(work(*arguments))
            except BaseException as error:
                done.set_exception(error)

        if self._thread is None:
            self._thread = Thread(target=self._serve, name="mensura-apart", daemon=True)
            self._thread.start()
        self._work.put(do)
        return await asyncio.wrap_future(done)

    def close(self, last: Callable[[], object]) -> None:
        """Do one thing more and end the thread; waits for it, except within the loop."""
        thread, self._thread = self._thread, None
        if thread is None:
            last()
            return
        self._work.put(last)
        self._work.put(None)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            thread.join()

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            self.busy = True
            work()
            self.busy = False


@cache
def _of_process(number: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="mensura-loop", daemon=True).start()
    return loop
