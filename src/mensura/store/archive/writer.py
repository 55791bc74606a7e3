"""Writing an archive: every table of the runs as lines of JSON, with counts and checksums in a manifest."""

import json
import os
import time
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Select, select

from mensura.errors import Conflict
from mensura.private_file import make_private
from mensura.store import schema, text
from mensura.store.archive.ends import TOLD_BY, Ends, archive_chain
from mensura.store.archive.layout import FORMAT, LINES, MANIFEST, VERSION, Line, Seeds, without_chance, without_folders
from mensura.store.head import RunHead
from mensura.store.log.row import run_row
from mensura.store.migrations import MIGRATIONS
from mensura.store.sealed.custody import open_secret
from mensura.store.sealed.sealing import is_sealed
from mensura.store.sealed.signature import sign
from mensura.store.store import Store
from mensura.text_file import unwritable

EPOCH = (1980, 1, 1, 0, 0, 0)
_encode = json.JSONEncoder().encode


def write_archive(
    store: Store, heads: Sequence[RunHead], path: Path, *, with_seeds: bool, signed: bool = False, study: str = ""
) -> tuple[dict[str, int], str]:
    """Write runs into one zip; return the number of lines of each table, and the SHA-256 of the file.

    The file appears whole or not at all. Where a study is named, its sessions must end with the deed that says so.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with (
            zipfile.ZipFile(make_private(part), "w", zipfile.ZIP_DEFLATED) as archive,
            store.database.snapshot() as connection,
        ):
            ends = Ends()
            tables = {
                table: _write_table(
                    archive, table, _lines(store, connection, table, heads, with_seeds=with_seeds), ends
                )
                for table in LINES
            }
            if study and (missing := ends.missing(study)):
                raise Conflict(f"Something was written about {study} meanwhile ({missing}); archive it again.")
            manifest = {
                "format": FORMAT,
                "version": VERSION,
                "schema": len(MIGRATIONS),
                "written": time.time(),
                "runs": ends.ids,
                **({"study": study} if study else {}),
                "seeds": seeds_of(heads, with_seeds=with_seeds),
                "tables": tables,
                "ends": ends.runs,
                **({"signature": sign({run: head for run, (_, _, head) in ends.runs.items()})} if signed else {}),
            }
            manifest["chain"] = archive_chain(manifest)
            archive.writestr(zipfile.ZipInfo(MANIFEST, EPOCH), json.dumps(manifest, indent=1))
        with part.open("rb") as file:
            whole = file_digest(file, "sha256").hexdigest()
        os.replace(part, path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return {table: facts["rows"] for table, facts in tables.items()}, whole


def ends_of(store: Store, heads: Sequence[RunHead]) -> Ends:
    """Find where the chains of some runs end now."""
    ends = Ends()
    with store.database.snapshot() as connection:
        for table in TOLD_BY:
            for line in _lines(store, connection, table, heads, with_seeds=False):
                ends.take(table, line)
    return ends


def seeds_of(heads: Sequence[RunHead], *, with_seeds: bool) -> Seeds:
    """Return what becomes of the seeds of these runs."""
    if all(head.seed_public for head in heads):
        return "public"
    return "included" if with_seeds and any(head.seed is not None for head in heads) else "left out"


def _write_table(archive: zipfile.ZipFile, table: str, lines: Iterator[Line], ends: Ends) -> dict[str, Any]:
    info = zipfile.ZipInfo(f"{table}.jsonl", EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    digest, rows, size = sha256(), 0, 0
    with archive.open(info, "w", force_zip64=True) as file:
        for line in lines:
            ends.take(table, line)
            data = _encode({name: value for name, value in line.items() if value is not None}).encode() + b"\n"
            file.write(data)
            digest.update(data)
            rows += 1
            size += len(data)
    return {"rows": rows, "bytes": size, "sha256": digest.hexdigest()}


def _lines(
    store: Store, connection: Connection, table: str, heads: Sequence[RunHead], *, with_seeds: bool
) -> Iterator[Line]:
    if table == "runs":
        listed = connection.execute(select(schema.runs.c.id, schema.runs.c.register))
        registers = {row.id: row.register for row in listed}
        for head in heads:
            yield {**_run_line(head, with_seed=with_seeds or head.seed_public), "register": registers[head.id]}
        return
    secret = set() if with_seeds else {head.id for head in heads if not head.seed_public}
    names = tuple(LINES[table])
    rows = connection.execution_options(yield_per=1000).execute(_select(table, [head.id for head in heads]))
    for row in rows:
        line = dict(zip(names, row, strict=False))
        if table == "sessions" and line["secret"] is not None:
            line["secret"] = open_secret(line["secret"], line["id"], store.keyring)
        if table == "events" and line["kind"] == "save" and row.run_id in secret and not is_sealed(line["value"]):
            line["value"] = without_chance(line["value"])
        yield line


def _run_line(head: RunHead, *, with_seed: bool) -> Line:
    row = run_row(head)
    line = {name: row[name] for name in LINES["runs"] if name in row}
    line["details"] = text.write(without_folders(head.details))
    return line if with_seed else {**line, "seed": None}


def _select(table: str, ids: Sequence[str]) -> Select[Any]:
    """Select a table's lines for some runs; sessions are named by their ids, not by their row numbers."""
    runs, sessions, events, contents = schema.runs, schema.sessions, schema.events, schema.contents
    chosen = select(runs.c.number).where(runs.c.id.in_(ids))
    names = LINES[table]
    if table == "sessions":
        columns = [runs.c.id if name == "run" else sessions.c[name] for name in names]
        joined = select(*columns).join_from(sessions, runs, sessions.c.run == runs.c.number)
        return joined.where(sessions.c.run.in_(chosen)).order_by(sessions.c.number)
    if table == "contents":
        used = select(events.c.content).join(sessions, events.c.session == sessions.c.number)
        used = used.where(sessions.c.run.in_(chosen), events.c.content.is_not(None))
        return select(*(contents.c[name] for name in names)).where(contents.c.address.in_(used))
    source = schema.metadata.tables[table]
    if table in ("exclusions", "deeds"):
        mine = source.join(sessions, source.c.session == sessions.c.id)
        found = select(*(source.c[name] for name in names)).select_from(mine).where(sessions.c.run.in_(chosen))
        return found.order_by(sessions.c.number, source.c.number)
    columns = [sessions.c.id if name == "session" else source.c[name] for name in names]
    joined = select(*columns, runs.c.id.label("run_id")).select_from(
        source.join(sessions, source.c.session == sessions.c.number).join(runs, sessions.c.run == runs.c.number)
    )
    # Results are numbered over all sessions: scored again, those of one session would not stand together.
    return joined.where(sessions.c.run.in_(chosen)).order_by(source.c.session, *source.primary_key.columns)
