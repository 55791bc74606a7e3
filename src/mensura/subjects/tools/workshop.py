"""Workshop: code and commands that a model has run in a sandbox; all of a session share one scratch folder."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress

MOST_READ = 200_000
"""Bytes of what was printed that are read."""


def python(code: str) -> str:
    """Run a Python program in a new process and return what it prints.

    Nothing is kept in memory between calls; files in the working folder stay.
    """
    return _run([sys.executable, "-c", code])


def shell(command: str) -> str:
    """Run a shell command and return what it prints, errors too.

    Files in the working folder stay between calls.
    """
    return _run(["/bin/sh", "-c", command])


def _run(words: Sequence[str]) -> str:
    # A file, not a pipe: what is left running in the background holds a pipe open, and would be waited for.
    with tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            status = process.wait()
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        printed.seek(0)
        text = printed.read(MOST_READ).decode(errors="replace")
    return text if status == 0 else f"{text}\n[It ended with exit status {status}.]"
