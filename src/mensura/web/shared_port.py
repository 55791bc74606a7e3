"""SharedPort: one address at which several processes listen, each with a queue of its own."""

import socket
import sys
from typing import Any

SPREAD = sys.platform == "linux"
"""Whether the system spreads connections among the queues of one address."""


class SharedPort(socket.socket):
    """A socket at an address; a process that it is sent to gets another one at the same address.

    Processes that accept from one queue do not share the work: the first to wake takes all connections that wait, and
    serves them for as long as they last. Of four processes one then served everybody.
    The one that only holds the address never listens, so no connection waits there in vain.
    """

    def __init__(self, host: str, port: int) -> None:
        super().__init__(socket.AF_INET6 if ":" in host else socket.AF_INET)
        for option in (socket.SO_REUSEADDR, socket.SO_REUSEPORT):
            self.setsockopt(socket.SOL_SOCKET, option, 1)
        self.bind((host, port))

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedPort, self.getsockname()[:2]
