"""Reading: columns of text from CSV or Parquet files, with the rows that cannot be read named."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path
from typing import Any

import numpy as np

from mensura.errors import BadFile
from mensura.table_file import read_table

SHOWN = 20
PARQUET = (".parquet", ".pq")


@dataclass(frozen=True, order=True)
class BadRow:
    """One row that cannot be used: which file, which row (the first below the header is 1) and what is wrong."""

    file: str
    row: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}, row {self.row} (line {self.row + 1}): {self.problem}"


@dataclass
class LoadedFile:
    """A file loaded as a table of a database: texts in columns, `row` counting from 1 below the header."""

    path: Path
    table: str
    columns: tuple[str, ...]
    bad: list[BadRow] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The file's name, for messages."""
        return self.path.name

    def has_dates(self, connection: Any, columns: Sequence[str]) -> bool:
        """Return whether times in these columns are dates: they are unless every one of them is a plain number."""
        known = [name for name in columns if name in self.columns]
        texts = [f"{name} IS NOT NULL AND TRY_CAST({name} AS DOUBLE) IS NULL" for name in known]
        query = f"SELECT count(*) FILTER ({' OR '.join(texts) or 'false'}) FROM {self.table}"
        return bool(connection.execute(query).fetchone()[0])

    def moment(self, column: str, *, dated: bool) -> str:
        """Return the SQL of a time in days since 1970, or in the file's own unit; null where it cannot be read."""
        if column not in self.columns:
            return "NULL::DOUBLE"
        # The year stands first and has four digits: 9/1/11 would be read as the year 9.
        iso = f"CASE WHEN {column} SIMILAR TO '\\d{{4}}-\\d\\d-\\d\\d.*' THEN TRY_CAST({column} AS TIMESTAMPTZ) END"
        return f"epoch({iso}) / 86400" if dated else f"TRY_CAST({column} AS DOUBLE)"

    def timed(self, column: str, *, dated: bool) -> str:
        """Return the SQL of a time as `moment` gives it, but NaN where nothing is told."""
        told = column if column in self.columns else "NULL"
        return f"CASE WHEN {told} IS NULL THEN 'nan'::DOUBLE ELSE {self.moment(column, dated=dated)} END"

    def unreadable(self, column: str) -> str:
        """Return the SQL that names a time which cannot be read."""
        if column not in self.columns:
            return ""
        problem = f"'{column} ''' || {column} || ''' cannot be read; write dates as 2011-09-30'"
        return f"WHEN {column} IS NOT NULL AND {column}_at IS NULL THEN {problem}"


def load(
    connection: Any, path: str | Path, *, table: str, wanted: Sequence[str], optional: Sequence[str]
) -> LoadedFile:
    """Load a CSV or Parquet file; columns beyond those wanted and optional are left aside.

    Well-formed files are read by DuckDB; a CSV that is not is walked row by row, and its broken rows are named.
    """
    file = Path(path)
    if not file.is_file():
        raise BadFile(f"There is no file {file}. Check the path.")
    parquet = file.suffix.lower() in PARQUET
    present = list(parquet_columns(connection, file)) if parquet else _header(file)
    if missing := [name for name in wanted if name not in present]:
        raise BadFile(
            f"{file.name} has no column {missing[0]!r}; it needs {', '.join(wanted)} and has {', '.join(present)}."
        )
    columns = tuple(name for name in (*wanted, *optional) if name in present)
    texts = ", ".join(f"nullif(trim({_quoted(name)}::VARCHAR), '') AS {name}" for name in columns)
    source = LoadedFile(file, table, columns)
    if parquet:
        _fill(connection, table, f"SELECT {texts} FROM read_parquet(?)", [str(file)])
    else:
        _load_csv(connection, source, present, texts)
    return source


def _load_csv(connection: Any, source: LoadedFile, present: Sequence[str], texts: str) -> None:
    import duckdb

    types = ", ".join(f"{_literal(name)}: 'VARCHAR'" for name in present)
    query = (
        f"SELECT {texts} FROM read_csv(?, auto_detect=false, header=true, columns={{{types}}}, "
        f"delim={_literal(_delimiter(source.path))}, quote='\"', escape='\"', comment='', strict_mode=true)"
    )
    try:
        _fill(connection, source.table, query, [str(source.path)])
    except duckdb.Error:
        _walk_csv(connection, source, present)


def _walk_csv(connection: Any, source: LoadedFile, present: Sequence[str]) -> None:
    """Read a broken CSV row by row, keeping what has the right number of fields."""
    places = [list(present).index(name) for name in source.columns]
    kept: list[list[str | None]] = []
    numbers: list[int] = []
    for number, fields in _rows(source):
        if fields is None:
            source.bad.append(BadRow(source.name, number, "the row is not text in UTF-8, or its quotes do not close"))
        elif len(fields) != len(present):
            shown = ",".join(fields)[:60]
            problem = f"{len(fields)} fields instead of {len(present)} in {shown!r}"
            source.bad.append(BadRow(source.name, number, problem))
        else:
            kept.append([fields[i].strip() or None for i in places])
            numbers.append(number)
    walked = {name: np.array([fields[i] for fields in kept], object) for i, name in enumerate(source.columns)}
    connection.register("walked", {"row": np.array(numbers, np.int64), **walked})
    texts = ", ".join(f"{name}::VARCHAR AS {name}" for name in source.columns)
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {source.table} AS SELECT row::BIGINT AS row, {texts} FROM walked")
    connection.unregister("walked")


def _rows(source: LoadedFile) -> Iterable[tuple[int, list[str] | None]]:
    with source.path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as lines:
        reader = csv.reader(lines, delimiter=_delimiter(source.path), strict=True)
        next(reader)
        number = 0
        while True:
            number += 1
            try:
                fields = next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield number, None
                continue
            if not fields:
                continue
            broken = any("\udc80" <= sign <= "\udcff" for text in fields for sign in text)
            yield number, None if broken else fields


def _fill(connection: Any, table: str, query: str, values: list[Any]) -> None:
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {table} AS SELECT row_number() OVER () AS row, * FROM ({query})", values
    )


def _header(file: Path) -> list[str]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            names = next(csv.reader(lines, delimiter=_delimiter(file)), [])
    except (UnicodeDecodeError, csv.Error):
        raise BadFile(f"{file.name} is not a CSV file in UTF-8 (nor does its name end in .parquet).") from None
    if not names:
        raise BadFile(f"{file.name} is empty; its first line must name the columns.")
    return [name.strip() for name in names]


def _delimiter(file: Path) -> str:
    with file.open(encoding="utf-8-sig", errors="replace") as lines:
        first = lines.readline()
    return next((sign for sign in (",", ";", "\t") if sign in first), ",")


def parquet_columns(connection: Any, file: Path) -> dict[str, str]:
    """Return the type of each column, by its name."""
    import duckdb

    try:
        return {
            row[0]: row[1]
            for row in connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(file)]).fetchall()
        }
    except duckdb.Error as problem:
        raise BadFile(f"{file.name} cannot be read as Parquet: {str(problem).splitlines()[0]}") from None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def read_rows(path: str | Path, columns: Sequence[str], *, form: str) -> list[tuple[str, dict[str, str]]]:
    """Read a small CSV, cells without blanks around them, each row with where it stands, for messages.

    It must have the columns, and may have others; `form` is a sentence that says what such a file looks like.
    """
    file = Path(path)
    if not file.is_file():
        raise BadFile(f"There is no file {file}. {form}")
    rows = read_table(file, columns, absent=f"the column {{column!r}} is missing. {form}")
    return [(f"{file.name}, row {number} (line {number + 1})", row) for number, (_, row) in enumerate(rows, 1)]


def refuse(bad: Sequence[BadRow]) -> BadFile:
    """Make the error that names every bad row, up to twenty, and says how to go on without them."""
    shown = [str(row) for row in bad[:SHOWN]]
    if len(bad) > SHOWN:
        shown.append(f"... and {len(bad) - SHOWN} more")
    one = len(bad) == 1
    count = f"{len(bad):,} {'row' if one else 'rows'} cannot be scored"
    return BadFile(
        f"{count}:\n  " + "\n  ".join(shown) + f"\nFix {'it' if one else 'them'}, or score the rest with --skip-bad."
    )


def skipped(bad: Sequence[BadRow]) -> list[str]:
    """Return how many bad rows were skipped, and name up to twenty."""
    count = f"{len(bad):,} bad {'row was' if len(bad) == 1 else 'rows were'} skipped."
    return [count, *(f"skipped: {row}" for row in bad[:SHOWN])] if bad else []


def file_hashes(*paths: Path | None) -> dict[str, str]:
    """Return the SHA-256 of each file that is given, by its name."""
    hashes = {}
    for path in filter(None, paths):
        with path.open("rb") as file:
            hashes[path.name] = file_digest(file, "sha256").hexdigest()
    return hashes
