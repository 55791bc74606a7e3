"""Exporting: runs as one file to download. Nothing of an open session leaves, and no identities."""

import csv
import io
import shutil
import zipfile
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mensura.errors import BadParameter, Conflict
from mensura.store.head import RunHead
from mensura.table_file import harmless
from mensura.web.lab.sessions.secrecy import asked_elsewhere, open_items, over

if TYPE_CHECKING:
    from mensura.store import Store

FORMATS = {
    "csv": "CSV tables, for spreadsheets and R",
    "parquet": "Parquet tables, for Python, R and duckdb",
    "jsonl": "JSON lines",
    "jspsych": "trials in the shape of jsPsych's data",
    "zip": "an archive for another installation of Mensura",
}
LEDGER = ("session", "excluded", "reason", "planned", "who", "time")


def write_export(store: "Store", run: RunHead, folder: Path, *, format: str, with_seeds: bool = False) -> Path:
    """Write a run into one file of a folder.

    Raises
    ------
    Conflict
        If an archive, or the secret seed, is wanted while someone is still being asked what it would give away.
    """
    from mensura.store.archive.export import export_run

    if format not in FORMATS:
        raise BadParameter(f"A run is exported as {', '.join(FORMATS)}; got {format!r}.")
    being_asked = len(open_items(store, run)) or len(asked_elsewhere(store, run))
    if being_asked and (format == "zip" or with_seeds):
        raise Conflict(
            f"{being_asked} sessions with these items are still open, and an archive or a seed would give their truths "
            "away. Wait until they are over or close their links; tables can be exported now and hold what is over."
        )
    target = folder / f"{run.id}-{format}.zip"
    if format == "zip":
        export_run(store, run.id, target, format="zip", with_seeds=with_seeds)
        return target
    tables = folder / "tables"
    # Asked once, so that all tables of one export speak of the same sessions.
    told = {run.id: over(store, run, store.sessions.of(run.id))}
    export_run(store, run.id, tables, format=format, with_seeds=with_seeds, sessions=told)  # type: ignore[arg-type]
    (tables / "exclusions.csv").write_text(ledger_csv(store, run.id), encoding="utf-8")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(tables.iterdir()):
            archive.write(path, f"{run.id}/{path.name}")
    shutil.rmtree(tables)
    return target


def ledger_csv(store: "Store", run_id: str | None = None, *, among: Container[str] | None = None) -> str:
    """Write every decision about exclusions as CSV; `among` are the runs that may be seen."""
    decisions = store.exclusions.ledger(run_id)
    if among is not None:
        decisions = [one for one in decisions if one.session.rpartition("/")[0] in among]
    return _csv(LEDGER, [[getattr(one, name) for name in LEDGER] for one in decisions])


def identities_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Write who participants are as CSV, with the numbers of their invitations and nothing that they did."""
    named = [row for row in rows if any(row[name] for name in ("name", "contact", "notes"))]
    columns = ("number", "name", "contact", "notes")
    return _csv(("invitation", *columns[1:]), [[row[name] for name in columns] for row in named])


def _csv(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(columns)
    writer.writerows([harmless(value) for value in row] for row in rows)
    return file.getvalue()
