"""Table files: the rows of a CSV that a user gives, each with its line, arrays of NumPy, and safe spreadsheet cells."""

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mensura.errors import BadFile

ABSENT = "the column {column!r} is missing; columns are {columns}."
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


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


def harmless(value: Any) -> Any:
    """Return a cell that a spreadsheet takes for no formula: a text that begins like one gets an apostrophe.

    >>> [harmless(cell) for cell in ("=1+1", "-2.5", "- a list", -2.5)]
    ["'=1+1", '-2.5', "'- a list", -2.5]
    """
    formula = isinstance(value, str) and value[:1] in FORMULAS and not NUMBER.fullmatch(value)
    return f"'{value}" if formula else value


def read_array(path: Path) -> Any:
    """Read the array of a .npy file.

    The header says how large the array is, and a broken one may say anything: so it is compared with the size of the
    file before memory is taken.
    """
    import numpy as np

    try:
        found = np.load(path, mmap_mode="r", allow_pickle=False)  # noqa: TID251
        if not isinstance(found, np.ndarray):
            raise ValueError("it is an archive of several arrays")
        return np.array(found)
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror or error}.") from None
    # A header is Python text, and NumPy raises whatever its readers of syntax, types and sizes happen to meet.
    except Exception as error:
        why = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
        raise BadFile(f"{path} is not a whole .npy file: {why}. Is it cut short?") from None
