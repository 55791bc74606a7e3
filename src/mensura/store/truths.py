"""Truths: apart from the events, versioned, since some are known only later or are put right."""

import time as clock
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, insert, select

from mensura.errors import Conflict
from mensura.store import text
from mensura.store.schema import truths
from mensura.store.sessions import Sessions

ATTEMPTS = 20


@dataclass(frozen=True)
class Truth:
    """One version of the truth about a key, with who said so and when."""

    key: str
    version: int
    value: Any
    source: str
    time: float | None


class Truths(Sessions):
    """The part of a store that keeps truths."""

    def truths(self, session_id: str) -> dict[str, Any]:
        """Give the latest truth of each key."""
        return {truth.key: truth.value for truth in self.truth_history(session_id)}

    def truth_history(self, session_id: str, key: str | None = None) -> list[Truth]:
        """Give every version of every truth (or those of one key), the latest of a key after the earlier ones."""
        number = self._session_number(session_id)
        wanted = select(truths).where(truths.c.session == number).order_by(truths.c.version, truths.c.key)
        if key is not None:
            wanted = wanted.where(truths.c.key == key)
        with self.reading() as connection:
            return [
                Truth(row.key, row.version, text.read(row.value), row.source, row.time)
                for row in connection.execute(wanted)
            ]

    def resolve(self, session_id: str, key: str, value: Any, *, source: str, time: float | None = None) -> int:
        """Add a later truth of a key and give its version; the earlier ones are kept.

        Parameters
        ----------
        source
            Who or what says so.
        time
            When it became known, in seconds since 1970; None: now.
        """
        number = self._session_number(session_id)
        row = {
            "session": number,
            "key": key,
            "value": text.write(value),
            "source": source,
            "time": clock.time() if time is None else time,
        }
        newest = select(func.max(truths.c.version)).where(truths.c.session == number, truths.c.key == key)
        for attempt in range(ATTEMPTS):
            try:
                with self.writing() as connection:
                    version = int(connection.execute(newest).scalar() or 0) + 1
                    connection.execute(insert(truths).values(version=version, **row))
                return version
            except Conflict:
                # PostgreSQL lets two writers read the same newest version; one of them comes again.
                if attempt == ATTEMPTS - 1:
                    raise
        raise AssertionError
