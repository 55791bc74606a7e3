"""Watch: ends a sandbox in which together too much is held, which no limit of a single process can see."""

import os
import signal
from contextlib import suppress
from threading import Event, Thread, current_thread

from mensura.subjects.bounds import Bounds

LOOK_SECONDS = 0.05
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
THREADS_EACH = 16
MOST_FILES = 100_000


class Watch(Thread):
    """Looks many times a second at the processes of a sandbox, through its own /proc, and kills it when it must.

    Parameters
    ----------
    first
        The number, seen from here, of the sandbox's first process: when that is killed, all are.
    """

    def __init__(self, first: int, bounds: Bounds) -> None:
        super().__init__(name=f"mensura-watch-{first}", daemon=True)
        self.reason = ""
        """Why it was killed; empty while there is no reason to."""
        self._root = f"/proc/{first}/root"
        self._bounds = bounds
        self._over = Event()
        # A number may become another's; this handle does not.
        self._handle = os.pidfd_open(first)

    def run(self) -> None:
        """Look until the sandbox has ended or must be."""
        while not self._over.wait(LOOK_SECONDS):
            try:
                self.reason = self._excess()
            except (OSError, ValueError):
                # Its first process has ended; whoever talks to it will notice.
                continue
            if self.reason:
                self.kill()
                return

    def kill(self) -> None:
        """Kill everything in the sandbox."""
        with suppress(OSError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def close(self) -> None:
        """Look no more."""
        self._over.set()
        # The garbage collector may come here in any thread, also in this one.
        if self.is_alive() and self is not current_thread():
            self.join()
        with suppress(OSError):
            os.close(self._handle)

    def _excess(self) -> str:
        numbers = [name for name in os.listdir(f"{self._root}/proc") if name.isdigit()]
        most = self._bounds.processes
        if len(numbers) > most:
            return f"It was stopped because it had more than {most} processes at once."
        if sum(self._threads(number) for number in numbers) > most * THREADS_EACH:
            return f"It was stopped because it had more than {most * THREADS_EACH} threads at once."
        if self._holds_too_much(numbers):
            return f"It was stopped because its processes together held more than {self._bounds.memory_bytes} bytes."
        room = os.statvfs(f"{self._root}/tmp")
        if room.f_files - room.f_ffree > MOST_FILES:
            return f"It was stopped because it had written more than {MOST_FILES} files."
        return ""

    def _threads(self, number: str) -> int:
        with suppress(OSError):
            return os.stat(f"{self._root}/proc/{number}/task").st_nlink - 2
        return 0

    def _holds_too_much(self, numbers: list[str]) -> bool:
        most = self._bounds.memory_bytes
        if most is None or sum(self._resident(number) for number in numbers) <= most:
            return False
        # What processes share was counted for each of them; the slower count is fair.
        return sum(self._fair_share(number) for number in numbers) > most

    def _resident(self, number: str) -> int:
        with suppress(OSError, IndexError), open(f"{self._root}/proc/{number}/statm") as file:
            return int(file.read().split()[1]) * PAGE
        return 0

    def _fair_share(self, number: str) -> int:
        with suppress(OSError, StopIteration), open(f"{self._root}/proc/{number}/smaps_rollup") as file:
            return 1024 * next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
        return 0
