"""Executors: where jobs are done. This process, local processes, or a Ray cluster; the results are the same bits."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeVar

from mensura.errors import MissingExtra, unknown

MOST_DEATHS = 2
"""A job during which a worker died this often is given up as crashed."""

Result = TypeVar("Result")


class Executor(Protocol):
    """Does jobs in any order and gives back what came of each as it is done.

    A job is picklable, has a `session` that names it, and `lost(words)` gives its result when the worker died.
    """

    local: bool
    """Whether workers see this machine's files, so that they can write into an SQLite store."""

    def map(self, work: Callable[[Any], Result], jobs: Sequence[Any]) -> Iterator[Result]:
        """Do all jobs."""


class Here:
    """This process, one job after the other."""

    local = True

    def map(self, work: Callable[[Any], Result], jobs: Sequence[Any]) -> Iterator[Result]:
        """Do all jobs in order."""
        return map(work, jobs)


class Processes:
    """Processes of this machine; a worker that dies is replaced and its job taken up where the store has it."""

    local = True

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(self, work: Callable[[Any], Result], jobs: Sequence[Any]) -> Iterator[Result]:
        """Do all jobs, giving each result as it comes."""
        from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        deaths: dict[str, int] = {}
        waiting = list(jobs)
        while waiting:
            # A pool that lost a worker is useless; a new one goes on with the jobs that are not done. After a death
            # jobs are handed out one per worker, so that the innocent are not blamed for long.
            careful = bool(deaths)
            with ProcessPoolExecutor(self.workers, mp_context=get_context("spawn")) as pool:
                running: dict[Future[Any], Any] = {}
                left = list(waiting)
                try:
                    while left or running:
                        room = self.workers * (1 if careful else 8) - len(running)
                        for job in left[: max(room, 0)]:
                            running[pool.submit(work, job)] = job
                        del left[: max(room, 0)]
                        finished, _ = wait(running, return_when=FIRST_COMPLETED)
                        for future in finished:
                            result = future.result()
                            waiting.remove(running.pop(future))
                            yield result
                except BrokenProcessPool:
                    suspects = list(running.values()) if careful or len(running) <= self.workers else []
                    for job in suspects:
                        deaths[job.session] = deaths.get(job.session, 0) + 1
                    deaths.setdefault("", 0)
            for job in [job for job in waiting if deaths.get(job.session, 0) > MOST_DEATHS]:
                waiting.remove(job)
                words = f"The worker process died {deaths[job.session]} times while taking this session."
                yield job.lost(words)


class Cluster:
    """A Ray cluster: `ray` starts one on this machine, `ray://head:10001` joins a running one."""

    local = False

    def __init__(self, address: str | None = None) -> None:
        self.address = address

    def map(self, work: Callable[[Any], Result], jobs: Sequence[Any]) -> Iterator[Result]:
        """Hand out jobs in chunks: one by one they cost three times as much."""
        ray = _ray()
        if not ray.is_initialized():
            ray.init(self.address, log_to_driver=False, include_dashboard=False, logging_level="error")
        workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        size = max(1, min(50, len(jobs) // (workers * 4)))
        remote = ray.remote(max_retries=MOST_DEATHS)(_do_all)
        pending = {
            remote.remote(work, jobs[start : start + size]): jobs[start : start + size]
            for start in range(0, len(jobs), size)
        }
        while pending:
            ready, _ = ray.wait(list(pending), num_returns=1)
            chunk = pending.pop(ready[0])
            try:
                yield from ray.get(ready[0])
            except ray.exceptions.RayError as error:
                for job in chunk:
                    words = f"The worker was lost while taking this session: {type(error).__name__}."
                    yield job.lost(words)


def _do_all(work: Callable[[Any], Result], jobs: Sequence[Any]) -> list[Result]:
    return [work(job) for job in jobs]


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtra("Clusters", package="ray", extra="cluster") from None
    return ray


def executor(name: str = "here") -> Executor:
    """Make an executor from its name: here, processes, processes:4, ray, ray://head:10001.

    >>> executor("processes:2").workers
    2
    """
    if name in ("", "here"):
        return Here()
    if name == "processes" or name.startswith("processes:"):
        from os import cpu_count

        count = name.partition(":")[2] or str(cpu_count() or 1)
        if count.isdigit() and int(count) > 0:
            return Processes(int(count))
    if name == "ray":
        return Cluster()
    if name.startswith("ray://"):
        return Cluster(name)
    see = "Places are here, processes:N, ray and ray://HOST:PORT."
    raise unknown("place to run", name, known=("here", "processes", "processes:2", "ray"), see=see)
