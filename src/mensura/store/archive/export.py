"""Export: runs as tables for analysis (Parquet, CSV, JSON lines) or as one zip for another installation."""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mensura.errors import BadFile, BadParameter
from mensura.store.archive.jspsych import write_trials
from mensura.store.archive.layout import Seeds
from mensura.store.archive.tables import COLUMNS, Told, table_rows
from mensura.store.archive.writer import seeds_of, write_archive
from mensura.store.head import RunHead
from mensura.store.store import Store

Format = Literal["parquet", "csv", "jsonl", "jspsych", "zip"]
FORMATS: tuple[Format, ...] = ("parquet", "csv", "jsonl", "jspsych", "zip")


@dataclass(frozen=True)
class Exported:
    """What an export wrote."""

    paths: list[Path]
    rows: dict[str, int]
    """Rows by table."""
    seeds: Seeds
    sha256: str = ""
    """Of a zip: someone who gets it apart from the file can tell that nothing was changed or cut off."""
    note: str = ""
    """What a reader must know of what was left out."""

    def __str__(self) -> str:
        where = self.paths[0] if len(self.paths) == 1 else self.paths[0].parent
        counts = ", ".join(f"{count} {table}" for table, count in self.rows.items())
        apart = f"SHA-256, to be told apart from the file: {self.sha256}." if self.sha256 else ""
        return " ".join(filter(None, [f"Wrote {where}: {counts}. {SEED_NOTES[self.seeds]}", apart, self.note]))


SEED_NOTES = {
    "public": "The seed is public and in it.",
    "left out": "The secret seed was left out.",
    "included": "The secret seed is in it: anyone who has this file can compute every question and truth of the test.",
}


def export_run(
    store: Store,
    run: str | Sequence[str],
    path: str | Path,
    *,
    format: Format = "parquet",
    with_seeds: bool = False,
    signed: bool = False,
    sessions: Told | None = None,
    study: str = "",
) -> Exported:
    """Write one run, or several, for others to read.

    Parameters
    ----------
    run
        Name of a run, or several, as `store.runs.find` takes them.
    path
        A folder for tables, one file each; a file for a zip.
    format
        "parquet", "csv" or "jsonl": tables of runs, sessions, answers (one row per ask, with its truth), events,
        contents (prompts and spaces), truths, results, exclusions and details. "jspsych": one JSON file of trials as
        jsPsych gives them. "zip": one file that `import_archive` takes.
    with_seeds
        Whether secret seeds go with it, so that open sessions can be resumed elsewhere. Anyone who has a secret seed
        can compute every question and truth.
    signed
        Whether a zip carries the laboratory's signature of the heads of its chains.
    sessions
        The sessions that tables tell of, by run; None: all.
    study
        The study that a zip is the whole of, as its sessions were told.

    Returns
    -------
    Exported
        What was written; printed, it says what became of the seeds.
    """
    if format not in FORMATS:
        raise BadParameter(f"A run is exported as {', '.join(FORMATS)}; got {format!r}.")
    names = [run] if isinstance(run, str) else run
    heads = list({head.id: head for head in map(store.runs.find, names)}.values())
    if not heads:
        raise BadParameter("No run was named; name one, such as last.")
    if signed and format != "zip":
        raise BadParameter("Only a zip carries a signature; name a file that ends in .zip.")
    path = Path(path)
    seeds = seeds_of(heads, with_seeds=with_seeds)
    if format == "zip":
        rows, sha256 = write_archive(store, heads, path, with_seeds=with_seeds, signed=signed, study=study)
        return Exported([path], rows, seeds, sha256)
    told = sessions or {head.id: store.sessions.of(head.id) for head in heads}
    if format == "jspsych":
        try:
            target, count = write_trials(store, heads, path, told)
        except OSError as error:
            raise BadFile(f"{path} cannot be written ({error.strerror or error}); give another place.") from error
        return Exported([target], {"trials": count}, seeds)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path, prefix=".export-") as part:
            rows = _write_tables(store, heads, Path(part), sessions=told, format=format, with_seeds=with_seeds)
            paths = [path / f"{table}.{format}" for table in COLUMNS]
            for target in paths:
                (Path(part) / target.name).chmod(0o600)
                os.replace(Path(part) / target.name, target)
    except OSError as error:
        raise BadFile(f"{path} cannot be written ({error.strerror or error}); give another place.") from error
    return Exported(paths, rows, seeds)


def _write_tables(
    store: Store, heads: Sequence[RunHead], folder: Path, *, sessions: Told, format: Format, with_seeds: bool
) -> dict[str, int]:
    counts = {}
    for table, columns in COLUMNS.items():
        lines = folder / f"{table}.jsonl"
        rows = table_rows(store, heads, table, sessions=sessions, with_seeds=with_seeds)
        counts[table], longest = _write_lines(lines, rows)
        if format != "jsonl":
            _convert(lines, folder / f"{table}.{format}", columns, longest=longest)
    return counts


def _write_lines(path: Path, rows: Iterator[dict[str, Any]]) -> tuple[int, int]:
    count = longest = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            line = _line(row)
            file.write(line + "\n")
            count += 1
            longest = max(longest, len(line))
    return count, longest


_finite = json.JSONEncoder(allow_nan=False).encode


def _line(row: dict[str, Any]) -> str:
    try:
        return _finite(row)
    except ValueError:
        return _finite({name: _known(value) for name, value in row.items()})


def _known(value: Any) -> Any:
    """Write an unknown number as null, and an endless one as the word that every reader of tables knows."""
    if isinstance(value, float):
        return None if value != value else value if abs(value) != float("inf") else ("-" * (value < 0) + "Infinity")
    return value


def _convert(lines: Path, target: Path, columns: dict[str, str], *, longest: int) -> None:
    """Let duckdb read lines of JSON and write a table; it holds only a part in memory."""
    import duckdb

    types = ", ".join(f"{_quoted(name)}: {_quoted(kind)}" for name, kind in columns.items())
    source = (
        f"read_json({_quoted(str(lines))}, format='newline_delimited', columns={{{types}}}, "
        f"maximum_object_size={max(2**24, 2 * longest)})"
    )
    options = "FORMAT parquet, COMPRESSION zstd" if target.suffix == ".parquet" else "FORMAT csv, HEADER"
    try:
        with duckdb.connect() as database:
            database.execute(f"COPY (SELECT * FROM {source}) TO {_quoted(str(target))} ({options})")
    except duckdb.Error as error:
        raise BadFile(f"The table {target.name} cannot be written: {str(error).splitlines()[0]}") from error


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
