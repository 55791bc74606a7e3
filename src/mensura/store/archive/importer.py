"""Importing an archive: what is new is added, what is there must be the same, and any doubt changes nothing."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, Table, insert, select, update

from mensura.dialogue.streams import seed_mark
from mensura.errors import BadFile, Conflict, StoreError
from mensura.store import schema, text
from mensura.store.archive.layout import Line, without_chance, without_folders
from mensura.store.archive.reader import LARGEST, ArchiveReader
from mensura.store.log.row import run_head, run_row
from mensura.store.sealed.chain import read_entries, register_of
from mensura.store.sealed.custody import open_secret
from mensura.store.sealed.proof import audit_within
from mensura.store.sealed.sealing import is_sealed
from mensura.store.store import Store

BATCH = 1000
IMPORTED = "imported a run"
"""How the trail says that a run comes from another store."""


@dataclass(frozen=True)
class Imported:
    """What an import brought."""

    runs: list[str]
    """The ids of the runs in the archive, new or known."""
    seeds: str
    """What the archive says of their seeds: "public", "left out" or "included"."""
    added: dict[str, int] = field(default_factory=dict)
    """New rows by table."""

    def __str__(self) -> str:
        news = ", ".join(f"{count} {table}" for table, count in self.added.items() if count) or "nothing new"
        note = " Their secret seeds were left out: they can be scored, not resumed." * (self.seeds == "left out")
        return f"Imported {', '.join(self.runs)}: {news}.{note}"


def import_archive(store: Store, path: str | Path, *, largest: int = LARGEST) -> Imported:
    """Bring the runs of an archive into a store. Importing one twice, or a later one of the same runs, is no error.

    Parameters
    ----------
    largest
        Bytes the archive may hold when unpacked.

    Raises
    ------
    BadFile
        If the file is damaged, hostile, newer than this program or something else; nothing was changed.
    Conflict
        If the store holds a run, session or event of the same name that is another; nothing was changed.
    """
    with ArchiveReader(Path(path), largest=largest) as archive:
        archive.check()
        known = {head.id for head in store.runs.all()}
        added = read_into(store, archive, verified=True)
        for run in archive.manifest["runs"]:
            if run not in known:
                store.trail.note("", IMPORTED, run, file=Path(path).name)
        return Imported(list(archive.manifest["runs"]), str(archive.manifest.get("seeds")), added)


def read_into(store: Store, archive: ArchiveReader, *, verified: bool) -> dict[str, int]:
    """Bring the runs of an archive into a store, in one transaction; gives the new rows by table.

    Parameters
    ----------
    verified
        Whether a record that is not what was written is refused; an audit takes it in, to say what was altered.
    """
    # What the archive has in plain of runs that are not over is kept back here; the key must be there for that.
    store.keyring.require()
    try:
        with store.database.writing() as connection:
            work = _Import(store, connection, archive)
            added = {
                "runs": work.runs(),
                "sessions": work.sessions(),
                "contents": work.contents(),
                "events": work.events(),
                "truths": work.truths(),
                "results": work.results(),
                "exclusions": work.exclusions(),
                "deeds": work.deeds(),
                "links": work.links(),
            }
            if list(work.run_numbers) != archive.manifest.get("runs"):
                raise BadFile(f"{archive.path} does not hold the runs that its manifest names. Nothing was changed.")
            work.settle()
            if verified:
                work.verify()
                work.keep_back()
    except StoreError as error:
        if type(error) is Conflict or "FOREIGN KEY" not in str(error.__cause__).upper():
            raise
        raise BadFile(f"{archive.path} cannot be imported: it names a content that it does not hold.") from error
    return added


class _Import:
    """One transaction of an import."""

    def __init__(self, store: Store, connection: Connection, archive: ArchiveReader) -> None:
        self.store = store
        self.connection = connection
        self.archive = archive
        self.run_numbers: dict[str, int] = {}
        self.session_numbers: dict[str, int] = {}
        self.new_sessions: set[str] = set()
        self.known_runs: set[str] = set()

    def runs(self) -> int:
        """Add new runs; a known one may only gain its seed."""
        added = 0
        runs = schema.runs
        for line in self.archive.lines("runs"):
            known = self.connection.execute(select(runs).where(runs.c.id == line["id"])).first()
            if known is None:
                _check_seed(line, self.archive)
                added += 1
                new = insert(runs).values(**line, opened=time.time()).returning(runs.c.number)
                number = self.connection.execute(new).scalar_one()
            else:
                number = known.number
                self.known_runs.add(line["id"])
                there = run_row(run_head(known, self.store.keyring))
                seeds = {line["seed"], there["seed"]} - {None}
                if len(seeds) > 1 or _run_differs(line, there):
                    raise _another("run", line["id"])
                if known.seed is None and line["seed"] is not None:
                    _check_seed(line, self.archive)
                    self.connection.execute(update(runs).where(runs.c.number == number).values(seed=line["seed"]))
            self.run_numbers[line["id"]] = number
        return added

    def sessions(self) -> int:
        """Add new sessions; a known one may have ended since."""
        sessions = schema.sessions
        for line in self.archive.lines("sessions"):
            run = self.run_numbers.get(line["run"])
            if run is None:
                raise self._bad(f"session {line['id']!r} belongs to a run that is not in it")
            line["run"] = run
            known = self.connection.execute(select(sessions).where(sessions.c.id == line["id"])).first()
            if known is None:
                made = self.connection.execute(insert(sessions).values(line).returning(sessions.c.number))
                self.session_numbers[line["id"]] = made.scalar_one()
                self.new_sessions.add(line["id"])
                continue
            secret = None if known.secret is None else open_secret(known.secret, known.id, self.store.keyring)
            but = ("status", "created", "ended", "last_words", "secret", "head")
            if _differs(line, known, but=but) or secret != line["secret"]:
                raise _another("session", line["id"])
            if known.status == "open" and line["status"] != "open":
                ended = {name: line[name] for name in ("status", "ended", "last_words", "head")}
                self.connection.execute(update(sessions).where(sessions.c.number == known.number).values(ended))
            self.session_numbers[line["id"]] = known.number
        return len(self.new_sessions)

    def contents(self) -> int:
        """Add contents that are not there; their addresses were checked, so those that are there are the same."""
        contents = schema.contents
        statement = self.store.database.insert(contents).on_conflict_do_nothing()
        added = 0
        for batch in _batches(self.archive.lines("contents")):
            addresses = [line["address"] for line in batch]
            known = set(
                self.connection.execute(select(contents.c.address).where(contents.c.address.in_(addresses))).scalars()
            )
            fresh = sorted((line for line in batch if line["address"] not in known), key=itemgetter("address"))
            if fresh:
                self.connection.execute(statement, fresh)
            added += len(fresh)
        return added

    def events(self) -> int:
        """Add events that are not there; a number that is taken must be taken by the same event."""
        return self._add(schema.events, key=lambda row: row["number"], same=self._same_event)

    def truths(self) -> int:
        """Add versions of truths that are not there."""
        return self._add(schema.truths, key=lambda row: (row["key"], row["version"]), same=_same)

    def results(self) -> int:
        """Add results that are not there; they have no name, so a result is known by all of it."""
        return self._add(schema.results, key=lambda row: tuple(row.values()), same=_same)

    def exclusions(self) -> int:
        """Add decisions to leave sessions out that are not there."""
        return self._add(schema.exclusions, key=lambda row: tuple(row.values()), same=_same)

    def deeds(self) -> int:
        """Add what was done about sessions that is not there."""
        return self._add(schema.deeds, key=lambda row: tuple(row.values()), same=_same)

    def links(self) -> int:
        """Add links that are not there; later results and decisions are bound to a chain that went on here."""
        links, added = schema.links, 0
        for session_id, group in groupby(self.archive.lines("links"), key=itemgetter("session")):
            number = self._number(links, session_id)
            lines = [{**line, "session": number} for line in group]
            there = () if session_id in self.new_sessions else self.connection.execute(_own(links, number))
            known = {row.place: dict(row._mapping) for row in there}
            fork = next((at for at, one in enumerate(lines) if known.get(one["place"], one) != one), None)
            if fork is None:
                fresh = [line for line in lines if line["place"] not in known]
                for batch in _batches(iter(fresh)):
                    self.connection.execute(insert(links), batch)
                added += len(fresh)
                continue
            theirs = [entry for line in lines[fork:] for entry in read_entries(line["listed"])]
            places = [place for place in sorted(known) if place >= lines[fork]["place"]]
            ours = [entry for place in places for entry in read_entries(known[place]["listed"])]
            if not {kind for kind, _, _ in theirs + ours} <= {"result", "exclusion", "deed"}:
                raise self._conflict(links, session_id)
            custodies = self.store.exclusions.custodies
            new = [entry for entry in theirs if entry not in ours]
            custodies.link(self.connection, custodies.find(session_id), new)
            added += bool(new)
        return added

    def settle(self) -> None:
        """Take in what a later archive brought to sessions and runs that were known before."""
        sessions, runs, links = schema.sessions, schema.runs, schema.links
        for name in set(self.session_numbers) - self.new_sessions:
            mine = links.c.session == self.session_numbers[name]
            last = self.connection.execute(select(links.c.head).where(mine).order_by(links.c.place.desc())).scalar()
            if last is not None:
                here = sessions.c.number == self.session_numbers[name]
                self.connection.execute(update(sessions).where(here).values(head=last))
        for run in self.known_runs:
            own = sessions.c.run == self.run_numbers[run]
            register = register_of(self.connection.execute(select(sessions.c.id).where(own)).scalars())
            self.connection.execute(update(runs).where(runs.c.id == run).values(register=register))

    def verify(self) -> None:
        """Compare all that is there now of the archive's runs with its chains."""
        for run in self.run_numbers:
            proof = audit_within(self.store, self.connection, run)
            if not proof.whole:
                raise self._bad(f"it is not what was written. {proof.altered[0]}")

    def keep_back(self) -> None:
        """Keep back what tells the questions of runs that are not over."""
        for run in self.run_numbers:
            row = self.connection.execute(select(schema.runs).where(schema.runs.c.id == run)).one()
            head = run_head(row, self.store.keyring)
            if head.opened and self.store.runs.opening.may_still_ask(head, self.connection):
                self.store.runs.opening.keep_back_again(self.connection, [head])

    def _add(self, table: Table, *, key: Callable[[Line], Any], same: Callable[[Line, Line], bool]) -> int:
        added = 0
        seen: set[str] = set()
        for session_id, group in groupby(self.archive.lines(table.name), key=itemgetter("session")):
            number = self._number(table, session_id)
            # Archives of earlier releases name a session again for each time that it was scored.
            if session_id in seen and table is not schema.results:
                raise self._out_of_place(table, session_id)
            here = session_id if table in (schema.exclusions, schema.deeds) else number
            known: dict[Any, Line] = {}
            if session_id not in self.new_sessions or session_id in seen:
                found = (dict(row._mapping) for row in self.connection.execute(_own(table, here)))
                known = {key(row): row for row in found}
            seen.add(session_id)
            for batch in _batches(self._fresh(group, here, known, key=key, same=same, table=table)):
                self.connection.execute(insert(table), batch)
                added += len(batch)
        return added

    def _fresh(
        self,
        lines: Iterator[Line],
        number: int | str,
        known: dict[Any, Line],
        *,
        key: Callable[[Line], Any],
        same: Callable[[Line, Line], bool],
        table: Table,
    ) -> Iterator[Line]:
        for line in lines:
            session_id, line["session"] = line["session"], number
            there = known.setdefault(key(line), line)
            if there is line:
                yield line
            elif not same(line, there):
                raise self._conflict(table, session_id)

    def _number(self, table: Table, session_id: str) -> int:
        if session_id not in self.session_numbers:
            raise self._out_of_place(table, session_id)
        return self.session_numbers[session_id]

    def _out_of_place(self, table: Table, session_id: str) -> BadFile:
        return self._bad(f"{table.name} of session {session_id!r} are out of place")

    def _conflict(self, table: Table, session_id: str) -> Conflict:
        return Conflict(
            f"The archive's {table.name} of {session_id} are not those in the store; nothing was changed. Import it "
            "into an empty store to look at it."
        )

    def _same_event(self, line: Line, there: Line) -> bool:
        if line == there:
            return True
        if line["kind"] != "save" or not (line["value"] and there["value"]) or is_sealed(there["value"]):
            return False
        bare = {"value": without_chance(line["value"])}, {"value": without_chance(there["value"])}
        if line | bare[0] != there | bare[1]:
            return False
        if bare[1]["value"] == there["value"]:
            # The store's save came without its generator, and the archive brings it.
            events = schema.events
            found = (events.c.session == there["session"]) & (events.c.number == there["number"])
            self.connection.execute(update(events).where(found).values(value=line["value"]))
        return True

    def _bad(self, why: str) -> BadFile:
        return BadFile(f"{self.archive.path} cannot be imported: {why.rstrip('.')}. Nothing was changed.")


def _batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    batch = []
    for line in lines:
        batch.append(line)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _own(table: Table, session: int | str) -> Select[Any]:
    """Select the rows of a session as lines have them; only events are known by their number."""
    names = [column for column in table.columns if column.name != "number" or table is schema.events]
    return select(*names).where(table.c.session == session)


def _same(line: Line, there: Line) -> bool:
    return line == there


def _differs(line: Line, known: Any, *, but: tuple[str, ...]) -> bool:
    return any(getattr(known, name) != value for name, value in line.items() if name not in but)


def _run_differs(line: Line, there: Line) -> bool:
    """Return whether a run in the archive is another than the one in the store; folders were left out."""
    bare = {**there, "details": text.write(without_folders(text.read(there["details"])))}
    return any(
        bare[name] != value
        for name, value in line.items()
        if name not in ("seed", "register") and value not in ("", None)
    )


def _check_seed(line: Line, archive: ArchiveReader) -> None:
    seed = line["seed"]
    if seed is not None and not (seed.isascii() and seed.isdigit() and len(seed) <= 100):
        raise BadFile(f"{archive.path} cannot be imported: {seed[:40]!r} is not a seed. Nothing was changed.")
    mark = "" if seed is None else seed_mark(int(seed))
    line["seed_mark"] = line["seed_mark"] or mark
    if seed is not None and line["seed_mark"] != mark:
        raise BadFile(f"{archive.path} cannot be imported: its seed is not the run's. Nothing was changed.")


def _another(what: str, name: str) -> Conflict:
    return Conflict(f"The store holds another {what} called {name!r}; nothing was changed.")
