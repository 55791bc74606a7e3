"""Watch: ends a sandbox in which together too much is held, which no limit of a single process can see."""

import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from threading import Event, Thread, current_thread

from mensura.subjects.outside.bounds import Bounds

LOOK_SECONDS = 0.05
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
THREADS_EACH = 16
MOST_FILES = 100_000
"""Empty ones too take memory, and looking through open ones takes time, in which much could be done unseen."""
WRITABLE = ("tmp", "dev/shm")


@dataclass(frozen=True)
class Share:
    """A process's fair share of memory in bytes, and how much of it is files in memory."""

    whole: int
    files: int = 0


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
        self._first = os.pidfd_open(first)

    def run(self) -> None:
        """Look until the sandbox has ended or must be."""
        while not self._over.wait(LOOK_SECONDS):
            try:
                self.reason = self._excess()
            except (OSError, ValueError):
                # Its first process has ended; the conversation will notice.
                continue
            if self.reason:
                self.kill()
                return

    def kill(self) -> None:
        """Kill everything in the sandbox."""
        with suppress(OSError):
            signal.pidfd_send_signal(self._first, signal.SIGKILL)

    def close(self) -> None:
        """Look no more."""
        self._over.set()
        # The garbage collector may come here in any thread, also in this one.
        if self.is_alive() and self is not current_thread():
            self.join()
        with suppress(OSError):
            os.close(self._first)

    def _excess(self) -> str:
        if os.stat(f"{self._root}/proc").st_dev == os.stat("/proc").st_dev:
            # The sandbox has not moved in yet: these are everyone's processes.
            return ""
        numbers = [name for name in os.listdir(f"{self._root}/proc") if name.isdigit()]
        most = self._bounds.processes
        if len(numbers) > most:
            return f"It was stopped because it had more than {most} processes at once."
        if sum(self._threads(number) for number in numbers) > most * THREADS_EACH:
            return f"It was stopped because it had more than {most * THREADS_EACH} threads at once."
        opened = list(islice((path for number in numbers for path in self._opened(number)), MOST_FILES + 1))
        if len(opened) > MOST_FILES:
            return f"It was stopped because it had more than {MOST_FILES} files open at once."
        if self._holds_too_much(numbers, opened):
            return f"It was stopped because its processes together held more than {self._bounds.memory_bytes} bytes."
        if sum(map(self._files, WRITABLE)) > MOST_FILES:
            return f"It was stopped because it had written more than {MOST_FILES} files."
        return ""

    def _files(self, folder: str) -> int:
        room = os.statvfs(f"{self._root}/{folder}")
        return room.f_files - room.f_ffree

    def _threads(self, number: str) -> int:
        with suppress(OSError):
            return os.stat(f"{self._root}/proc/{number}/task").st_nlink - 2
        return 0

    def _opened(self, number: str) -> Iterator[str]:
        with suppress(OSError), os.scandir(f"{self._root}/proc/{number}/fd") as entries:
            for entry in entries:
                yield entry.path

    def _holds_too_much(self, numbers: list[str], opened: list[str]) -> bool:
        most = self._bounds.memory_bytes
        if most is None:
            return False
        in_files = _memory_files(opened)
        if in_files + sum(self._resident(number) for number in numbers) <= most:
            return False
        # What processes share was counted for each of them; the slower count is fair.
        shares = [self._fair_share(number) for number in numbers]
        mapped = sum(share.files for share in shares)
        # A file in memory that is mapped too is held once.
        return sum(share.whole for share in shares) - mapped + max(mapped, in_files) > most

    def _resident(self, number: str) -> int:
        with suppress(OSError, IndexError), open(f"{self._root}/proc/{number}/statm") as file:
            return int(file.read().split()[1]) * PAGE
        return 0

    def _fair_share(self, number: str) -> Share:
        with suppress(OSError, KeyError), open(f"{self._root}/proc/{number}/smaps_rollup") as file:
            said = {name: words.split() for name, colon, words in (line.partition(":") for line in file) if colon}
            # Older kernels do not say how much of it is files in memory.
            return Share(int(said["Pss"][0]) * 1024, int(said.get("Pss_Shmem", "0")[0]) * 1024)
        # Who is not root may not always look: what is shared is then counted more than once, rather than not at all.
        return Share(self._resident(number))


def _memory_files(opened: list[str]) -> int:
    """Count the bytes of files that lie only in memory, under no name: each once, however many have it open."""
    held: dict[tuple[int, int], int] = {}
    for path in opened:
        with suppress(OSError):
            if os.readlink(path).startswith("/memfd:"):
                found = os.stat(path)
                held[found.st_dev, found.st_ino] = found.st_blocks * 512
    return sum(held.values())
