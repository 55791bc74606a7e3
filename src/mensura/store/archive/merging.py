"""Merging: one transaction that brings the lines of an archive into a store, table by table."""

import time
from collections.abc import Callable, Iterator
from itertools import groupby
from operator import eq, itemgetter
from typing import Any

from sqlalchemy import Connection, Table, insert, select, update

from mensura.errors import BadFile, Conflict
from mensura.store import schema
from mensura.store.archive.comparing import another, batches, check_seed, differs, own_rows, run_differs
from mensura.store.archive.layout import Line, without_chance
from mensura.store.archive.reader import ArchiveReader
from mensura.store.log.row import run_head, run_row
from mensura.store.sealed.chain import read_entries, register_of
from mensura.store.sealed.custody import open_secret
from mensura.store.sealed.proof import audit_within
from mensura.store.sealed.sealing import is_sealed
from mensura.store.store import Store


class Merging:
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
            if line["id"] in self.run_numbers:
                raise self._bad(f"run {line['id']!r} appears in it twice")
            known = self.connection.execute(select(runs).where(runs.c.id == line["id"])).first()
            if known is None:
                check_seed(line, self.archive)
                added += 1
                new = insert(runs).values(**line, opened=time.time()).returning(runs.c.number)
                number = self.connection.execute(new).scalar_one()
            else:
                number = known.number
                self.known_runs.add(line["id"])
                there = run_row(run_head(known, self.store.keyring))
                seeds = {line["seed"], there["seed"]} - {None}
                if len(seeds) > 1 or run_differs(line, there):
                    raise another("run", line["id"])
                if known.seed is None and line["seed"] is not None:
                    check_seed(line, self.archive)
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
            if line["id"] in self.session_numbers:
                raise self._bad(f"session {line['id']!r} appears in it twice")
            line["run"] = run
            known = self.connection.execute(select(sessions).where(sessions.c.id == line["id"])).first()
            if known is None:
                made = self.connection.execute(insert(sessions).values(line).returning(sessions.c.number))
                self.session_numbers[line["id"]] = made.scalar_one()
                self.new_sessions.add(line["id"])
                continue
            secret = None if known.secret is None else open_secret(known.secret, known.id, self.store.keyring)
            but = ("status", "created", "ended", "last_words", "secret", "head")
            if differs(line, known, but=but) or secret != line["secret"]:
                raise another("session", line["id"])
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
        for batch in batches(self.archive.lines("contents")):
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
        return self._add(schema.truths, key=lambda row: (row["key"], row["version"]), same=eq)

    def results(self) -> int:
        """Add results that are not there; they have no name, so a result is known by all of it."""
        return self._add(schema.results, key=lambda row: tuple(row.values()), same=eq)

    def exclusions(self) -> int:
        """Add decisions to leave sessions out that are not there."""
        return self._add(schema.exclusions, key=lambda row: tuple(row.values()), same=eq)

    def deeds(self) -> int:
        """Add what was done about sessions that is not there."""
        return self._add(schema.deeds, key=lambda row: tuple(row.values()), same=eq)

    def links(self) -> int:
        """Add links that are not there; later results and decisions are bound to a chain that went on here."""
        links, added = schema.links, 0
        for session_id, group in groupby(self.archive.lines("links"), key=itemgetter("session")):
            number = self._number(links, session_id)
            lines = [{**line, "session": number} for line in self._in_order(links, group, "place")]
            there = () if session_id in self.new_sessions else self.connection.execute(own_rows(links, number))
            known = {row.place: dict(row._mapping) for row in there}
            fork = next((at for at, one in enumerate(lines) if known.get(one["place"], one) != one), None)
            if fork is None:
                fresh = [line for line in lines if line["place"] not in known]
                for batch in batches(iter(fresh)):
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
        """Keep back what reveals the questions of unfinished runs."""
        for run in self.run_numbers:
            row = self.connection.execute(select(schema.runs).where(schema.runs.c.id == run)).one()
            head = run_head(row, self.store.keyring)
            if head.opened and self.store.runs.opening.may_still_ask(head, self.connection):
                self.store.runs.opening.keep_back_again(self.connection, [head])

    def _add(self, table: Table, *, key: Callable[[Line], Any], same: Callable[[Line, Line], bool]) -> int:
        added = 0
        seen: set[str] = set()
        given: set[Any] = set()
        for session_id, group in groupby(self.archive.lines(table.name), key=itemgetter("session")):
            number = self._number(table, session_id)
            if table is not schema.results:
                given.clear()
            # Archives of earlier releases name a session again for each time that it was scored.
            if session_id in seen and table is not schema.results:
                raise self._out_of_place(table, session_id)
            here = session_id if table in (schema.exclusions, schema.deeds) else number
            known: dict[Any, Line] = {}
            group = self._in_order(table, group, "number") if table is schema.events else group
            if session_id not in self.new_sessions or session_id in seen:
                found = (dict(row._mapping) for row in self.connection.execute(own_rows(table, here)))
                known = {key(row): row for row in found}
            seen.add(session_id)
            group = self._once(table, group, key, given)
            for batch in batches(self._fresh(group, here, known, key=key, same=same, table=table)):
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

    def _in_order(self, table: Table, lines: Iterator[Line], name: str) -> Iterator[Line]:
        last = None
        for line in lines:
            if last is not None and line[name] <= last:
                raise self._out_of_place(table, line["session"])
            last = line[name]
            yield line

    def _once(self, table: Table, lines: Iterator[Line], key: Callable[[Line], Any], given: set[Any]) -> Iterator[Line]:
        for line in lines:
            if (one := (line["session"], key(line))) in given:
                raise self._bad(f"{table.name}.jsonl has a line of session {line['session']!r} twice")
            given.add(one)
            yield line

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
