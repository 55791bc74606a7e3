"""Spares: connections at hand for what is read and written with every answer."""

import select
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Engine, PoolProxiedConnection

MOST = 4


class Spares:
    """Connections taken from the pool of an engine and kept, each for one thread at a time.

    The pool asks PostgreSQL whether a connection still stands each time it is taken, and looks through events and
    transactions when it is given back, which costs more than a short question. None of these is in a transaction
    while it is kept, and none is kept after an error.
    """

    def __init__(self, engine: "Engine", *, network: bool) -> None:
        self._engine = engine
        self._network = network
        self._kept: list[PoolProxiedConnection] = []

    def take(self) -> "PoolProxiedConnection":
        """Take one that stands, or another from the pool; on the network it is in no transaction until told."""
        while self._kept:
            try:
                pooled = self._kept.pop()
            except IndexError:
                # Another thread was quicker.
                break
            if not self._network or _is_quiet(pooled.driver_connection):
                return pooled
            self.drop(pooled)
        pooled = self._engine.raw_connection()
        if self._network:
            _driver(pooled).autocommit = True
        return pooled

    def keep(self, pooled: "PoolProxiedConnection") -> None:
        """Keep one whose work is done."""
        if len(self._kept) < MOST:
            self._kept.append(pooled)
        else:
            self.drop(pooled)

    def drop(self, pooled: "PoolProxiedConnection") -> None:
        """Give one back to the pool, whatever state it is in."""
        try:
            driver = _driver(pooled)
            if self._network and not driver.closed:
                driver.rollback()
                driver.autocommit = False
        finally:
            pooled.close()

    def close(self) -> None:
        """Give all back."""
        while self._kept:
            self.drop(self._kept.pop())


def _driver(pooled: "PoolProxiedConnection") -> Any:
    return pooled.driver_connection


def _is_quiet(driver: Any) -> bool:
    """Return whether the server has said nothing since; when it goes down it says so, or closes the connection."""
    if driver.closed or not hasattr(select, "poll"):
        return False
    waiting = select.poll()
    waiting.register(driver.fileno(), select.POLLIN)
    return not waiting.poll(0)
