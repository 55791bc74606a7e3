"""Accounts: who may log in, and as what. Passwords are hashed by argon2."""

import time
from dataclasses import dataclass
from os import urandom
from secrets import token_hex
from typing import Any, Literal

from sqlalchemy import insert, select, update

from mensura.errors import BadParameter, Conflict, unknown
from mensura.store.database import Database
from mensura.store.people.members import owns_alone
from mensura.store.schema import accounts

Role = Literal["experimenter", "analyst", "rater", "member"]
ROLES: tuple[Role, ...] = ("experimenter", "analyst", "rater", "member")
SHORTEST_PASSWORD = 10
COST: dict[str, Any] = {"iterations": 3, "lanes": 4, "memory_cost": 65536}
"""The cost parameters of a hash; each hash states its own, so that older ones can still be checked after a change."""
LONGEST_PASSWORD = 1000
"""A hash of much more than this would keep the server busy for nothing."""


@dataclass(frozen=True)
class Account:
    """Someone who may log in."""

    number: int
    name: str
    role: str
    created: float
    disabled: bool


@dataclass(eq=False, repr=False)
class Accounts:
    """The accounts of a store."""

    database: Database

    def add(self, name: str, *, password: str, role: str) -> Account:
        """Make an account; the password is stored only as its hash."""
        if not name.strip() or len(name) > 100 or not name.isprintable():
            raise BadParameter("An account needs a name of at most 100 characters that can be printed.")
        if role not in ROLES:
            raise unknown("role", role, known=ROLES, see=f"Roles are {', '.join(ROLES)}.")
        row = {
            "name": name.strip(),
            "password": _hashed(password),
            "role": role,
            "created": time.time(),
            "disabled": False,
        }
        try:
            with self.database.writing() as connection:
                connection.execute(insert(accounts).values(row))
        except Conflict:
            raise BadParameter(f"There is already an account called {name!r}; choose another name.") from None
        return self.find(name.strip())

    def check(self, name: str, *, password: str) -> Account | None:
        """Return the account if name and password fit; a wrong name takes as long as a wrong password."""
        from cryptography.exceptions import InvalidKey
        from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

        if len(password) > LONGEST_PASSWORD:
            return None
        with self.database.reading() as connection:
            row = connection.execute(select(accounts).where(accounts.c.name == name)).first()
        hashed = row.password if row is not None else _decoy()
        try:
            Argon2id.verify_phc_encoded(password.encode(), hashed)
        except InvalidKey:
            return None
        if row is None or row.disabled:
            return None
        return Account(row.number, row.name, row.role, row.created, row.disabled)

    def find(self, name: str) -> Account:
        """Find an account by name."""
        for account in self.all():
            if account.name == name:
                return account
        raise unknown("account", name, known=[account.name for account in self.all()], see="There are no accounts yet.")

    def all(self) -> list[Account]:
        """List the accounts, the oldest first."""
        columns = (accounts.c.number, accounts.c.name, accounts.c.role, accounts.c.created, accounts.c.disabled)
        with self.database.reading() as connection:
            return [Account(*row) for row in connection.execute(select(*columns).order_by(accounts.c.number))]

    def creator(self) -> Account | None:
        """Return the account that created the laboratory: the oldest experimenter, even where it is disabled.

        If a disabled account passed this on, an experimenter could take it over by disabling the account before theirs.
        """
        return next((account for account in self.all() if account.role == "experimenter"), None)

    def disable(self, name: str, *, disabled: bool = True) -> None:
        """Let nobody log in as this account any more, or again; the only owner of a study stays.

        Which study is not said: it may be closed to those who manage accounts.
        """
        account = self.find(name)
        with self.database.writing() as connection:
            if disabled and owns_alone(connection, account.number):
                raise BadParameter(
                    f"{name} is the only owner of a study: name another owner first, on its page Members or with "
                    "`mensura study members STUDY --add NAME --as owner`. Nothing was changed."
                )
            mine = accounts.c.number == account.number
            connection.execute(update(accounts).where(mine).values(disabled=disabled))

    def set_password(self, name: str, *, password: str) -> None:
        """Give an account another password."""
        account = self.find(name)
        hashed = _hashed(password)
        with self.database.writing() as connection:
            connection.execute(update(accounts).where(accounts.c.number == account.number).values(password=hashed))


def check_new(password: str) -> None:
    """Refuse a password that is too short or too long."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise BadParameter(f"A password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; got {len(password)}.")


def _hashed(password: str) -> str:
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    check_new(password)
    return Argon2id(salt=urandom(16), length=32, **COST).derive_phc_encoded(password.encode())


_decoys: list[str] = []


def _decoy() -> str:
    """Return the hash of a password that nobody has."""
    if not _decoys:
        _decoys.append(_hashed(token_hex()))
    return _decoys[0]
