"""Second factor: beside the password, a code from an app that changes every half minute. Its secret is sealed."""

import hmac
import json
import re
import time
from base64 import b32encode
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_bytes
from typing import Any

from sqlalchemy import Select, delete, select, update

from mensura.errors import BadParameter, Conflict
from mensura.json_file import loads
from mensura.store.database import Database
from mensura.store.people.accounts import Account
from mensura.store.people.one_time_code import DIGITS, code_at, grouped, new_factor, step_at
from mensura.store.schema import second_factors
from mensura.store.sealed.keyring import Keyring

NOTHING = "There is no second factor to confirm; begin to set it up again."
SPARE = 10
"""How many recovery codes there are."""
TOLERATED = (-1, 0, 1)
"""Half minutes by which the clock of a telephone may be wrong, as RFC 6238 has it."""


@dataclass(eq=False, repr=False)
class SecondFactors:
    """The second factors of a store's accounts."""

    database: Database
    keyring: Keyring

    def begin(self, account: Account) -> str:
        """Draw a secret for an account and return it; nothing is asked for until `confirm`."""
        if self.is_on(account):
            raise Conflict(f"{account.name} already has a second factor; remove it first.")
        secret = new_factor()
        sealed = self.keyring.sealer.seal(secret, about=_about(account))
        row = {"account": account.number, "secret": sealed, "since": None, "used": 0, "recovery": "[]"}
        changed = {name: value for name, value in row.items() if name != "account"}
        put = self.database.insert(second_factors).values(row)
        with self.database.writing() as connection:
            connection.execute(put.on_conflict_do_update(index_elements=["account"], set_=changed))
        return secret

    def pending(self, account: Account) -> str:
        """Return the secret that waits to be confirmed."""
        with self.database.reading() as connection:
            row = connection.execute(select(second_factors).where(second_factors.c.account == account.number)).first()
        if row is None or row.since is not None:
            raise Conflict(NOTHING)
        return self.keyring.sealer.open(row.secret, about=_about(account))

    def confirm(self, account: Account, code: str, *, now: float | None = None) -> list[str]:
        """Ask for the second factor from now on, once a code shows that it works.

        Returns the recovery codes, which are told here and never again.
        """
        codes = [grouped(b32encode(token_bytes(10)).decode().lower()).replace(" ", "-") for _ in range(SPARE)]
        with self.database.writing() as connection:
            row = connection.execute(_of(account)).first()
            if row is None or row.since is not None:
                raise Conflict(NOTHING)
            step = self._step(row, account, code, now)
            if step is None:
                raise BadParameter("This is not the code that the app shows now; nothing was changed. Try again.")
            hashed = json.dumps([_hash(one) for one in codes])
            values = {"since": time.time(), "used": step, "recovery": hashed}
            mine = second_factors.c.account == account.number
            connection.execute(update(second_factors).where(mine).values(values))
        return codes

    def is_on(self, account: Account) -> bool:
        """Return whether an account logs in with a second factor."""
        wanted = select(second_factors.c.since).where(second_factors.c.account == account.number)
        with self.database.reading() as connection:
            return connection.execute(wanted).scalar() is not None

    def check(self, account: Account, code: str, *, now: float | None = None) -> bool:
        """Return whether a code fits, and use it up: neither a code nor a recovery code works twice."""
        mine = second_factors.c.account == account.number
        with self.database.writing() as connection:
            row = connection.execute(_of(account)).first()
            if row is None or row.since is None:
                return False
            step = self._step(row, account, code, now)
            if step is not None:
                connection.execute(update(second_factors).where(mine).values(used=step))
                return True
            left = loads(row.recovery)
            spare = [one for one in left if not hmac.compare_digest(one, _hash(code))]
            if len(spare) == len(left):
                return False
            connection.execute(update(second_factors).where(mine).values(recovery=json.dumps(spare)))
            return True

    def left(self, account: Account) -> int:
        """Return how many recovery codes are left."""
        wanted = select(second_factors.c.recovery).where(second_factors.c.account == account.number)
        with self.database.reading() as connection:
            return len(loads(connection.execute(wanted).scalar() or "[]"))

    def end(self, account: Account) -> None:
        """Ask for no second factor any more."""
        with self.database.writing() as connection:
            connection.execute(delete(second_factors).where(second_factors.c.account == account.number))

    def _step(self, row: Any, account: Account, code: str, now: float | None) -> int | None:
        """Return the half minute that a code is of, if it may be used; None if not."""
        given = re.sub(r"\s", "", code)
        if not re.fullmatch(rf"[0-9]{{{DIGITS}}}", given):
            return None
        secret = self.keyring.sealer.open(row.secret, about=_about(account))
        here = step_at(time.time() if now is None else now)
        steps = [here + off for off in TOLERATED if here + off > row.used]
        return next((step for step in steps if hmac.compare_digest(code_at(secret, step), given)), None)


def _of(account: Account) -> Select[Any]:
    """Select the row of an account so that nobody else uses a code of it meanwhile."""
    return select(second_factors).where(second_factors.c.account == account.number).with_for_update()


def _about(account: Account) -> str:
    return f"second factor of account {account.number}"


def _hash(code: str) -> str:
    # 80 random bits need no slow hash: nobody can try them all.
    return sha256(re.sub(r"[\s-]", "", code).lower().encode()).hexdigest()
