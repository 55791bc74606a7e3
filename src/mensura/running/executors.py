"""Executors: where jobs are done. This process, local processes, or a Ray cluster; the results are the same bits."""

import os
import socket
from collections.abc import Callable, Iterable, Iterator
from importlib.util import find_spec
from itertools import chain, islice
from typing import Any, NoReturn, Protocol, TypeVar
from urllib.parse import urlsplit

from mensura.errors import BadParameter, MensuraError, MissingExtra, unknown

MOST_DEATHS = 2
"""A job during which a worker died this often is given up as crashed."""

LARGEST_CHUNK = 50
REMOTE = "ray://"
TRIES = 3
BUSY_HEAD = ("Starting Ray client server failed", "psutil.ZombieProcess")
"""The error of a head that could not start a server for a client just then."""
"""The errors of Ray where joining again helps."""
CLIENT_PORT = 10001
Result = TypeVar("Result")


class Executor(Protocol):
    """Does jobs in any order and gives back what came of each as it is done.

    A job is picklable, has a `session` that names it, and `lost(words)` gives its result when the worker died.
    """

    local: bool
    """Whether workers see this machine's files, so that they can write into an SQLite store."""

    def map(self, work: Callable[[Any], Result], jobs: Iterable[Any]) -> Iterator[Result]:
        """Do all jobs."""


class Here:
    """This process, one job after the other."""

    local = True

    def map(self, work: Callable[[Any], Result], jobs: Iterable[Any]) -> Iterator[Result]:
        """Do all jobs in order."""
        return map(work, jobs)


class Processes:
    """Processes of this machine; a worker that dies is replaced and its job taken up where the store has it."""

    local = True

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(self, work: Callable[[Any], Result], jobs: Iterable[Any]) -> Iterator[Result]:
        """Do all jobs, giving each result as it comes.

        A pool that lost a worker is useless, and nobody knows which of the jobs under way killed it. So these are
        taken up again one at a time, where a death tells, before the rest goes on side by side.
        """
        # Made when they are taken: a bank may have a hundred thousand items.
        waiting = iter(jobs)
        suspects: dict[str, Any] = {}
        deaths: dict[str, int] = {}
        while suspects or (some := list(islice(waiting, 1))):
            under_way: dict[str, Any] = {}
            chosen, at_once = (iter([*suspects.values()]), 1) if suspects else (chain(some, waiting), self.workers)
            for job, result in self._pool(work, chosen, at_once, under_way):
                suspects.pop(job.session, None)
                yield result
            suspects |= under_way
            for job in under_way.values() if at_once == 1 else ():
                deaths[job.session] = deaths.get(job.session, 0) + 1
                if deaths[job.session] >= MOST_DEATHS:
                    del suspects[job.session]
                    yield job.lost("The worker process died again and again while taking this session.")

    def _pool(
        self, work: Callable[[Any], Result], jobs: Iterator[Any], at_once: int, under_way: dict[str, Any]
    ) -> Iterator[tuple[Any, Result]]:
        """Do jobs in a fresh pool; when a worker dies, `under_way` holds the jobs that it may have been."""
        from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        from mensura.subjects.outside.host import leave_with_parent

        # A worker that outlived us would go on writing beside the process that resumes the run.
        spawn = get_context("spawn")
        with ProcessPoolExecutor(at_once, mp_context=spawn, initializer=leave_with_parent) as pool:
            futures: dict[Future[Result], Any] = {}
            try:
                while True:
                    for job in islice(jobs, (1 if at_once == 1 else 4 * at_once) - len(futures)):
                        # First, since a pool that is broken by now does not take it.
                        under_way[job.session] = job
                        futures[pool.submit(work, job)] = job
                    if not futures:
                        return
                    finished, _ = wait(futures, return_when=FIRST_COMPLETED)
                    for future in finished:
                        result = future.result()
                        job = futures.pop(future)
                        del under_way[job.session]
                        yield job, result
            except BrokenProcessPool:
                return


class Cluster:
    """A Ray cluster: `ray` starts one on this machine, `ray://head:10001` joins a running one."""

    def __init__(self, address: str | None = None) -> None:
        self.address = address
        # Ray itself joins the cluster that this variable names.
        self.local = address is None and not os.environ.get("RAY_ADDRESS")

    def map(self, work: Callable[[Any], Result], jobs: Iterable[Any]) -> Iterator[Result]:
        """Hand out jobs in chunks: one by one they cost three times as much."""
        ray = _ray()
        if not ray.is_initialized():
            self._join(ray)
        workers = max(1, int(ray.cluster_resources().get("CPU", 1)))
        ahead, waiting = workers * 4, iter(jobs)
        first = list(islice(waiting, ahead * LARGEST_CHUNK))
        size, left = max(1, len(first) // ahead), chain(first, waiting)
        remote = ray.remote(max_retries=MOST_DEATHS)(_do_all)
        pending: dict[Any, list[Any]] = {}
        while True:
            while len(pending) <= ahead and (chunk := list(islice(left, size))):
                pending[remote.remote(work, chunk)] = chunk
            if not pending:
                return
            ready, _ = ray.wait(list(pending), num_returns=1)
            chunk = pending.pop(ready[0])
            try:
                yield from ray.get(ready[0])
            except ray.exceptions.RayError as error:
                if isinstance(cause := getattr(error, "cause", None), MensuraError):
                    raise cause from None
                for job in chunk:
                    words = f"The worker was lost while taking this session: {type(error).__name__}."
                    yield job.lost(words, status="lost")

    def _join(self, ray: Any) -> None:
        address = "local" if self.local else self.address
        if str(address).startswith(REMOTE) and find_spec("grpc") is None:
            raise MissingExtra("Clusters on other machines", package="ray[client]", extra="cluster")
        if str(address).startswith(REMOTE):
            _reach(str(address))
        # A cluster that is joined has its own settings.
        started = {"include_dashboard": False} if self.local else {}
        for tries in reversed(range(TRIES)):
            try:
                ray.init(address, log_to_driver=False, logging_level="error", **started)
                return
            except (ConnectionError, ValueError, RuntimeError) as error:
                # The head forks a server for each client, and now and then that one does not come up.
                if tries and any(words in str(error) for words in BUSY_HEAD):
                    continue
                _refuse_cluster(address, error)


def _refuse_cluster(address: Any, error: Exception) -> NoReturn:
    # Ray puts what happened on the head after a first line that only says where.
    lines = str(error).strip().split("\n")
    reason = (f"{lines[0]} {lines[-1]}" if lines[0].endswith(":") else lines[0]).rstrip(".")
    raise BadParameter(
        f"The cluster at {address} cannot be joined: {reason}. If it asks for a token, set "
        "RAY_AUTH_MODE=token and RAY_AUTH_TOKEN; it must have the same versions of Ray and Python."
    ) from None


def _reach(address: str) -> None:
    """Refuse an address where nothing listens; Ray's own client would take half a minute to notice."""
    try:
        parts = urlsplit(address)
        socket.create_connection((parts.hostname or "", parts.port or CLIENT_PORT), timeout=5).close()
    except (OSError, ValueError) as error:
        raise BadParameter(
            f"Nothing answers at {address}: {error}. Give the address and client port of the cluster's head, as in "
            f"ray://head:{CLIENT_PORT}."
        ) from None


def _do_all(work: Callable[[Any], Result], jobs: Iterable[Any]) -> list[Result]:
    return [work(job) for job in jobs]


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise MissingExtra("Clusters", package="ray", extra="cluster") from None
    return ray


def executor(name: str = "here", *, concurrency: int | None = None) -> Executor:
    """Make an executor from its name: here, processes, processes:4, ray, ray://head:10001.

    `concurrency` is the number of sessions taken at once in this process.

    >>> executor("processes:2").workers
    2
    """
    if concurrency is not None and name not in ("", "here"):
        raise BadParameter(f"--concurrency is for sessions in this process; leave it out, or leave out --on {name}.")
    if name in ("", "here"):
        from mensura.running.together import AtOnce

        return Here() if concurrency is None else AtOnce(concurrency)
    if name == "processes" or name.startswith("processes:"):
        count = name.partition(":")[2] or str(os.cpu_count() or 1)
        if count.isdecimal() and int(count) > 0:
            return Processes(int(count))
    if name == "ray":
        return Cluster()
    if name.startswith(REMOTE):
        return Cluster(name)
    see = "Places are here, processes:N, ray and ray://HOST:PORT."
    raise unknown("place to run", name, known=("here", "processes", "processes:2", "ray"), see=see)
