"""Serving: a server of a test's own, in a thread that ends with it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from typing import TypeVar

Served = TypeVar("Served", bound=BaseServer)


@contextmanager
def serving(server: Served) -> Iterator[Served]:
    """Serve until the end of the block, and leave nothing behind."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
