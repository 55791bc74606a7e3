"""Workers: one process collects the tests, and forks the processes that run them.

What is collected and imported is shared by all, so that a worker costs nothing to start. A worker that dies, or that
does not end a test at its limit, is killed with all that it started; the test fails by name and another goes on.
"""

import atexit
import contextlib
import faulthandler
import os
import pickle
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key, get_timeout_config_value
from _pytest.unraisableexception import gc_collect_iterations_key

CHUNK = 40
"""About so many tests are handed out at once; a file whose tests share what they make is never cut."""

GRACE_SECONDS = 30.0
"""A worker ends itself at the limit of a test (`faulthandler_timeout`); one that cannot is killed so much later."""

LANES = ("browser", "learner", "cluster", "postgres")
"""Tests of these marks are run by one worker each, which starts the browser or loads the library once."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=0, help="how many forked processes run what this one collects")
    parser.addoption("--costs", help="a file for the processor time of each test and of what it started, longest first")


def pytest_configure(config: pytest.Config) -> None:
    if workers := config.getoption("--workers"):
        config.pluginmanager.register(Workers(workers))
        # What no test touched in this process leaves no garbage: looking for it at the end took two seconds.
        config.stash[gc_collect_iterations_key] = 0


MARK = "MENSURA_TEST_RUN"


@dataclass
class Worker:
    """A forked process, what it has been handed and what it is doing."""

    pid: int
    connection: Connection
    lanes: tuple[str, ...]
    handed: deque[int] = field(default_factory=deque)
    began: float = 0.0


class Workers:
    """Plugin that runs the collected tests in forked processes."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.workers: list[Worker] = []
        self.costs: list[tuple[float, str]] = []
        self.left: list[str] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Run all tests in workers, and report what they send as if it had happened here."""
        config = session.config
        if config.option.collectonly or (session.testsfailed and not config.option.continue_on_collection_errors):
            return None
        self.session, self.items = session, session.items
        self.limit = get_timeout_config_value(config)
        self.queues = _queues(session.items)
        # Made once, here: workers would each make another.
        self.folder = config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        # A fork has only the thread that forked: a lock that another holds would stay held.
        assert threading.active_count() == 1, f"threads run before the workers are forked: {threading.enumerate()}"
        lanes = [name for name in LANES if self.queues[name]]
        # What tests start inherits it, and is known by it.
        os.environ[MARK] = uuid4().hex
        # Told to end, as by `timeout`, it ends what it started first.
        signal.signal(signal.SIGTERM, self._told_to_end)
        try:
            for place in range(self.count):
                self._start(tuple(lanes[place :: self.count]))
            self._attend()
        finally:
            # `timeout` tells the process and then its group: a second signal shall not cut this short.
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            for worker in self.workers:
                _kill(worker.pid)
            self.left = _left(os.environ[MARK], patience=0.0 if self.workers else 20.0)
            if file := config.getoption("--costs"):
                lines = [f"{cost:.2f}\t{name}\n" for cost, name in sorted(self.costs, reverse=True)]
                Path(file).write_text("".join(lines))
        if self.left:
            session.testsfailed += 1
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List what tests started and did not end; it has been killed, and the run fails for it."""
        if self.left:
            terminalreporter.section("left running by tests", red=True)
        for line in self.left:
            terminalreporter.line(line)

    def _told_to_end(self, number: int, frame: Any) -> None:
        raise self.session.Interrupted(f"ended by signal {number}")

    def _report(self, report: pytest.TestReport) -> None:
        """Report a test, and name it at once if it failed: whoever waits, or ends the run early, learns which."""
        hook = self.session.config.hook
        hook.pytest_runtest_logreport(report=report)
        if report.failed:
            terminal = self.session.config.pluginmanager.get_plugin("terminalreporter")
            terminal.ensure_newline()
            terminal.write_line(f"FAILED {report.nodeid} ({report.when})", red=True)

    def _start(self, lanes: tuple[str, ...]) -> None:
        here, there = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if pid == 0:
            here.close()
            for other in self.workers:
                other.connection.close()
            _be_worker(self.session, there, self.folder)
        there.close()
        worker = Worker(pid, here, lanes)
        self.workers.append(worker)
        # One to run, and one so that the last test of the first knows what follows, and tears down what that lacks.
        self._hand(worker)
        self._hand(worker)

    def _hand(self, worker: Worker) -> None:
        """Hand a worker its next tests, or tell it that none are left."""
        for name in (*worker.lanes, ""):
            if self.queues[name]:
                chunk = self.queues[name].popleft()
                worker.handed.extend(chunk)
                _send(worker.connection, chunk)
                return
        _send(worker.connection, [])

    def _attend(self) -> None:
        """Take in what the workers send until all have ended."""
        while self.workers:
            ready = wait([worker.connection for worker in self.workers], timeout=1.0)
            for worker in [worker for worker in self.workers if worker.connection in ready]:
                try:
                    kind, content = worker.connection.recv()
                except (EOFError, ConnectionError):
                    self._lost(worker)
                else:
                    self._take(worker, kind, content)
            for worker in self.workers:
                if worker.began and time.monotonic() - worker.began > self.limit + GRACE_SECONDS:
                    # Its stacks are written on this signal.
                    os.kill(worker.pid, signal.SIGABRT)
                    wait([worker.connection], timeout=5.0)
                    self._lost(worker)
            if self.session.shouldfail or self.session.shouldstop:
                return

    def _take(self, worker: Worker, kind: str, content: Any) -> None:
        hook, config = self.session.config.hook, self.session.config
        if kind == "begins":
            worker.began = time.monotonic()
            hook.pytest_runtest_logstart(nodeid=content.nodeid, location=content.location)
        elif kind == "report":
            self._report(config.hook.pytest_report_from_serializable(config=config, data=content))
        elif kind == "ends":
            worker.began = 0.0
            worker.handed.popleft()
            place, seconds = content
            self.costs.append((seconds, str(place.nodeid)))
            hook.pytest_runtest_logfinish(nodeid=place.nodeid, location=place.location)
        elif kind == "more":
            self._hand(worker)
        elif kind == "warning":
            message, category, filename, line, when, nodeid, location = content
            said = warnings.WarningMessage(f"{category}: {message}", Warning, filename, line)
            hook.pytest_warning_recorded.call_historic(
                kwargs={"warning_message": said, "when": when, "nodeid": nodeid, "location": location}
            )
        elif kind == "done":
            worker.connection.close()
            self.workers.remove(worker)
            os.waitpid(worker.pid, 0)
            _kill(worker.pid)

    def _lost(self, worker: Worker) -> None:
        """Fail the test that a worker was running, and let another take over the rest."""
        self.workers.remove(worker)
        worker.connection.close()
        _kill(worker.pid)
        _, status = os.waitpid(worker.pid, 0)
        stacks = _stacks_of(self.folder, worker.pid)
        if not worker.began:
            raise RuntimeError(f"A worker died between two tests (exit status {status}).\n{stacks}")
        item, seconds = self.items[worker.handed.popleft()], time.monotonic() - worker.began
        late = stacks.startswith("Timeout") or seconds > self.limit > 0
        how = f"reached its limit of {self.limit:.0f} s" if late else "killed the process that ran it"
        words = f"{item.nodeid} {how} (exit status {status}). The stacks of its threads:\n{stacks or 'None.'}"
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", words, "call", [], seconds, 0.0, 0.0)
        self._report(report)
        self.session.config.hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        if worker.handed:
            self.queues[""].appendleft(list(worker.handed))
        self._start(worker.lanes)


class Reporting:
    """Plugin of a worker that sends what happens to the process that collected."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.config: Any = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        _send(self.connection, ("report", data))

    def pytest_warning_recorded(self, warning_message: Any, when: Any, nodeid: Any, location: Any) -> None:
        said = (str(warning_message.message), warning_message.category.__name__)
        place = (warning_message.filename, warning_message.lineno)
        _send(self.connection, ("warning", (*said, *place, when, str(nodeid), location)))


def _be_worker(session: pytest.Session, connection: Connection, folder: Path) -> None:
    """Run the tests that are handed out, in a forked process, and end it."""
    code = 1
    try:
        # What the tests start is of the same group, and is killed with it.
        os.setpgid(0, 0)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # What was registered before belongs to the process that collected.
        atexit._clear()
        config = session.config
        capture = config.pluginmanager.getplugin("capturemanager")
        if capture.is_globally_capturing():
            # Its file is shared with all that were forked: a worker has its own.
            capture.stop_global_capturing()
            capture.start_global_capturing()
            capture.suspend_global_capture()
        config.pluginmanager.unregister(name="terminalreporter")
        config._tmp_path_factory._basetemp = folder / f"worker-{os.getpid()}"
        config._tmp_path_factory._basetemp.mkdir()
        config.stash[fault_handler_stderr_fd_key] = stacks = os.open(_stacks_file(folder), os.O_CREAT | os.O_WRONLY)
        faulthandler.enable(stacks)
        reporting = Reporting(connection)
        reporting.config = config
        config.pluginmanager.register(reporting)
        # A failure here ends nothing: the process that collected decides.
        config.option.maxfail = 0
        _run(session, connection)
        atexit._run_exitfuncs()
        _send(connection, ("done", None))
        code = 0
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        with contextlib.suppress(Exception):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def _stacks_file(folder: Path, pid: int | None = None) -> Path:
    return folder / f"stacks-{pid or os.getpid()}"


def _stacks_of(folder: Path, pid: int) -> str:
    """Return what a worker wrote about its end, without the calls of pytest."""
    file = _stacks_file(folder, pid)
    lines = file.read_text(errors="replace").splitlines() if file.exists() else []
    own = ("/_pytest/", "/pluggy/", "/bin/pytest", "/tests/workers.py", "Extension modules")
    return "\n".join(line for line in lines if not any(word in line for word in own))


def _run(session: pytest.Session, connection: Connection) -> None:
    handed = _handed(connection)
    current = next(handed, None)
    while current is not None:
        following = next(handed, None)
        item, after = session.items[current], None if following is None else session.items[following]
        said = _Place(item.nodeid, item.location)
        _send(connection, ("begins", said))
        before = sum(os.times()[:4])
        session.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        _send(connection, ("ends", (said, sum(os.times()[:4]) - before)))
        current = following


def _handed(connection: Connection) -> Iterator[int]:
    """Yield the places of the tests to run, and ask for more as soon as a chunk is begun."""
    while chunk := connection.recv():
        for number, place in enumerate(chunk):
            if number == 0:
                _send(connection, ("more", None))
            yield place


@dataclass(frozen=True)
class _Place:
    nodeid: Any
    location: Any


def _send(connection: Connection, content: Any) -> None:
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        connection.send_bytes(pickle.dumps(content))


def _queues(items: list[pytest.Item]) -> dict[str, deque[list[int]]]:
    """Return what is handed out together, for each lane: files as they are, long ones cut where nothing is shared."""
    queues: dict[str, list[list[int]]] = {name: [] for name in (*LANES, "")}
    last: dict[str, tuple[Path, str]] = {}
    for place, item in enumerate(items):
        lane = next((name for name in LANES if item.get_closest_marker(name)), "")
        chunks, kept = queues[lane], (item.path, _shared(item))
        together = chunks and ((last[lane] == kept and kept[1]) or len(chunks[-1]) < CHUNK)
        if together:
            chunks[-1].append(place)
        else:
            chunks.append([place])
        last[lane] = kept
    # The long ones first, so that no worker is left with one at the end.
    return {
        name: deque(sorted(chunks, key=lambda chunk: -sum(_weight(items[place]) for place in chunk)))
        for name, chunks in queues.items()
    }


def _shared(item: pytest.Item) -> str:
    """Return what tests of a file must not be torn apart for: a fixture that is made once for several tests."""
    info = getattr(item, "_fixtureinfo", None)
    if info is None:
        return ""
    scopes = {found[-1].scope for found in info.name2fixturedefs.values() if found}
    return "shared" if scopes & {"module", "class", "package"} else ""


def _weight(item: pytest.Item) -> float:
    return 100.0 if item.get_closest_marker("slow") else 1.0


def _left(mark: str, *, patience: float) -> list[str]:
    """Return the commands of the processes that carry a mark once they had time to end, and kill them."""
    last = time.monotonic() + patience
    while (found := _marked(mark)) and time.monotonic() < last:
        time.sleep(0.1)
    for pid in found:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return [f"{pid} {words}" for pid, words in found.items()]


def _marked(mark: str) -> dict[int, str]:
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int(folder.name) != os.getpid() and mark.encode() in (folder / "environ").read_bytes():
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                found[int(folder.name)] = words[:200]
    return found


def _kill(pid: int) -> None:
    """Kill a worker and what it started and left running."""
    for end in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)
