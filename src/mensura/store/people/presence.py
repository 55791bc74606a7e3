"""Presence: who was last heard of when. People with a page open, and processes that play for programs."""

import time
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import delete

from mensura.store.database import Database
from mensura.store.schema import signs

SEEN = "SELECT name, seen FROM signs WHERE name IN ({})"
TAKE = (
    "INSERT INTO signs (name, holder, seen) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE "
    "SET holder = excluded.holder, seen = excluded.seen "
    "WHERE signs.holder = excluded.holder OR signs.seen < ? RETURNING name"
)
TYPING_SECONDS = 4.0
"""How long after a sign of it someone counts as typing."""


def types(name: str) -> str:
    """Return under which name it is noted that someone is typing."""
    return f"{name} types"


@dataclass(eq=False, repr=False)
class Presence:
    """The signs of life in a store; each name has only its latest."""

    database: Database

    def beat(self, name: str) -> None:
        """Note that someone is there now."""
        self.take(name, holder="", patience=0.0)

    def seen(self, names: Iterable[str]) -> dict[str, float]:
        """Return when each was last heard of, in seconds since 1970; those never heard of are left out."""
        wanted = tuple(names)
        return dict(self.database.glance(SEEN.format(", ".join("?" * len(wanted))), wanted)) if wanted else {}

    def typing(self, names: Iterable[str]) -> list[str]:
        """Return which of these people are typing."""
        names, earliest = list(names), time.time() - TYPING_SECONDS
        seen = self.seen(types(name) for name in names)
        return [name for name in names if seen.get(types(name), 0.0) >= earliest]

    def take(self, name: str, *, holder: str, patience: float) -> bool:
        """Hold a name, or go on holding it; False while another holder was heard of within so many seconds.

        Examples
        --------
        >>> from tempfile import TemporaryDirectory
        >>> from mensura.store import open_store
        >>> with TemporaryDirectory() as folder, open_store(f"{folder}/mensura.db") as store:
        ...     presence = store.presence
        ...     presence.take("s", holder="a", patience=9), presence.take("s", holder="b", patience=9)
        (True, False)
        """
        now = time.time()
        return bool(self.database.jot(TAKE, (name, holder, now, now - patience)))

    def let_go(self, names: Iterable[str]) -> None:
        """Forget the signs of these names."""
        with self.database.writing() as connection:
            connection.execute(delete(signs).where(signs.c.name.in_(list(names))))
