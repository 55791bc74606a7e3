"""Signals: how a server is told to end."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def ended_by_signals(end: Callable[[], None] | None = None) -> Iterator[None]:
    """Raise KeyboardInterrupt inside on SIGINT and on SIGTERM, or call `end`, whatever was inherited.

    Shells start jobs in the background with SIGINT ignored, and a server that inherits that never ends.
    Outside the main thread, where signals cannot be handled, nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        signal.SIGINT: signal.signal(
            signal.SIGINT, signal.default_int_handler if end is None else lambda number, frame: end()
        ),
        # As SIGINT, since asyncio and uvicorn handle that one while they serve.
        signal.SIGTERM: signal.signal(signal.SIGTERM, lambda number, frame: signal.raise_signal(signal.SIGINT)),
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def listening_error(host: str, port: int, error: OSError) -> str:
    """Return why nothing can listen at an address, and what to do.

    >>> import errno
    >>> listening_error("127.0.0.1", 8000, OSError(errno.EADDRINUSE, "Address already in use"))
    'Port 8000 of 127.0.0.1 is in use. Choose another with --port, or any that is free with --port 0.'
    """
    import errno

    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use. Choose another with --port, or any that is free with --port 0."
    return f"Cannot listen at {host}:{port}: {error.strerror or error}. Choose another --host or --port."
