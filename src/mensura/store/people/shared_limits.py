"""Shared limits: how often someone may still ask, where several processes count together."""

import time
from dataclasses import dataclass

from sqlalchemy import delete, select

from mensura.store.database import Database
from mensura.store.schema import limits

KEPT_SECONDS = 3600.0
"""A limit that nobody used for so long is full again, and forgotten."""


@dataclass(eq=False, repr=False)
class SharedLimits:
    """The remaining amounts of each, shared by all processes of a store."""

    database: Database

    def use(self, name: str, cost: float, *, rate: float, saved: float, now: float | None = None) -> float:
        """Take from what is left to a name, which grows by `rate` a second up to `saved`; returns what is left.

        Less than nothing may be left: what was used is used, and must grow back.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from mensura.store import open_store
        >>> with TemporaryDirectory() as folder, open_store(f"{folder}/mensura.db") as store:
        ...     [store.limits.use("ann", 2.0, rate=1.0, saved=3.0, now=now) for now in (0.0, 1.0, 9.0)]
        [1.0, 0.0, 1.0]
        """
        moment = time.time() if now is None else now
        with self.database.writing() as connection:
            known = connection.execute(select(limits).where(limits.c.name == name).with_for_update()).first()
            left = saved
            if known is not None:
                left = min(saved, known.remaining + max(moment - known.time, 0.0) * rate)
            left = max(left - cost, -saved)
            row = {"name": name, "remaining": left, "time": moment}
            put = self.database.insert(limits).values(row)
            changed = {"remaining": left, "time": moment}
            connection.execute(put.on_conflict_do_update(index_elements=["name"], set_=changed))
            if known is None:
                connection.execute(delete(limits).where(limits.c.time < moment - KEPT_SECONDS))
        return left
