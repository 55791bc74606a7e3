"""Members: who belongs to a study, and as what. A study with members is closed to everyone else."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sqlalchemy import Connection, delete, select

from mensura.errors import BadParameter, UnknownName, unknown
from mensura.store.database import Database
from mensura.store.schema import accounts, members

if TYPE_CHECKING:
    from mensura.store.people.accounts import Account

StudyRole = Literal["owner", "experimenter", "observer", "rater", "analyst"]
STUDY_ROLES: tuple[StudyRole, ...] = ("owner", "experimenter", "observer", "rater", "analyst")
OWNER: StudyRole = "owner"


@dataclass(frozen=True)
class StudyMember:
    """An account that belongs to a study."""

    study: str
    name: str
    role: str
    since: float
    added_by: str


@dataclass(eq=False, repr=False)
class Members:
    """The members of all studies of a store."""

    database: Database

    def put(self, study: str, account: "Account", *, role: str, added_by: str) -> None:
        """Let an account belong to a study, or belong to it as something else.

        Raises
        ------
        BadParameter
            If the study would be left without an owner who can log in, or its first member is none.
        """
        if role not in STUDY_ROLES:
            raise unknown("role in a study", role, known=STUDY_ROLES, see=f"Roles are {', '.join(STUDY_ROLES)}.")
        row = {"study": study, "account": account.number, "role": role, "since": time.time(), "added_by": added_by}
        insert = self.database.insert(members).values(row)
        changed = {name: row[name] for name in ("role", "since", "added_by")}
        with self.database.writing() as connection:
            known = _roles(connection, study)
            if not known and role != OWNER:
                raise BadParameter(f"{study} has no members yet; the first is its owner.")
            _keep_owner(connection, study, {**known, account.number: role})
            connection.execute(insert.on_conflict_do_update(index_elements=["study", "account"], set_=changed))

    def remove(self, study: str, account: "Account") -> None:
        """Let an account belong to a study no longer; the last owner stays."""
        with self.database.writing() as connection:
            known = _roles(connection, study)
            if known.pop(account.number, None) is None:
                raise UnknownName(f"{account.name} is not a member of {study}.")
            _keep_owner(connection, study, known)
            mine = (members.c.study == study) & (members.c.account == account.number)
            connection.execute(delete(members).where(mine))

    def of(self, study: str) -> list[StudyMember]:
        """List the members of a study, the oldest first."""
        wanted = select(members, accounts.c.name).join(accounts, accounts.c.number == members.c.account)
        wanted = wanted.where(members.c.study == study).order_by(members.c.since, accounts.c.number)
        with self.database.reading() as connection:
            rows = connection.execute(wanted).all()
        return [StudyMember(row.study, row.name, row.role, row.since, row.added_by) for row in rows]

    def standing(self, account: "Account") -> tuple[dict[str, str], frozenset[str]]:
        """Return the studies that an account belongs to, with its role, and all studies that have members."""
        with self.database.reading() as connection:
            rows = connection.execute(select(members.c.study, members.c.account, members.c.role)).all()
        mine = {row.study: row.role for row in rows if row.account == account.number}
        return mine, frozenset(row.study for row in rows)


def owns_alone(connection: Connection, account: int) -> bool:
    """Return whether an account is the only owner of some study who can log in."""
    mine = (members.c.account == account) & (members.c.role == OWNER)
    owned = connection.execute(select(members.c.study).where(mine).order_by(members.c.study)).scalars().all()
    others = ({one: role for one, role in _roles(connection, study).items() if one != account} for study in owned)
    return not all(_has_owner(connection, roles) for roles in others)


def _roles(connection: Connection, study: str) -> dict[int, str]:
    """Return what each member of a study is, so that nobody else changes it meanwhile."""
    wanted = select(members.c.account, members.c.role).where(members.c.study == study).with_for_update()
    return {one.account: one.role for one in connection.execute(wanted)}


def _has_owner(connection: Connection, roles: dict[int, str]) -> bool:
    """Return whether any owner can log in. Asked after the lock: one may have been disabled while it was waited for."""
    owners = [account for account, role in roles.items() if role == OWNER]
    enabled = accounts.c.number.in_(owners) & ~accounts.c.disabled
    return connection.execute(select(accounts.c.number).where(enabled)).first() is not None


def _keep_owner(connection: Connection, study: str, roles: dict[int, str]) -> None:
    if not _has_owner(connection, roles):
        raise BadParameter(f"{study} needs an owner: name another one first. Nothing was changed.")
