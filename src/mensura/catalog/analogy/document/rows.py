"""Rows: files of JSON lines, read row by row; a damaged line is named."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.text_file import read_text

Row = TypeVar("Row")


def rows_of(file: str | Path, make: Callable[[Any], Row], *, form: str) -> Iterator[tuple[int, Row]]:
    """Yield the number of every line that is not empty, from 1 on, and what is made of its JSON.

    Parameters
    ----------
    file
        A file of JSON lines.
    make
        Makes something of one line; a ValueError's words are what is wrong with it.
    form
        What a line looks like, for those who wrote another.
    """
    for number, line in enumerate(read_text(file).splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield number, make(loads(line))
        except json.JSONDecodeError as error:
            raise BadFile(f"{file}:{number}: this is not JSON ({error.msg}); a line is {form}.") from None
        except ValueError as error:
            raise BadFile(f"{file}:{number}: {error}; a line is {form}.") from None
        except (KeyError, TypeError, AttributeError, IndexError):
            raise BadFile(f"{file}:{number}: a line is {form}.") from None
