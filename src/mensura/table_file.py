"""Table files: the rows of a CSV that a user gives, each with the line at which it stands."""

import csv
from collections.abc import Sequence
from pathlib import Path

from mensura.errors import BadFile

ABSENT = "the column {column!r} is missing; columns are {columns}."


def read_table(path: str | Path, columns: Sequence[str], *, absent: str = ABSENT) -> list[tuple[int, dict[str, str]]]:
    """Read a CSV whose first line names its columns.

    Parameters
    ----------
    path
        The file; a mark of its encoding at the beginning is passed over.
    columns
        Columns that it must have; it may have others.
    absent
        What is said where one is missing; `{column}` is the first that is, `{columns}` are all that it must have.

    Returns
    -------
    list of (int, dict)
        The line at which each row ends, and its cells by column without blanks around them; "" where there is none.
    """
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file)
            for column in columns:
                if column not in (reader.fieldnames or ()):
                    raise BadFile(f"{path}:1: {absent.format(column=column, columns=', '.join(columns))}")
            return [
                (reader.line_num, {key: (cell or "").strip() for key, cell in row.items() if key}) for row in reader
            ]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadFile(f"{path} cannot be read: {getattr(error, 'strerror', error)}. Check the path.") from None
