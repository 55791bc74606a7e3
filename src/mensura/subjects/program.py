"""Program: a subject in any language, in its own process, talked to over stdin and stdout in lines of JSON."""

import os
import shlex
import shutil
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from mensura.errors import BadParameter, SubjectLost, UnknownName
from mensura.subjects.bounds import Bounds
from mensura.subjects.conversation import Conversation
from mensura.subjects.lines import Lines
from mensura.subjects.naming import Factory, Naming

MARK = "MENSURA_PROGRAM"
"""Environment variable by which children are found that left the program's process group."""
PARTING_SECONDS = 0.5
LIMITED = 'ulimit -d "$1" 2>/dev/null || ulimit -v "$1" 2>/dev/null; shift; exec "$@"'
"""Sets the limit in the new process itself, so that no child can be born before it. The limit on data counts what is
really private and writable; that on addresses would also count what engines such as V8 only reserve."""


class Program(Conversation):
    """A program that reads asks from stdin and writes answers to stdout, one line of JSON each.

    It has its own process group, limits on time, memory and output, and its stderr is kept as last words. At the end
    it is killed with all its children. After a failure the next session starts it anew.

    Parameters
    ----------
    command
        What to run: words, or one text that is split as a shell would.
    folder
        Where to run it.
    bounds
        Limits on time, memory and output.
    recomputes
        Whether the same seed gives the same answers again.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        name: str = "",
        folder: str | Path = ".",
        bounds: Bounds = Bounds(),
        recomputes: bool = False,
        test: str = "",
    ) -> None:
        if os.name != "posix":
            raise BadParameter("Programs as subjects need Linux or macOS; serve the subject over tcp:// or http://.")
        self.command = _words(command)
        self.folder = Path(folder)
        super().__init__(name=name or f"program:{shlex.join(self.command)}", bounds=bounds, test=test)
        self._recomputes = recomputes
        self._process: subprocess.Popen[bytes] | None = None
        self._mark = ""
        self._end: weakref.finalize[..., Program] | None = None

    @property
    def recomputes(self) -> bool:
        """Whether the same seed gives the same answers again, as declared."""
        return self._recomputes

    def check(self) -> None:
        """Raise a sentence where there is no such program."""
        first = self.command[0]
        found = shutil.which(first) or shutil.which(str(self.folder / first))
        if found is None:
            raise UnknownName(f"There is no program {first!r} to run: it is not on the path and not in the folder.")

    def connect(self) -> Lines:
        """Start the program."""
        self._mark = token_hex(16)
        # What is ours, the store's address or a key, is not the subject's.
        environment = {key: value for key, value in os.environ.items() if not key.startswith("MENSURA_")}
        try:
            process = subprocess.Popen(
                self._limited(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=self.folder,
                env=environment | {MARK: self._mark},
                start_new_session=True,
            )
        except OSError as error:
            raise SubjectLost(f"{shlex.join(self.command)} cannot be started: {error.strerror}.") from None
        self._process = process
        self._end = weakref.finalize(self, _kill, process, self._mark, os.getpid())
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        return Lines(
            self.name,
            reading=process.stdout.fileno(),
            writing=process.stdin.fileno(),
            errors=process.stderr.fileno(),
            most_bytes=self.bounds.output_bytes,
        )

    def disconnect(self, lines: Lines, *, patience: float) -> str:
        """Close its stdin, give it some seconds to end by itself, and kill it with all its children."""
        process, end = self._process, self._end
        if process is None or end is None:
            return ""
        deadline = time.monotonic() + patience
        lines.finish()
        pipes = [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]
        if patience:
            with suppress(OSError):
                pipes[0].close()
            lines.drain(patience)
        end.detach()
        words = _status_words(_kill(process, self._mark, os.getpid(), deadline))
        lines.drain(PARTING_SECONDS)
        for pipe in pipes:
            with suppress(OSError):
                pipe.close()
        self._process = self._end = None
        return words

    def _limited(self) -> list[str]:
        if self.bounds.memory_bytes is None:
            return self.command
        return ["/bin/sh", "-c", LIMITED, "sh", str(self.bounds.memory_bytes // 1024), *self.command]


def _words(command: str | Sequence[str]) -> list[str]:
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise BadParameter(f"The command {command!r} cannot be split into words: {error}.") from None
    if not words:
        raise BadParameter("A program needs a command: program:node agent.js")
    return words


def _kill(process: "subprocess.Popen[bytes]", mark: str, owner: int, deadline: float = 0.0) -> int | None:
    """Kill a program and its children; give the status with which it ended by itself before a time, else None."""
    if os.getpid() != owner:
        return None
    status = _own_end(process, deadline)
    # The program is not reaped before its group is killed: until then its number cannot be another's.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _kill_marked(mark)
    return status


def _own_end(process: "subprocess.Popen[bytes]", deadline: float) -> int | None:
    while True:
        ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
        if ended is not None:
            return -ended.si_status if ended.si_code != os.CLD_EXITED else ended.si_status
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.002)


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


def _status_words(status: int | None) -> str:
    if status is None:
        return ""
    if status >= 0:
        return f"It ended with exit status {status}."
    return f"It was killed by {signal.Signals(-status).name}."


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `program:node agent.js`."""
    options = naming.allow("recomputes")

    def make() -> Program:
        bounds, test = naming.bounds, naming.test.id
        return Program(rest, name=naming.name, folder=naming.folder, bounds=bounds, test=test, **options)

    make().check()
    return make
