"""JSON from outside: what a file, an answer or a request holds, or one sentence on why it cannot be read.

Every JSON that this program has not written itself goes through here. Python's own reader gives up some hundred levels
deep, at a depth that depends on who calls it, and raises errors of three kinds; here the bounds are always the same,
and everything that is wrong is a `JSONDecodeError`.
"""

import json
import re
from pathlib import Path
from typing import Any

from mensura.errors import BadFile
from mensura.text_file import read_text

LARGEST = 64 * 2**20
"""Characters of one text."""
DEEPEST = 100
_decode = json.JSONDecoder().decode  # noqa: TID251
_NO_BRACKETS = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[^][{}"]++', re.DOTALL)
"""Strings, with the brackets inside them, and everything else except brackets."""


def read_json(path: str | Path) -> Any:
    """Read what a JSON file holds.

    Parameters
    ----------
    path
        The file; `~` is the user's own folder.
    """
    return parse_json(read_text(path), path)


def parse_json(text: str, path: str | Path) -> Any:
    """Return the value of JSON from a file, or raise an error that names the file and the line."""
    try:
        return loads(text)
    except json.JSONDecodeError as error:
        raise BadFile(f"{path}:{error.lineno}: this is not JSON: {error.msg}.") from None


def loads(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Parameters
    ----------
    text
        The JSON; bytes may be in UTF-8, UTF-16 or UTF-32.

    Raises
    ------
    json.JSONDecodeError
        If it is not JSON, too long, or nested too deeply.
    """
    if not isinstance(text, str):
        try:
            text = text.decode(json.detect_encoding(text))
        except UnicodeDecodeError:
            raise json.JSONDecodeError("it is not UTF-8 text", "", 0) from None
    check_bounds(text)
    try:
        return _decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        raise json.JSONDecodeError("a whole number has thousands of digits", "", 0) from None


def check_bounds(text: str) -> None:
    """Raise a JSONDecodeError where a text is too long, or nested too deeply.

    >>> check_bounds("[" * 101)
    Traceback (most recent call last):
    json.decoder.JSONDecodeError: it is nested more than 100 levels deep: line 1 column 1 (char 0)
    """
    if len(text) > LARGEST:
        raise json.JSONDecodeError(f"it is too large, more than {LARGEST:,} characters", "", 0)
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    import numpy as np

    brackets = np.frombuffer(_NO_BRACKETS.sub("", text).encode(), np.uint8)
    # Of the four only those that open have this bit.
    if np.where(brackets & 2, 1, -1).cumsum().max(initial=0) > DEEPEST:
        raise json.JSONDecodeError(f"it is nested more than {DEEPEST} levels deep", "", 0)
