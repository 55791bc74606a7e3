"""Keys: what lets an account in without its password for a while: a login, a token, a link to a new password."""

import time
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe
from typing import Literal

from sqlalchemy import Row, delete, insert, select, update

from mensura.errors import BadParameter, UnknownName
from mensura.store.database import Database
from mensura.store.people.accounts import Account
from mensura.store.schema import accounts, keys

Kind = Literal["login", "token", "reset", "half"]
"""A browser's login, a program's token, a link to a new password, and half a login that still needs its code."""
USE_SECONDS = 60.0
"""How exactly it is known when a key was last used: not every page is worth a write."""


@dataclass(frozen=True)
class Key:
    """One key, without the secret itself: that is given once and only its hash is stored."""

    number: int
    kind: str
    label: str
    account: str
    created: float
    expires: float


@dataclass(eq=False, repr=False)
class Keys:
    """The keys of a store."""

    database: Database

    def give(self, account: Account, *, kind: Kind, seconds: float, label: str = "") -> tuple[str, Key]:
        """Make a key that works for `seconds`; its secret is given here and never again."""
        if not seconds > 0 or len(label) > 100:
            raise BadParameter("A key lasts more than 0 seconds, and its label has at most 100 characters.")
        secret = token_urlsafe(32)
        now = time.time()
        row = {
            "secret_hash": _hash(secret),
            "account": account.number,
            "kind": kind,
            "label": label.strip(),
            "created": now,
            "expires": now + seconds,
            "used": now,
        }
        with self.database.writing() as connection:
            # Old keys are of no use to anybody; this is as good a moment as any.
            connection.execute(delete(keys).where(keys.c.expires < now))
            number = connection.execute(insert(keys).values(row)).inserted_primary_key
        assert number is not None
        return secret, Key(int(number[0]), kind, row["label"], account.name, now, now + seconds)  # type: ignore[arg-type]

    def give_link(self, account: Account, *, seconds: float) -> str:
        """Make a link to a new password that opens once, and returns its path; earlier ones open no longer."""
        self.take_back_all(account, kind="reset")
        secret, _ = self.give(account, kind="reset", seconds=seconds)
        return f"/lab/reset/{secret}"

    def who(self, secret: str, *, kind: Kind, idle: float = 0.0, using: bool = True) -> Account | None:
        """Return the account that a key belongs to; None if it is unknown or over, or the account disabled.

        A key that was not used for `idle` seconds is over, too; `using` says whether this is a use.
        """
        now = time.time()
        wanted = (
            select(accounts, keys.c.number.label("key"), keys.c.used, keys.c.created.label("given"))
            .join(keys, keys.c.account == accounts.c.number)
            .where(keys.c.secret_hash == _hash(secret), keys.c.kind == kind, keys.c.expires > now)
        )
        with self.database.reading() as connection:
            row = connection.execute(wanted).first()
        if row is None or row.disabled:
            return None
        if idle:
            last = max(row.used, row.given)
            if now - last > idle:
                return None
            if using and now - last > min(USE_SECONDS, idle / 4):
                with self.database.writing() as connection:
                    connection.execute(update(keys).where(keys.c.number == row.key).values(used=now))
        return Account(row.number, row.name, row.role, row.created, row.disabled)

    def use_up(self, secret: str, *, kind: Kind) -> Account | None:
        """Return the account of a key that opens once, and let it open nothing any more; None where it is gone."""
        account = self.who(secret, kind=kind)
        with self.database.writing() as connection:
            mine = (keys.c.secret_hash == _hash(secret)) & (keys.c.kind == kind)
            gone = connection.execute(delete(keys).where(mine))
        return account if gone.rowcount == 1 else None

    def of(self, account: Account, *, kind: Kind) -> list[Key]:
        """List the keys of an account that still work, the oldest first."""
        wanted = select(keys).where(keys.c.account == account.number, keys.c.kind == kind)
        wanted = wanted.where(keys.c.expires > time.time()).order_by(keys.c.number)
        with self.database.reading() as connection:
            return [_key(row, account) for row in connection.execute(wanted)]

    def take_back(self, secret: str) -> None:
        """Let a key open nothing any more, as at logging out; an unknown one is not an error."""
        with self.database.writing() as connection:
            connection.execute(delete(keys).where(keys.c.secret_hash == _hash(secret)))

    def take_back_number(self, number: int, *, account: Account) -> None:
        """Let one key of an account open nothing any more."""
        with self.database.writing() as connection:
            mine = (keys.c.number == number) & (keys.c.account == account.number)
            gone = connection.execute(delete(keys).where(mine))
        if gone.rowcount == 0:
            raise UnknownName(f"{account.name} has no key {number}.")

    def take_back_all(self, account: Account, *, kind: Kind | None = None) -> None:
        """Let no key of an account open anything any more, as after a new password; or none of one kind."""
        mine = keys.c.account == account.number
        with self.database.writing() as connection:
            connection.execute(delete(keys).where(mine if kind is None else mine & (keys.c.kind == kind)))


def _hash(secret: str) -> str:
    # 256 random bits need no slow hash: nobody can try them all.
    return sha256(secret.encode()).hexdigest()


def _key(row: Row[tuple[object, ...]], account: Account) -> Key:
    return Key(row.number, row.kind, row.label, account.name, row.created, row.expires)
