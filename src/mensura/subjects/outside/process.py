"""Process: a program that was started, with its pipes, its scratch folder and its end."""

import os
import shutil
import signal
import subprocess
import time
import weakref
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from mensura.json_file import loads
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox.sandbox import Launch
from mensura.subjects.sandbox.watch import Watch

MARK = "MENSURA_PROGRAM"
"""Environment variable by which children are found that left the program's process group, outside a sandbox."""
ENDING_SECONDS = 5.0
Popen = subprocess.Popen[bytes]


class Process:
    """A running program, in a separate process group or sandbox; it is killed with all its children.

    Raises
    ------
    OSError
        If it cannot be started.
    """

    def __init__(self, launch: Launch, bounds: Bounds) -> None:
        mark = token_hex(16)
        self._closed = bool(launch.closed)
        self._popen, self._watch = _start_closed(launch, bounds) if self._closed else (_start(launch, mark), None)
        self._end = weakref.finalize(self, _kill, self._popen, self._watch, mark, launch.scratch, os.getpid())

    @property
    def pipes(self) -> tuple[int, int, int]:
        """The descriptors of its stdin, stdout and stderr, seen from here."""
        streams = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        return tuple(stream.fileno() for stream in streams if stream is not None)  # type: ignore[return-value]

    def close_input(self) -> None:
        """Tell it that nothing more will come."""
        with suppress(OSError):
            self._popen.stdin.close()  # type: ignore[union-attr]

    def kill(self, deadline: float) -> str:
        """Kill it with its children, and say how it had ended by itself before a time."""
        status = _own_end(self._popen, deadline)
        self._end()
        if self._watch is not None and self._watch.reason:
            return self._watch.reason
        return _status_words(status, closed=self._closed)

    def close(self) -> None:
        """Close its pipes."""
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]


def _start(launch: Launch, mark: str) -> Popen:
    environment = launch.environment | {MARK: mark}
    try:
        return _popen(launch.words, launch, environment)
    except OSError:
        shutil.rmtree(launch.scratch, ignore_errors=True)
        raise


def _start_closed(launch: Launch, bounds: Bounds) -> tuple[Popen, Watch | None]:
    """Start bubblewrap, and watch over what it says is the first process of the sandbox."""
    closed, calls = _held(launch.closed), _held(launch.calls)
    reading, writing = os.pipe()
    try:
        filtered = ["--seccomp", str(calls)] if launch.calls else []
        words = ["bwrap", "--args", str(closed), *filtered, "--info-fd", str(writing), "--", *launch.words]
        popen = _popen(words, launch, launch.environment, pass_fds=(closed, calls, writing))
        os.close(writing)
        writing = -1
        with open(reading, closefd=False) as file:
            said = file.read()
    finally:
        for descriptor in (closed, calls, reading, writing):
            if descriptor >= 0:
                os.close(descriptor)
    try:
        watch = Watch(loads(said)["child-pid"], bounds)
    except (ValueError, KeyError, OSError):
        # It could not be set up, or has ended already: its last words say why.
        return popen, None
    watch.start()
    return popen, watch


def _held(data: bytes) -> int:
    """Open a file in memory for bubblewrap to read."""
    descriptor = os.memfd_create("mensura-sandbox")
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _popen(words: list[str], launch: Launch, environment: dict[str, str], pass_fds: tuple[int, ...] = ()) -> Popen:
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        cwd=launch.folder,
        env=environment,
        start_new_session=True,
        pass_fds=pass_fds,
    )


def _kill(popen: Popen, watch: Watch | None, mark: str, scratch: str, owner: int) -> None:
    """Kill a program and its children, and remove its scratch folder."""
    if os.getpid() != owner:
        return
    if watch is not None:
        watch.kill()
        # Bubblewrap ends by itself when the last process of the sandbox has.
        _own_end(popen, time.monotonic() + ENDING_SECONDS)
        watch.close()
    # The program is not reaped before its group is killed: until then its number cannot be another's.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(popen.pid, signal.SIGKILL)
    popen.wait()
    if scratch:
        _kill_marked(mark)
        shutil.rmtree(scratch, ignore_errors=True)


def _own_end(popen: Popen, deadline: float) -> int | None:
    """Wait until a time for a program to end by itself; return its status, and leave it to be reaped."""
    while popen.returncode is None:
        ended = os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if ended is not None:
            return -ended.si_status if ended.si_code != os.CLD_EXITED else ended.si_status
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.002)
    return popen.returncode


def _kill_marked(mark: str) -> None:
    """Kill children that left the process group; each carries the mark in its environment, where that can be read."""
    wanted = f"{MARK}={mark}".encode()
    for _ in range(5):
        found = [number for number in _process_numbers() if wanted in _environment_of(number)]
        for number in found:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        if not found:
            return


def _process_numbers() -> list[int]:
    try:
        return [int(entry) for entry in os.listdir("/proc") if entry.isdigit()]
    except OSError:
        return []


def _environment_of(number: int) -> list[bytes]:
    try:
        return Path(f"/proc/{number}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _status_words(status: int | None, *, closed: bool) -> str:
    if status is None:
        return ""
    if closed and status > 128:
        # Bubblewrap says by which signal its program was killed as a shell would.
        status = 128 - status
    if status >= 0:
        return f"It ended with exit status {status}."
    try:
        return f"It was killed by {signal.Signals(-status).name}."
    except ValueError:
        return f"It ended with exit status {128 - status}."
