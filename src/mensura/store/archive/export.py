"""Export: runs as one file of answers, as tables for analysis, or as one zip for another installation."""

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mensura.errors import BadParameter
from mensura.store.archive.answers import WRITERS, write_answers
from mensura.store.archive.jspsych import write_trials
from mensura.store.archive.layout import Seeds
from mensura.store.archive.tables import COLUMNS, Row, Told, convert, table_rows, write_lines
from mensura.store.archive.writer import seeds_of, write_archive
from mensura.store.head import RunHead
from mensura.store.store import Store
from mensura.table_file import harmless
from mensura.text_file import unwritable

Format = Literal["parquet", "csv", "jsonl", "xlsx", "jspsych", "zip"]
FORMATS: tuple[Format, ...] = ("parquet", "csv", "jsonl", "xlsx", "jspsych", "zip")


@dataclass(frozen=True)
class Exported:
    """The result of an export."""

    paths: list[Path]
    rows: dict[str, int]
    """Rows by table."""
    seeds: Seeds | None
    """The treatment of the seeds; None where no seed has a place in the file."""
    sha256: str = ""
    """Of a zip: someone who gets it apart from the file can tell that nothing was changed or cut off."""
    note: str = ""
    """Notes for the reader on what was left out."""

    def __str__(self) -> str:
        where = self.paths[0] if len(self.paths) == 1 else self.paths[0].parent
        counts = ", ".join(f"{count} {table}" for table, count in self.rows.items())
        apart = f"SHA-256, to be sent separately from the file: {self.sha256}." if self.sha256 else ""
        seeds = SEED_NOTES[self.seeds] if self.seeds else ""
        return " ".join(filter(None, [f"Wrote {where}: {counts}.", seeds, apart, self.note]))


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
    format: Format | None = None,
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
        A file, or a folder for tables: one that exists, ends with a slash or has no ending.
    format
        None: as the file's ending says, Parquet for tables. "csv", "parquet", "xlsx" or "jsonl": one row or line for
        each answer (see `mensura.store.archive.answers`), or in a folder, where there is no "xlsx", tables of runs,
        sessions, answers, events, contents (prompts and spaces), truths, results, exclusions and details.
        "jspsych" (.json): one file of trials as jsPsych gives them. "zip": one file that `import_archive` takes.
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
    folder = is_folder(path)
    path = Path(path)
    format = format or ("parquet" if folder else form_of(path))
    if format not in FORMATS:
        raise BadParameter(f"A run is exported as {', '.join(FORMATS)}; got {format!r}.")
    names = [run] if isinstance(run, str) else run
    heads = list({head.id: head for head in map(store.runs.find, names)}.values())
    if not heads:
        raise BadParameter("No run was named; name one, such as last.")
    if signed and format != "zip":
        raise BadParameter("Only a zip carries a signature; name a file that ends in .zip.")
    one_file = not folder and f".{format}" in WRITERS
    if with_seeds and (one_file or format == "jspsych"):
        raise BadParameter("Only a zip or a folder of tables carries secret seeds; name a file that ends in .zip.")
    seeds = seeds_of(heads, with_seeds=with_seeds)
    if format == "zip":
        rows, sha256 = write_archive(store, heads, path, with_seeds=with_seeds, signed=signed, study=study)
        return Exported([path], rows, seeds, sha256)
    if one_file:
        if path.suffix.lower() != f".{format}":
            raise BadParameter(
                f"{path} does not end in .{format}; name a file that does, or write {path}/ for a folder."
            )
        count, note = write_answers(store, heads, path, sessions=sessions)
        return Exported([path], {"answers": count}, None, note=note)
    if format == "xlsx":
        raise BadParameter(f"{path} is a folder, and a workbook is one file; name one that ends in .xlsx.")
    told = sessions or {head.id: store.sessions.of(head.id) for head in heads}
    if format == "jspsych":
        try:
            target, count = write_trials(store, heads, path, told)
        except OSError as error:
            raise unwritable(path, error) from error
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
        raise unwritable(path, error) from error
    return Exported(paths, rows, seeds)


def is_folder(path: str | Path) -> bool:
    """Return whether a path means a folder: it exists as one, ends with a slash or has no ending."""
    return str(path).endswith(("/", os.sep)) or Path(path).is_dir() or not Path(path).suffix


def form_of(path: Path) -> Format:
    """Return the form in which a run is written to a file of this name."""
    form = FORMS.get(path.suffix.lower())
    if form is None:
        raise BadParameter(
            f"No form of export ends in {path.suffix}. Files end in {', '.join(FORMS)}, .eval (Inspect) or "
            f".spans.jsonl (OpenTelemetry); for a folder of tables write {path}/ with a slash at its end."
        )
    return form


FORMS: dict[str, Format] = {
    ".csv": "csv",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
    ".jsonl": "jsonl",
    ".zip": "zip",
    ".json": "jspsych",
}


def _write_tables(
    store: Store, heads: Sequence[RunHead], folder: Path, *, sessions: Told, format: Format, with_seeds: bool
) -> dict[str, int]:
    counts = {}
    for table, columns in COLUMNS.items():
        lines = folder / f"{table}.jsonl"
        rows = table_rows(store, heads, table, sessions=sessions, with_seeds=with_seeds)
        if format == "csv":
            rows = map(_harmless_row, rows)
        counts[table], longest = write_lines(lines, rows)
        if format != "jsonl":
            convert(lines, folder / f"{table}.{format}", columns, longest=longest)
    return counts


def _harmless_row(row: Row) -> Row:
    return {name: harmless(value) for name, value in row.items()}
