"""Custody: the secret of each session, under which its rows are sealed and by which its digests are salted."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlalchemy import select

from mensura.errors import Conflict, StoreError, UnknownName, unknown
from mensura.store.database import Database
from mensura.store.schema import sessions
from mensura.store.sealed.chain import Entry, next_head, write_entries
from mensura.store.sealed.keyring import Keyring
from mensura.store.sealed.sealing import Sealer, is_sealed, new_secret, read_secret, write_secret

MOST_IN_MEMORY = 2000
SEARCHED = 1000
"""How many ids are searched for near misses of a misspelt one."""
FIND = "SELECT number, run, secret FROM sessions WHERE id = ?"
LAST_LINK = (
    "SELECT secret, place, links.head FROM sessions LEFT JOIN links ON links.session = sessions.number "
    "WHERE sessions.number = ? ORDER BY place DESC LIMIT 1"
)
ADD_LINK = "INSERT INTO links (session, place, listed, head) VALUES (?, ?, ?, ?)"
SETTLE = "UPDATE sessions SET head = ? WHERE number = ?"
TAKE_TURN = "SELECT number FROM sessions WHERE number = ? FOR NO KEY UPDATE"


class Custody:
    """A session's row number, and the secret it was given; sessions of the first release and erased ones have none."""

    def __init__(self, number: int, session: str, run: int, secret: str | None, keyring: Keyring) -> None:
        self.number = number
        self.session = session
        self.run = run
        self.secret = secret
        self._keyring = keyring

    @cached_property
    def sealer(self) -> Sealer | None:
        """Return the cipher of the rows of the session; needs the store's key until the run is over."""
        if self.secret is None:
            return None
        opened = open_secret(self.secret, self.session, self._keyring)
        try:
            return Sealer(read_secret(opened))
        except ValueError:
            raise StoreError(
                f"The store is damaged: the secret of session {self.session} cannot be read. Restore a copy or an "
                "export."
            ) from None

    def seal(self, plain: str, about: str) -> str:
        """Seal a text of the session, where it has a secret."""
        return plain if self.sealer is None else self.sealer.seal(plain, about=f"{about} of {self.session}")

    def open(self, stored: str, about: str) -> str:
        """Open a stored text of the session; one that is not sealed is given as it is."""
        if not is_sealed(stored):
            return stored
        if self.sealer is None:
            raise StoreError(f"The {about} of {self.session} is sealed and its secret was erased.")
        return self.sealer.open(stored, about=f"{about} of {self.session}")


def open_secret(stored: str, session: str, keyring: Keyring) -> str:
    """Read the secret of a session, which is itself sealed until its run is over."""
    return keyring.sealer.open(stored, about=f"secret of {session}") if is_sealed(stored) else stored


def seal_secret(plain: str, session: str, keyring: Keyring) -> str:
    """Seal the secret of a session with the store's key."""
    return plain if is_sealed(plain) else keyring.sealer.seal(plain, about=f"secret of {session}")


@dataclass(eq=False, repr=False)
class Custodies:
    """The custody of every session of a store, and the chain that binds their rows."""

    database: Database
    keyring: Keyring
    _known: dict[str, Custody] = field(default_factory=dict, init=False)

    def find(self, session_id: str) -> Custody:
        """Find the custody of a session by its id."""
        known = self._known.get(session_id)
        if known is None:
            rows = self.database.glance(FIND, (session_id,))
            if not rows:
                raise self.unknown_session(session_id)
            number, run, secret = rows[0]
            known = self.keep(Custody(number, session_id, run, secret, self.keyring))
        return known

    def of_row(self, row: Any) -> Custody:
        """Keep in memory what a row of sessions says: it never changes, and every append needs it."""
        known = self._known.get(row.id)
        if known is None or known.secret is None:
            known = self.keep(Custody(row.number, row.id, row.run, row.secret, self.keyring))
        return known

    def keep(self, custody: Custody) -> Custody:
        """Keep a custody in memory, in place of an older one of its session."""
        if len(self._known) > MOST_IN_MEMORY:
            self._known.clear()
        self._known[custody.session] = custody
        return custody

    def forget(self, session_id: str) -> None:
        """Let go of a custody, as of a session that was erased; the next look reads it from the store."""
        self._known.pop(session_id, None)

    def of_erased(self, row: Any) -> Custody:
        """Return the custody of a session whose secret is gone, so that what is left can be bound again."""
        return Custody(row.number, row.id, row.run, None, self.keyring)

    def same(self, session_id: str, one: str | None, other: str | None) -> bool:
        """Return whether two stored secrets are one: opened since, perhaps, or kept back again, but not erased."""
        if one == other or one is None or other is None:
            return one == other
        return open_secret(one, session_id, self.keyring) == open_secret(other, session_id, self.keyring)

    def new_secret(self, session: str) -> tuple[Sealer, str]:
        """Draw a secret for a session; returns what seals with it, and how it is stored."""
        secret = new_secret()
        return Sealer(secret), seal_secret(write_secret(secret), session, self.keyring)

    def unknown_session(self, session_id: str) -> UnknownName:
        """Make the error that names the sessions nearest to an unknown one."""
        with self.database.reading() as connection:
            newest = select(sessions.c.id).order_by(sessions.c.number.desc()).limit(SEARCHED)
            ids = connection.execute(newest).scalars().all()
        return unknown("session", session_id, known=ids, see="`mensura list` shows the runs and their sessions.")

    def take_turn(self, connection: Any, custody: Custody) -> Any:
        """Let nobody else bind rows of the session; returns a cursor for its last link, for `link`.

        None for SQLite, which has one writer at a time; in PostgreSQL two could hang their links on the same one.
        """
        if self.database.place.path is not None:
            return None
        self.database.at_once(connection, TAKE_TURN, (custody.number,))
        return self.database.at_once(connection, LAST_LINK, (custody.number,))

    def link(
        self, connection: Any, custody: Custody, entries: list[Entry], *, turn: Any = None, settled: bool = True
    ) -> None:
        """Bind rows that are being written to all before them; a session without a secret has no chain.

        Who took their `turn` before they sent the rows need not wait for the last link.
        The head of what is `settled` is kept with the session too, so that the end of a chain cannot be cut off unseen;
        with answers that are followed by others it would cost more than it tells.
        """
        if custody.secret is None or not entries:
            return
        at_once = self.database.at_once
        if turn is None:
            turn = self.take_turn(connection, custody)
        found = at_once(connection, LAST_LINK, (custody.number,)).fetchone() if turn is None else turn.fetchone()
        secret, last, before = found
        if not self.same(custody.session, secret, custody.secret):
            self.forget(custody.session)
            raise Conflict(f"Someone withdrew from the session {custody.session!r} meanwhile. Nothing was changed.")
        place, before = (1, "") if last is None else (last + 1, before)
        listed = write_entries(entries)
        head = next_head(before, listed)
        at_once(connection, ADD_LINK, (custody.number, place, listed, head))
        if settled:
            at_once(connection, SETTLE, (head, custody.number))
