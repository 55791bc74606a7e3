"""Flush: what makes commits survive a power cut, with one flush of the disk for all that wait for it."""

import asyncio
import os
from pathlib import Path
from threading import Condition

from mensura.errors import StoreError

fdatasync = getattr(os, "fdatasync", os.fsync)


class Flush:
    """The write-ahead log of a SQLite store, brought to the disk.

    SQLite's `synchronous=FULL` flushes at every commit, while it holds the lock of the store. Here commits are not
    flushed one by one (`NORMAL`): those who may not lose theirs wait for a flush that began after it. All that was
    committed before a flush is on the disk after it, so that one serves many, and none holds up the next commit.
    """

    def __init__(self, path: Path) -> None:
        self.log = path.with_name(f"{path.name}-wal")
        self._condition = Condition()
        self._begun = 0
        self._done = 0
        self._flushing = False
        self._known: int | None = None
        self._failed: OSError | None = None
        self._turns = asyncio.Lock()
        self._coming: asyncio.Task[None] | None = None

    def wait(self) -> None:
        """Return once all that this thread has committed is on the disk."""
        with self._condition:
            wanted = self._begun + 1
            while self._done < wanted and self._failed is None:
                if self._flushing:
                    self._condition.wait()
                else:
                    self._lead()
            if self._failed is not None:
                # After a flush that failed, later ones may say that all is well though it is not.
                raise StoreError(
                    f"{self.log.name} could not be brought to the disk ({self._failed.strerror}): what was answered "
                    "just now may be lost. Check the disk, and start again."
                ) from self._failed

    async def waited(self) -> None:
        """Wait beside others in an event loop: one thread waits for all who come before it begins."""
        if self._coming is None:
            self._coming = asyncio.create_task(self._wait_for_all())
        # Who is stopped leaves the others their flush.
        await asyncio.shield(self._coming)

    async def _wait_for_all(self) -> None:
        async with self._turns:
            self._coming = None
            await asyncio.to_thread(self.wait)

    def _lead(self) -> None:
        self._flushing = True
        self._begun += 1
        number = self._begun
        self._condition.release()
        failed = None
        try:
            self._flush()
        except OSError as error:
            failed = error
        finally:
            self._condition.acquire()
            self._flushing = False
            self._done, self._failed = number, failed
            self._condition.notify_all()

    def _flush(self) -> None:
        try:
            file = os.open(self.log, os.O_RDWR)
        except FileNotFoundError:
            # The last to close the store moved everything into the store itself, which SQLite flushes.
            return
        try:
            fdatasync(file)
            inode = os.fstat(file).st_ino
        finally:
            os.close(file)
        if inode != self._known:
            folder = os.open(self.log.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
            self._known = inode
