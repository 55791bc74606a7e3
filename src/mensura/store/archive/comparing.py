"""Comparing: lines of an archive beside the rows that a store has of the same."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Select, Table, select

from mensura.dialogue.streams import seed_mark
from mensura.errors import BadFile, Conflict
from mensura.store import schema, text
from mensura.store.archive.layout import Line, without_folders
from mensura.store.archive.reader import ArchiveReader

BATCH = 1000


def batches(lines: Iterator[Line]) -> Iterator[list[Line]]:
    """Gather lines that are written together."""
    batch = []
    for line in lines:
        batch.append(line)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def own_rows(table: Table, session: int | str) -> Select[Any]:
    """Select the rows of a session as lines have them; only events are known by their number."""
    names = [column for column in table.columns if column.name != "number" or table is schema.events]
    return select(*names).where(table.c.session == session)


def differs(line: Line, known: Any, *, but: tuple[str, ...]) -> bool:
    """Return whether a line says anything else than a row, but for some columns."""
    return any(getattr(known, name) != value for name, value in line.items() if name not in but)


def run_differs(line: Line, there: Line) -> bool:
    """Return whether a run in the archive is another than the one in the store; folders were left out."""
    bare = {**there, "details": text.write(without_folders(text.read(there["details"])))}
    return any(
        bare[name] != value
        for name, value in line.items()
        if name not in ("seed", "register") and value not in ("", None)
    )


def check_seed(line: Line, archive: ArchiveReader) -> None:
    """Refuse a seed that is none, or not the run's; marks the line with it."""
    seed = line["seed"]
    if seed is not None and not (seed.isascii() and seed.isdigit() and len(seed) <= 100):
        raise BadFile(f"{archive.path} cannot be imported: {seed[:40]!r} is not a seed. Nothing was changed.")
    mark = "" if seed is None else seed_mark(int(seed))
    line["seed_mark"] = line["seed_mark"] or mark
    if seed is not None and line["seed_mark"] != mark:
        raise BadFile(f"{archive.path} cannot be imported: its seed is not the run's. Nothing was changed.")


def another(what: str, name: str) -> Conflict:
    """Make the error that says that a name is taken by something else."""
    return Conflict(f"The store holds another {what} called {name!r}; nothing was changed.")
