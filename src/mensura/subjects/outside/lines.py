"""Lines: both ends of a conversation in lines, over pipes or a socket, that never blocks and never runs over."""

import os
import select
import time
from collections.abc import Iterator

from mensura.errors import SubjectCrashed, SubjectFlooded, SubjectTimedOut
from mensura.subjects.outside.protocol import storable

CHUNK = 1 << 16
LONGEST_WORDS = 4000
READABLE = select.POLLIN | select.POLLHUP | select.POLLERR if hasattr(select, "poll") else 0


class Lines:
    """Writes and reads lines without ever waiting for one side while the other is full.

    Parameters
    ----------
    who
        How sentences name the other side.
    reading, writing, errors
        File descriptors: where lines come from, where they go (they may be the same), and where chatter comes from.
    most_bytes
        Most output between two lines that are waited for.
    """

    def __init__(self, who: str, *, reading: int, writing: int, errors: int | None = None, most_bytes: int) -> None:
        self.who = who
        self.most_bytes = most_bytes
        self._reading = reading
        self._writing = writing
        self._errors = errors
        self._outgoing = bytearray()
        self._incoming = bytearray()
        self._searched = 0
        self._heard = 0
        self._words = bytearray()
        self._open = {reading} | ({errors} if errors is not None else set())
        self._poll = select.poll()
        for descriptor in {reading, writing, *self._open}:
            os.set_blocking(descriptor, False)
        for descriptor in self._open:
            self._poll.register(descriptor, READABLE)

    @property
    def last_words(self) -> str:
        """The end of the chatter, or of a line that was never finished."""
        words = bytes(self._words) or bytes(self._incoming[-LONGEST_WORDS:])
        return storable(words[-LONGEST_WORDS:].decode(errors="replace").strip())

    def send(self, line: bytes) -> None:
        """Hand over a line; what does not go at once goes while the next line is waited for."""
        self._outgoing += line
        self._write()

    def receive(self, seconds: float | None) -> bytes:
        """Wait for the next line; what goes wrong is the subject's failure."""
        return next(self.each(seconds))

    def each(self, seconds: float | None) -> Iterator[bytes]:
        """Return line after line; the limits on time and output are on all of them together."""
        deadline = None if seconds is None else time.monotonic() + seconds
        self._heard = 0
        while True:
            yield self._next(deadline, seconds)

    def _next(self, deadline: float | None, seconds: float | None) -> bytes:
        while True:
            if (found := self._take()) is not None:
                return found
            if self._reading not in self._open:
                return self._rest()
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise SubjectTimedOut(f"{self.who} gave no answer within {seconds:g} s.", last_words=self.last_words)
            self._exchange(left)
            if self._heard > self.most_bytes:
                words = f"{self.who} said more than {self.most_bytes} bytes for one answer."
                raise SubjectFlooded(words, last_words=self.last_words)

    def drop(self, *, seconds: float = 0.0) -> None:
        """Leave aside what was said without being asked, waiting some time for a line; it joins the chatter."""
        deadline = time.monotonic() + seconds
        self._heard = 0
        while True:
            self._exchange(deadline - time.monotonic())
            dropped = False
            while (stray := self._take()) is not None:
                self._hear(stray + b"\n")
                dropped = True
            flooded = self._heard > self.most_bytes
            if dropped or flooded or time.monotonic() >= deadline or self._reading not in self._open:
                return

    def drain(self, seconds: float) -> None:
        """Listen to the end, for last words, but not for long."""
        deadline = time.monotonic() + seconds
        self._heard = 0
        while self._open and self._heard <= self.most_bytes and (left := deadline - time.monotonic()) > 0:
            self._exchange(left)

    def finish(self) -> None:
        """Write no more; to be called before the writing end is closed."""
        self._outgoing.clear()

    def _exchange(self, seconds: float | None) -> None:
        """Wait until something can be read or written, and do it."""
        if self._outgoing:
            self._poll.register(self._writing, select.POLLOUT | (READABLE if self._writing in self._open else 0))
        try:
            ready = self._poll.poll(None if seconds is None else max(0.0, seconds) * 1000)
        finally:
            if self._outgoing:
                self._unwatch(self._writing)
        for descriptor, _ in ready:
            if descriptor == self._writing:
                self._write()
            if descriptor in self._open:
                self._read(descriptor)

    def _unwatch(self, descriptor: int) -> None:
        if descriptor in self._open:
            self._poll.register(descriptor, READABLE)
        else:
            self._poll.unregister(descriptor)

    def _write(self) -> None:
        try:
            while self._outgoing:
                written = os.write(self._writing, bytes(self._outgoing[: 16 * CHUNK]))
                del self._outgoing[:written]
        except BlockingIOError:
            return
        except OSError:
            # Nobody reads any more. What the other side still has to say is read before that is called a failure.
            self._outgoing.clear()

    def _read(self, descriptor: int) -> None:
        try:
            chunk = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        self._heard += len(chunk)
        if not chunk:
            self._open.discard(descriptor)
            self._poll.unregister(descriptor)
        elif descriptor == self._reading:
            self._incoming += chunk
        else:
            self._hear(chunk)

    def _hear(self, chunk: bytes) -> None:
        self._words += chunk
        del self._words[:-LONGEST_WORDS]

    def _rest(self) -> bytes:
        """Return what came after the last line end, as the last line."""
        rest = bytes(self._incoming)
        if not rest.strip():
            raise SubjectCrashed(f"{self.who} ended, or closed its output, before it answered.")
        self._incoming.clear()
        self._searched = 0
        return rest

    def _take(self) -> bytes | None:
        end = self._incoming.find(b"\n", self._searched)
        if end < 0:
            self._searched = len(self._incoming)
            return None
        found = bytes(self._incoming[:end])
        del self._incoming[: end + 1]
        self._searched = 0
        return found
