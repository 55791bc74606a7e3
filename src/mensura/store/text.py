"""Text: values as JSON in text columns. The order of keys is kept, since a replay must meet the same answer."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from mensura.dialogue.canonical import plain
from mensura.errors import StoreError

_write = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=plain).encode
_write_ascii = json.JSONEncoder(separators=(",", ":"), default=plain).encode
_read = json.JSONDecoder().raw_decode  # noqa: TID251


def write(value: Any) -> str:
    r"""Write a value as JSON that every database takes.

    >>> write({"b": (1, 2), "a": "ü\ud800"})
    '{"b":[1,2],"a":"\\u00fc\\ud800"}'
    """
    text = _write(value)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            # Half a character, as a broken program may send: no database keeps it unless it is escaped.
            return _write_ascii(value)
    return text


def write_some(value: Any) -> str | None:
    """Write a value as JSON; None stays NULL."""
    return None if value is None else write(value)


def read(text: str) -> Any:
    """Read a value from JSON."""
    try:
        return _read(text)[0]
    except (ValueError, TypeError, RecursionError) as error:
        raise StoreError(
            f"The store is damaged: {str(text)[:60]!r} is not JSON. Restore a copy or an export."
        ) from error


def read_some(text: str | None) -> Any:
    """Read a value from JSON, None from NULL."""
    return None if text is None else read(text)


def read_mapping(text: str) -> Mapping[str, Any]:
    """Read a mapping from JSON."""
    value = read(text)
    if not isinstance(value, dict):
        raise StoreError(f"The store is damaged: {str(text)[:60]!r} is not a JSON object. Restore a copy or an export.")
    return value


def clean(text: str) -> str:
    r"""Keep words of a stranger in a plain text column: what no database takes is escaped.

    >>> clean("bad\x00 \ud800")
    'bad\\x00 \\ud800'
    """
    return text.replace("\x00", "\\x00").encode("utf-8", "backslashreplace").decode()


def day(moment: float) -> str:
    """Write a moment as the day that it was, in universal time.

    >>> day(0.0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(moment, tz=UTC).strftime("%Y-%m-%d")


def moment(time: float) -> str:
    """Write a time as people read it.

    >>> moment(0)
    '1970-01-01 00:00 UTC'
    """
    return f"{datetime.fromtimestamp(time, tz=UTC):%Y-%m-%d %H:%M} UTC"
