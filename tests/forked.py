"""Forked: the command line as a program, in a process that is forked from one which imported it once for many.

What such a program does, from its first signal to its exit status, is what it does when it is started anew; only the
import of hundreds of modules is left out, and that takes far longer than most programs of tests.
"""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

READY = """
import sys
from tests.forked import _become, _stand_ready
asked = _stand_ready(sys.argv[1:])
if asked:
    _become(asked)
"""
NUMBER = 8


class Program:
    """A program under way: its words come out of `stderr`, and its input stays open."""

    def __init__(self, stdin: int, stderr: int, told: socket.socket) -> None:
        self.stdin = os.fdopen(stdin, "w")
        self.stderr = os.fdopen(stderr)
        self._told = told
        self.pid = self._number()
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def wait(self, seconds: float | None = None) -> int:
        """Return its exit status, as `subprocess` gives it."""
        if self.returncode is None:
            self._told.settimeout(seconds)
            self.returncode = self._number()
        return self.returncode

    def _number(self) -> int:
        return int(self._told.recv(NUMBER, socket.MSG_WAITALL))


class Forge:
    """Starts programs, each in a session of its own."""

    def __init__(self, door: socket.socket) -> None:
        self._door = door

    def start(self, arguments: Iterable[str], *, folder: Path, ignoring: Iterable[int] = ()) -> Program:
        """Start `mensura ARGUMENTS` in a folder and today's environment, as one inherits that some signals are ignored.

        Its stdout is lost.
        """
        read, fed = os.pipe()
        heard, words = os.pipe()
        ours, told = socket.socketpair()
        asked = {"words": list(arguments), "folder": str(folder), "environment": dict(os.environ)}
        text = json.dumps(asked | {"ignoring": [int(one) for one in ignoring]}).encode()
        socket.send_fds(self._door, [b"%*d" % (NUMBER, len(text))], [read, words, told.fileno()])
        self._door.sendall(text)
        told.close()
        for handed in (read, words):
            os.close(handed)
        return Program(fed, heard, ours)


@contextmanager
def forge(*modules: str) -> Iterator[Forge]:
    """Keep a process ready that has imported the command line and some modules."""
    door, theirs = socket.socketpair()
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    ready = subprocess.Popen([sys.executable, "-c", READY, *modules], stdin=theirs, env=environment)
    theirs.close()
    try:
        yield Forge(door)
    finally:
        door.close()
        ready.wait()


def _stand_ready(modules: list[str]) -> dict[str, Any] | None:
    """Fork until nobody can ask any more; return what was asked in a process that is to be a program."""
    for name in ("mensura.cli.main", *modules):
        import_module(name)
    gc.collect()
    gc.freeze()
    with socket.socket(fileno=0) as door:
        while length := (handed := socket.recv_fds(door, NUMBER, 3))[0]:
            files = handed[1]
            asked = json.loads(door.recv(int(length), socket.MSG_WAITALL))
            if os.fork() == 0:
                door.detach()
                return _kept(asked, files)
            for file in files:
                os.close(file)
            # Looked for here, or nobody would count the time of those that ended.
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass
    with suppress(ChildProcessError):
        while True:
            os.wait()
    return None


def _kept(asked: dict[str, Any], files: list[int]) -> dict[str, Any]:
    """Fork the program, return there, and here tell how it ended."""
    stdin, stderr, told = files
    pid = os.fork()
    if pid == 0:
        os.setsid()
        os.write(told, b"%*d" % (NUMBER, os.getpid()))
        os.close(told)
        out = os.open(os.devnull, os.O_WRONLY)
        for number, file in enumerate((stdin, out, stderr)):
            os.dup2(file, number)
            os.close(file)
        return asked
    os.close(stdin)
    os.close(stderr)
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):
        os.write(told, b"%*d" % (NUMBER, os.waitstatus_to_exitcode(status)))
    os._exit(0)


def _become(asked: dict[str, Any]) -> None:
    """Do what the program does; it ends as every program of Python ends."""
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
        signal.signal(number, signal.SIG_IGN if number in asked["ignoring"] else usual)
    sys.argv = ["mensura", *asked["words"]]
    sys.modules["mensura.cli.main"].main()
