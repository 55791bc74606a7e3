"""Verifying: is a record what was written? Every row is compared with the chain, and the first that is not is named.

The chain shows accidents, and alterations that do not rewrite all of it. Someone who can write to the store could do
that: only a head that was published, or signed, binds the laboratory itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, collate, func, select

from mensura.dialogue.canonical import content_address
from mensura.dialogue.streams import seed_mark
from mensura.errors import Altered, MissingKey
from mensura.store import text
from mensura.store.log.events import COLUMNS
from mensura.store.log.row import run_head
from mensura.store.schema import contents, deeds, events, exclusions, links, results, runs, sessions, truths
from mensura.store.sealed.chain import (
    DEED,
    ERASED,
    EXCLUSION,
    RESULT,
    Entry,
    begin_entries,
    bound_run,
    digest,
    next_head,
    ordered_chain_head,
    read_entries,
    read_register,
    register_of,
    run_chain_head,
)
from mensura.store.sealed.custody import Custody

if TYPE_CHECKING:
    from mensura.store.store import Store


LOGGED = f"SELECT {', '.join(COLUMNS)} FROM events WHERE session = ? ORDER BY number"


@dataclass
class Proof:
    """The result of an audit of a run."""

    run: str
    head: str = ""
    """The head of the run's chain: publish or sign it, and nothing before it can be changed unseen."""
    sessions: int = 0
    rows: int = 0
    erased: list[str] = field(default_factory=list)
    """Sessions whose content was erased: their chains hold, and tell nothing."""
    erasures: list[str] = field(default_factory=list)
    """Sentences on what people who withdrew took with them, and when."""
    unchained: list[str] = field(default_factory=list)
    """Sessions that were recorded before there were chains: of them nothing is proved."""
    altered: list[str] = field(default_factory=list)
    """Sentences on what is not as it was written, the first first."""

    @property
    def whole(self) -> bool:
        """Return whether nothing was found to be altered."""
        return not self.altered

    @property
    def warning(self) -> str:
        """A sentence that names the first altered line; empty where there is none."""
        if self.whole:
            return ""
        more = f" {len(self.altered) - 1} more were found." if len(self.altered) > 1 else ""
        return (
            f"The record of {self.run} is not what was written: {self.altered[0]}{more} `mensura audit {self.run}` "
            "lists them; restore it from a copy or an export."
        )

    def require(self) -> "Proof":
        """Raise a sentence that names the first altered line."""
        if self.altered:
            raise Altered(self.warning)
        return self

    def data(self) -> dict[str, Any]:
        """Return the proof as JSON."""
        return {"whole": self.whole, **{name: getattr(self, name) for name in self.__dataclass_fields__}}

    def __str__(self) -> str:
        kept = [f"{self.sessions} {'session' if self.sessions == 1 else 'sessions'}, {self.rows} rows"]
        kept += [f"{len(self.erased)} erased"] if self.erased else []
        kept += [f"{len(self.unchained)} without a chain (recorded by an earlier release)"] if self.unchained else []
        verdict = "the chain is whole" if self.whole else "NOT what was written"
        words = [f"{self.run}: {verdict} ({', '.join(kept)}).", *self.altered, *self.erasures, f"Head: {self.head}"]
        return "\n".join(words)


def audit_run(store: "Store", run_id: str, *, prompts: bool = True) -> Proof:
    """Compare every row of a run with its chain; without `prompts` what was shown is not read again."""
    run_id = store.runs.find(run_id).id
    with store.database.snapshot() as connection:
        return audit_within(store, connection, run_id, prompts=prompts)


def audit_within(store: "Store", connection: Connection, run_id: str, *, prompts: bool = True) -> Proof:
    """Compare every row of a run with its chain, as a transaction sees them."""
    run_row = connection.execute(select(runs).where(runs.c.id == run_id)).one()
    proof, heads = Proof(run_id), {}
    head = run_head(run_row, store.keyring)
    bound = bound_run(head)
    # Runs of this release name how streams are derived, and all their sessions have a chain.
    chained = "streams" in text.read(run_row.details)
    named = sessions.c.id.startswith(f"{run_id}/", autoescape=True)
    ordered = select(sessions).where((sessions.c.run == run_row.number) | named).order_by(sessions.c.number)
    for session in connection.execute(ordered).all():
        if session.run != run_row.number:
            proof.altered.append(f"Session {session.id} was moved to another run.")
            continue
        proof.sessions += 1
        audited = _Session(store, connection, bound, session, chained=chained)
        heads[session.id] = audited.head
        proof.altered += audited.findings(prompts=prompts)
        proof.rows += audited.rows
        proof.erasures += audited.erasures()
        if audited.is_erased:
            proof.erased.append(session.id)
        elif not audited.is_chained:
            proof.unchained.append(session.id)
    proof.head = run_chain_head(heads)
    if proof.sessions and run_row.register != register_of(heads) and (run_row.register or chained):
        try:
            many, _ = read_register(run_row.register)
            proof.altered.append(f"The run had {many} sessions; {len(heads)} are there, or others.")
        except Altered:
            proof.altered.append(f"The register of the sessions of {run_id} was altered.")
    if head.seed is not None and head.seed_mark and seed_mark(head.seed) != head.seed_mark:
        proof.altered.append(f"The seed of {run_id} is not the one that it was begun with.")
    # The run's own line is bound by each of its sessions.
    proof.altered = list(dict.fromkeys(proof.altered))
    return proof


def run_head_of(store: "Store", run_id: str) -> str:
    """Return the head of a run's chain as it stands, without comparing anything."""
    mine = select(sessions.c.number).join(runs, runs.c.number == sessions.c.run).where(runs.c.id == run_id)
    last = select(links.c.session, func.max(links.c.place).label("place")).group_by(links.c.session)
    # Only of this run: a store holds the links of all others too.
    last_of = last.where(links.c.session.in_(mine)).subquery()
    ends = select(sessions.c.id, func.coalesce(links.c.head, "").label("head")).join(
        runs, runs.c.number == sessions.c.run
    )
    ends = ends.outerjoin(last_of, last_of.c.session == sessions.c.number).outerjoin(
        links, (links.c.session == last_of.c.session) & (links.c.place == last_of.c.place)
    )
    # By code points, as Python sorts.
    order = collate(sessions.c.id, "C" if store.database.place.path is None else "BINARY")
    with store.database.reading() as connection:
        if connection.execute(select(links.c.session).where(links.c.session.in_(mine)).limit(1)).first() is None:
            return ""
        rows = connection.execution_options(yield_per=500).execute(ends.where(runs.c.id == run_id).order_by(order))
        return ordered_chain_head((row.id, row.head) for row in rows)


def begun_under(store: "Store", run_id: str) -> bool | None:
    """Return whether the first session of a run was begun under the run's own line as it is now, its plan included.

    None where no chain tells: of runs of the first release, after an erasure, or without the store's key.
    """
    head = store.runs.find(run_id)
    wanted = select(sessions, links.c.listed).join(links, links.c.session == sessions.c.number)
    wanted = wanted.where(
        sessions.c.run == store.runs.number(run_id), links.c.place == 1, sessions.c.secret.is_not(None)
    )
    with store.database.reading() as connection:
        row = connection.execute(wanted.order_by(sessions.c.number).limit(1)).first()
    if row is None:
        return None
    custody = Custody(row.number, row.id, row.run, row.secret, store.keyring)
    try:
        now = digest(custody.sealer.salt, bound_run(head))  # type: ignore[union-attr]
    except MissingKey:
        return None
    return any(kind == "run" and was == now for kind, _, was in read_entries(row.listed))


class _Session:
    """One session under audit."""

    def __init__(
        self, store: "Store", connection: Connection, run: Sequence[Any], session: Any, *, chained: bool
    ) -> None:
        self.store, self.connection, self.run, self.session = store, connection, run, session
        self.custody = Custody(session.number, session.id, session.run, session.secret, store.keyring)
        wanted = select(links).where(links.c.session == session.number).order_by(links.c.place)
        self.links = connection.execute(wanted).all()
        self.head = self.links[-1].head if self.links else ""
        self.is_chained = bool(self.links)
        self.was_chained = chained or session.secret is not None or session.head is not None
        self.is_erased = self.is_chained and session.secret is None
        self.rows = 0

    def erasures(self) -> Iterator[str]:
        """Return when events of the session were erased, and how many."""
        listed = self._listed()
        taken = [which for kind, which, _ in listed if kind == ERASED]
        if self.is_erased:
            taken = [(self.session.ended, sum(kind == "event" for kind, _, _ in listed))]
        for when, many in taken:
            what = f"{many} events of session {self.session.id} were" if many else f"A name about {self.session.id} was"
            yield f"{what} erased on {text.day(when)}: someone withdrew."

    def _listed(self) -> list[Entry]:
        return [entry for link in self.links for entry in read_entries(link.listed)]

    def findings(self, *, prompts: bool) -> list[str]:
        """Name what is not as it was written, in the order of the chain."""
        if not self.is_chained:
            return [f"The chain of session {self.session.id} is gone."] if self.was_chained else []
        if broken := self._broken_link():
            return [broken]
        if self.is_erased:
            name = self.session.id
            return [f"The {what} of session {name} was slipped in after it was erased." for what in self._all()]
        return [*self._compared(), *(self._contents() if prompts else ())]

    def _broken_link(self) -> str:
        before = ""
        for place, link in enumerate(self.links, start=1):
            if link.place != place or link.head != next_head(before, link.listed):
                return f"Link {place} of the chain of session {self.session.id} was altered or is gone."
            before = link.head
        if self.session.head is not None and all(link.head != self.session.head for link in self.links):
            return f"The end of the chain of session {self.session.id} is gone."
        return ""

    def _compared(self) -> Iterator[str]:
        salt = self.custody.sealer.salt  # type: ignore[union-attr]
        found = self._found(salt)
        listed = self._listed()
        # What was left by an erasure is listed anew behind it.
        begin = max((place for place, entry in enumerate(listed) if entry[0] == ERASED), default=-1)
        listed = listed[begin + 1 :]
        self.rows = len(listed)
        own = [(kind, digest_) for kind, _, digest_ in listed if kind in ("run", "session")]
        if own and all(found["begin"].get(kind) != was for kind, was in own):
            yield f"The secret of session {self.session.id} is not the one that it was written under."
            return
        counts = {"result": 0, "exclusion": 0, "deed": 0}
        last_status = max((place for place, entry in enumerate(listed) if entry[0] == "status"), default=-1)
        for place, (kind, which, was) in enumerate(listed):
            if kind in ("run", "session"):
                now = found["begin"].get(kind)
            elif kind == "status":
                now = found["begin"][kind] if place == last_status else was
            elif kind in counts:
                held = found[kind]
                now = held[counts[kind]] if counts[kind] < len(held) else None
                which, counts[kind] = counts[kind] + 1, counts[kind] + 1
            else:
                now = found.get(kind, {}).pop(which, None)
            if now != was:
                yield f"{self._name(kind, which)} {'is gone' if now is None else 'was altered'}."
        for kind in ("event", "truth"):
            for which in found[kind]:
                yield f"{self._name(kind, which)} was slipped in."
        for kind, many in counts.items():
            if len(found[kind]) > many:
                yield f"{self._name(kind, many + 1)} was slipped in."

    def _found(self, salt: bytes) -> dict[str, Any]:
        """Digest the rows as they are now."""
        number = self.session.number
        begin = {kind: made for kind, _, made in begin_entries(salt, self.run, dict(self.session._mapping))}
        logged = self.connection.exec_driver_sql(self.store.database.sql(LOGGED), (number,))
        known = self._each(select(truths).where(truths.c.session == number))
        scored = self._each(select(results).where(results.c.session == number).order_by(results.c.number))
        mine = exclusions.c.session == self.session.id
        decided = self._each(select(exclusions).where(mine).order_by(exclusions.c.number))
        done = self._each(select(deeds).where(deeds.c.session == self.session.id).order_by(deeds.c.number))
        return {
            "begin": begin,
            "event": {row[1]: digest(salt, row[1:]) for row in logged},
            "truth": {(row.key, row.version): digest(salt, tuple(row)[1:]) for row in known},
            "result": [digest(salt, [getattr(row, name) for name in RESULT]) for row in scored],
            "exclusion": [digest(salt, [getattr(row, name) for name in EXCLUSION]) for row in decided],
            "deed": [digest(salt, [getattr(row, name) for name in DEED]) for row in done],
        }

    def _each(self, wanted: Any) -> Sequence[Any]:
        return self.connection.execute(wanted).all()

    def _all(self) -> list[str]:
        """Name the kinds of rows that the session has."""
        tables = {"log": events, "truth": truths, "result": results}
        return [
            name
            for name, table in tables.items()
            if self.connection.execute(select(table.c.session).where(table.c.session == self.session.number)).first()
        ]

    def _contents(self) -> Iterator[str]:
        """Compare prompts and spaces with the addresses under which the log has them."""
        used = select(events.c.number, events.c.key, events.c.content, contents.c.body)
        used = used.outerjoin(contents, contents.c.address == events.c.content)
        used = used.where(events.c.session == self.session.number, events.c.content.is_not(None))
        seen: set[str] = set()
        for row in self.connection.execute(used.order_by(events.c.number)):
            if row.content in seen:
                continue
            seen.add(row.content)
            if row.body is None or content_address(row.body) != row.content:
                what = "is gone" if row.body is None else "was altered"
                yield f"What event {row.number} ({row.key!r}) of session {self.session.id} showed {what}."

    def _name(self, kind: str, which: Any) -> str:
        where = f"of session {self.session.id}"
        if kind == "event":
            row = self.connection.execute(
                select(events.c.kind, events.c.key).where(
                    events.c.session == self.session.number, events.c.number == which
                )
            ).first()
            return f"Event {which} {where}" if row is None else f"Event {which} ({row.kind} {row.key!r}) {where}"
        if kind == "truth":
            return f"The truth of {which[0]!r} (version {which[1]}) {where}"
        if kind == "deed":
            mine = select(deeds.c.kind).where(deeds.c.session == self.session.id).order_by(deeds.c.number)
            found = self.connection.execute(mine.offset(which - 1).limit(1)).scalar()
            return f"Deed {which} {f'({found}) ' if found else ''}{where}"
        if kind in ("result", "exclusion"):
            return f"{kind.capitalize()} {which} {where}"
        return f"The run's own line ({self.run[0]})" if kind == "run" else f"The {kind} {where}"
