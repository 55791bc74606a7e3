"""Erasure: what a person did leaves the store, also from the sessions of others and from the panels that rate it."""

import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, or_, select, update

from mensura.dialogue.canonical import canonical
from mensura.store import text
from mensura.store.database import Database
from mensura.store.log.saves import Saves
from mensura.store.people.presence import types
from mensura.store.people.trail import OBSERVED
from mensura.store.schema import (
    artefacts,
    assignments,
    audit,
    contents,
    deeds,
    events,
    exclusions,
    panels,
    ratings,
    results,
    runs,
    sessions,
    signs,
    truths,
)
from mensura.store.sealed.adoption import Adoption
from mensura.store.sealed.chain import ERASED, Entry
from mensura.store.sealed.custody import Custodies, Custody

SIGN = "invitation "
"""How a participant is named in logs, among signs of life and in the audit trail: by this and a number."""
SEATS = ("join", "leave", "replace")
WHOLE = ("save", "digest", "end", "fail")
"""Events that are made of everybody's answers."""
MOST_AT_ONCE = 5000
"""Prompts named in one query: databases have a limit."""
MASK = "[masked]"
SHORTEST_NAME = 3
"""Letters of a name that is masked: shorter ones are words too often."""
EXCLUDED, INCLUDED = "excluded a session", "included a session again"
"""How the trail says that a decision was made about a session."""
ERASED_ARTEFACT = "erased"
"""The kind of an artefact whose maker withdrew."""


@dataclass(eq=False, repr=False)
class Erasure:
    """Erases people from a store."""

    database: Database
    custodies: Custodies
    adoption: Adoption
    saves: Saves

    def erase(self, connection: Connection, who: str, seats: Mapping[str, str], names: Collection[str]) -> float | None:
        """Take a person out of everything; returns when they were last heard of in a session.

        Parameters
        ----------
        who
            Their sign.
        seats
            Session → the role that they were invited to.
        names
            What they are called, where that is known.
        """
        if self.database.place.path is None:
            # Otherwise another writer could be about to refer to a prompt that is taken away here.
            connection.exec_driver_sql("LOCK TABLE contents IN SHARE ROW EXCLUSIVE MODE")
        rows = connection.execute(select(sessions).where(sessions.c.id.in_(list(seats)))).all()
        shown = self._shown_in(connection, [row.number for row in rows])
        last = connection.execute(
            select(func.max(events.c.time)).where(events.c.session.in_([row.number for row in rows]))
        ).scalar()
        gone = [self._from_session(connection, row, who) for row in rows]
        sources = [row.id for row, erased in zip(rows, gone, strict=True) if erased]
        shown |= self._from_panels(connection, sources, names)
        _from_trail(connection, who, list(seats))
        self._from_reasons(connection, names)
        connection.execute(delete(signs).where(signs.c.name.in_([who, types(who)])))
        listed = sorted(shown)
        for begin in range(0, len(listed), MOST_AT_ONCE):
            some = listed[begin : begin + MOST_AT_ONCE]
            used = set(
                connection.execute(select(events.c.content).distinct().where(events.c.content.in_(some))).scalars()
            )
            connection.execute(delete(contents).where(contents.c.address.in_(set(some) - used)))
        return last

    def _shown_in(self, connection: Connection, numbers: Collection[int]) -> set[str]:
        """Return the addresses of what sessions showed."""
        mine = select(events.c.content).distinct().where(events.c.session.in_(list(numbers)))
        return set(connection.execute(mine.where(events.c.content.is_not(None))).scalars())

    def _from_session(self, connection: Connection, row: Any, who: str) -> bool:
        """Erase a session, or from one with other people all that was theirs; False where nothing was."""
        seated = select(events).where(events.c.session == row.number, events.c.kind.in_(SEATS))
        held, others = _spans(connection.execute(seated.order_by(events.c.number)).all(), who)
        if others and not held:
            return False
        log = events.c.session == row.number
        many = connection.execute(select(func.count()).where(log)).scalar_one()
        if others:
            kept = events.c.role.in_(others) & events.c.kind.not_in(WHOLE) & ~or_(*held)
            connection.execute(delete(events).where(log, ~kept))
            # What others were shown and earned after an answer tells the answer.
            hidden = {"content": None, "reward": None, "sealed": None}
            connection.execute(update(events).where(log).values(hidden))
        else:
            connection.execute(delete(events).where(log))
        for table in (truths, results):
            connection.execute(delete(table).where(table.c.session == row.number))
        for table in (exclusions, deeds):
            connection.execute(delete(table).where(table.c.session == row.id))
        cast = {role: subject for role, subject in text.read(row.cast).items() if role in others}
        # Without its secret nobody can tell any more what the session's chain was made of; that it held, stays.
        ended = {"status": "withdrawn", "last_words": "", "ended": time.time(), "cast": canonical(cast), "secret": None}
        connection.execute(update(sessions).where(sessions.c.number == row.number).values(ended))
        if others:
            left = connection.execute(select(func.count()).where(log)).scalar_one()
            self._bind_again(connection, row, many - left)
        self.custodies.forget(row.id)
        return True

    def _bind_again(self, connection: Connection, session: Any, many: int) -> None:
        """Bind what is left of a session from which so many events were taken."""
        erased: Entry = (ERASED, [time.time(), many], "")
        self.adoption.bind(connection, self.custodies.of_erased(session), [erased])

    def _from_reasons(self, connection: Connection, names: Collection[str]) -> None:
        """Mask a person's name in reasons that were given about the sessions of others."""
        masked = masking(names)
        for row in connection.execute(select(exclusions)).all():
            if (reason := masked(row.reason)) == row.reason:
                continue
            connection.execute(update(exclusions).where(exclusions.c.number == row.number).values(reason=reason))
            session = connection.execute(select(sessions).where(sessions.c.id == row.session)).first()
            if session is not None and session.secret is not None:
                erased: Entry = (ERASED, [time.time(), 0], "")
                self.adoption.list_anew(connection, self.custodies.of_row(session), [erased])
        told = audit.c.did.in_((EXCLUDED, INCLUDED))
        for row in connection.execute(select(audit).where(told)).all():
            if (details := masked(row.details)) != row.details:
                connection.execute(update(audit).where(audit.c.number == row.number).values(details=details))

    def _from_panels(self, connection: Connection, sources: Collection[str], names: Collection[str]) -> set[str]:
        """Take what was to be rated out of panels, with every rating of it; return what its raters were shown."""
        shown: set[str] = set()
        found = connection.execute(select(artefacts).where(artefacts.c.source.in_(list(sources)))).all()
        for panel in dict.fromkeys(row.panel for row in found):
            codes = {row.code for row in found if row.panel == panel}
            numbers = [row.number for row in found if row.panel == panel]
            connection.execute(delete(ratings).where(ratings.c.artefact.in_(numbers)))
            connection.execute(delete(artefacts).where(artefacts.c.number.in_(numbers)))
            _from_report(connection, panel, codes, names)
            for row in connection.execute(select(assignments).where(assignments.c.panel == panel)).all():
                work = text.read(row.work)
                left = [one for one in work if one[0] not in codes]
                if len(left) < len(work):
                    mine = assignments.c.number == row.number
                    connection.execute(update(assignments).where(mine).values(work=canonical(left)))
                    shown |= self._from_rater(connection, row.session, codes)
        return shown

    def _from_rater(self, connection: Connection, name: str, codes: Collection[str]) -> set[str]:
        """Take artefacts out of a rater's session with what was said of them; return what the session showed."""
        session = connection.execute(select(sessions).where(sessions.c.id == name)).one()
        run = connection.execute(select(runs).where(runs.c.number == session.run)).one()
        parameters = text.read(run.parameters)
        left = [
            {"code": one["code"], "kind": ERASED_ARTEFACT} if one["code"] in codes else one
            for one in parameters["artefacts"]
        ]
        # The hash of the old parameters would let the text be guessed.
        values = {"parameters": text.write({**parameters, "artefacts": left}), "instance_hash": ""}
        connection.execute(update(runs).where(runs.c.number == run.number).values(values))
        if session.status == "withdrawn":
            return set()
        shown = self._shown_in(connection, [session.number])
        log = events.c.session == session.number
        custody = Custody(session.number, name, session.run, session.secret, self.custodies.keyring)
        self._last_save_only(connection, custody)
        about = or_(*(events.c.key.startswith(f"{code}/", autoescape=True) for code in codes))
        many = connection.execute(delete(events).where(log, about)).rowcount
        connection.execute(delete(events).where(log, events.c.kind == "digest"))
        connection.execute(delete(results).where(results.c.session == session.number))
        self._bind_again(connection, session, many)
        self.custodies.forget(name)
        return shown

    def _last_save_only(self, connection: Connection, custody: Custody) -> None:
        """Leave of the saves the one that a resume needs, unsealed, without the digest of what was shown before."""
        saves = (events.c.session == custody.number) & (events.c.kind == "save")
        found = connection.execute(select(events).where(saves).order_by(events.c.number)).all()
        for row in found[-1:]:
            value = {**self.saves.open(custody, row.number, row.value), "digest": ""}
            here = saves & (events.c.number == row.number)
            connection.execute(update(events).where(here).values(value=text.write(value)))
            connection.execute(delete(events).where(saves, events.c.number < row.number))


def masking(names: Iterable[str]) -> Callable[[str], str]:
    """Return what masks names in a text, as whole words and whatever their case.

    >>> masking(["Ada", "Ada Lovelace"])("ADA LOVELACE and Adam talked")
    '[masked] and Adam talked'
    """
    terms = sorted({name.strip() for name in names if len(name.strip()) >= SHORTEST_NAME}, key=len, reverse=True)
    found = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, terms))})(?!\w)", re.IGNORECASE)
    return lambda words: found.sub(MASK, words) if terms else words


def _spans(seated: Iterable[Any], who: str) -> tuple[list[ColumnElement[bool]], set[str]]:
    """Find the events of someone who held a role from one number to another, and the roles that other people held."""
    held: list[ColumnElement[bool]] = []
    others: set[str] = set()
    since: dict[str, int] = {}
    for row in seated:
        if row.kind == "leave":
            continue
        holder = str(text.read(row.value))
        if row.role in since and holder != who:
            span = events.c.number.between(since.pop(row.role), row.number - 1)
            held.append((events.c.role == row.role) & span)
        if holder == who:
            since.setdefault(row.role, row.number)
        elif holder.startswith(SIGN):
            others.add(row.role)
    held += [(events.c.role == role) & (events.c.number >= number) for role, number in since.items()]
    return held, others


def _from_report(connection: Connection, panel: str, codes: Collection[str], names: Collection[str]) -> None:
    """Take codes and names out of what screening reported, and what was settled about them out of the trail."""
    row = connection.execute(select(panels).where(panels.c.name == panel)).one()
    details = text.read(row.details)
    report = details.get("screening", {})
    masked = {
        code: {term: times for term, times in terms.items() if term not in names}
        for code, terms in report.get("masked", {}).items()
        if code not in codes
    }
    lists = {name: [code for code in report.get(name, ()) if code not in codes] for name in ("cleaned", "unread")}
    left = canonical({**details, "screening": {"masked": masked, **lists}})
    connection.execute(update(panels).where(panels.c.number == row.number).values(details=left))
    for line in connection.execute(select(audit).where(audit.c.what == panel)).all():
        if text.read(line.details).get("code") in codes:
            connection.execute(update(audit).where(audit.c.number == line.number).values(details="{}"))


def _from_trail(connection: Connection, who: str, names: Collection[str]) -> None:
    """Take what was observed of a person out of the audit trail, and the reasons that were given about sessions."""
    connection.execute(delete(audit).where(audit.c.what == who, audit.c.did.startswith(OBSERVED)))
    connection.execute(update(audit).where(audit.c.what.in_([who, *names])).values(details="{}"))
