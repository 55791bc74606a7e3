"""AtOnce: an executor that takes many sessions at once in this process, for subjects that are waited for."""

import asyncio
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import suppress
from queue import Queue
from typing import Any, TypeVar

from mensura.running.job import Job, do, do_beside
from mensura.subjects.loop import event_loop

Result = TypeVar("Result")
OVER = object()


class AtOnce:
    """Several sessions at once: those of language models in one event loop, others each in a thread.

    A session is begun when another is over, so that a run of any length has a bounded number in memory.

    Parameters
    ----------
    at_once
        How many sessions are under way at most.
    """

    local = True

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once

    def map(self, work: Callable[[Any], Result], jobs: Iterable[Any]) -> Iterator[Result]:
        """Do all jobs, giving each result as it comes."""
        # Bounded, or results would pile up while the first of them are stored.
        results: Queue[Any] = Queue(maxsize=4 * self.at_once)
        all_of_them = asyncio.run_coroutine_threadsafe(self._all(work, iter(jobs), results), event_loop())
        try:
            while (found := results.get()) is not OVER:
                yield found
            all_of_them.result()
        finally:
            all_of_them.cancel()
            # Who is stopped stores what was answered before.
            with suppress(CancelledError, Exception):
                all_of_them.result()

    async def _all(self, work: Callable[[Any], Result], jobs: Iterable[Any], results: "Queue[Any]") -> None:
        with ThreadPoolExecutor(self.at_once, "mensura-session") as threads:
            lanes = [asyncio.create_task(self._lane(work, jobs, results, threads)) for _ in range(self.at_once)]
            try:
                await asyncio.gather(*lanes)
            finally:
                for lane in lanes:
                    lane.cancel()
                await asyncio.gather(*lanes, return_exceptions=True)
                await _put(results, OVER)

    async def _lane(
        self, work: Callable[[Any], Result], jobs: Iterable[Any], results: "Queue[Any]", threads: ThreadPoolExecutor
    ) -> None:
        """Do one job after the other until none is left; all lanes take from the same."""
        for job in jobs:
            if work is do and isinstance(job, Job) and all(spec.answers_beside for spec in job.cast.values()):
                done: Any = await do_beside(job)
            else:
                done = await asyncio.get_running_loop().run_in_executor(threads, work, job)
            await _put(results, done)


async def _put(results: "Queue[Any]", found: Any) -> None:
    """Hand a result over; who reads them may be slower than those who make them."""
    while results.full():
        await asyncio.sleep(0.001)
    results.put(found)
