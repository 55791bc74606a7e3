"""Recruiting links: one address for each study, by which anyone may come; it is public, and what is derived is not."""

import time
from dataclasses import dataclass, field
from secrets import token_hex, token_urlsafe

from sqlalchemy import Row, select, update

from mensura.errors import UnknownName
from mensura.phrase import phrase
from mensura.store.database import Database
from mensura.store.schema import recruiting_links

NOT_KNOWN = phrase("This link is not known here. Please check that it is complete, or ask for a new one.")
"""The message for people who come by an invalid link, their own or that of a study."""


@dataclass(frozen=True)
class RecruitingLink:
    """The one address of a study; a study has the same for ever, so that nobody comes twice by another."""

    study: str
    token: str
    secret: str = field(repr=False)
    """From it the personal links of those who come are derived; it never leaves the store."""
    created: float
    created_by: str
    closed: float | None

    @property
    def path(self) -> str:
        """Where people come in."""
        return f"/join/{self.token}"


@dataclass(eq=False, repr=False)
class RecruitingLinks:
    """The recruiting links of a store."""

    database: Database

    def open(self, study: str, *, created_by: str = "") -> RecruitingLink:
        """Open the link of a study; one that was closed is the same again."""
        new = {
            "study": study,
            "token": token_urlsafe(12),
            "secret": token_hex(32),
            "created": time.time(),
            "created_by": created_by,
        }
        with self.database.writing() as connection:
            connection.execute(self.database.insert(recruiting_links).values(new).on_conflict_do_nothing())
            mine = recruiting_links.c.study == study
            connection.execute(update(recruiting_links).where(mine).values(closed=None))
            return _link(connection.execute(select(recruiting_links).where(mine)).one())

    def close(self, study: str) -> None:
        """Let nobody new come by the link; those who have a place go on."""
        mine = (recruiting_links.c.study == study) & recruiting_links.c.closed.is_(None)
        with self.database.writing() as connection:
            connection.execute(update(recruiting_links).where(mine).values(closed=time.time()))

    def of(self, study: str) -> RecruitingLink | None:
        """Return the link of a study; None where it has none."""
        with self.database.reading() as connection:
            row = connection.execute(select(recruiting_links).where(recruiting_links.c.study == study)).first()
        return None if row is None else _link(row)

    def find(self, token: str) -> RecruitingLink:
        """Find a link by its token."""
        with self.database.reading() as connection:
            row = connection.execute(select(recruiting_links).where(recruiting_links.c.token == token)).first()
        if row is None:
            raise UnknownName(NOT_KNOWN)
        return _link(row)


def _link(row: Row[tuple[object, ...]]) -> RecruitingLink:
    return RecruitingLink(row.study, row.token, row.secret, row.created, row.created_by, row.closed)
